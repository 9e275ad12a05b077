// A recursive descent over the tokens. What only helps a debugger or an assembler's tuning (.loc, .pragma, .maxntid) is
// skipped.
#include "ptx_syntax.h"

#include <cstdlib>

#include "ptx_tokens.h"

namespace warptile::emulator {

namespace {

bool starts_with(const std::string &text, const std::string &prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

std::vector<std::string> split_at_dots(const std::string &text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == '.') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

bool is_space(const std::string &word) {
    return word == ".global" || word == ".const" || word == ".shared" || word == ".local" || word == ".param";
}

class Parser {
public:
    explicit Parser(const std::string &text) : tokens_(tokens_of(text)) {}

    ModuleText module() {
        ModuleText m;
        while (!at_end()) {
            const std::string word = take();
            if (word == ".version" || word == ".address_size") {
                take();
            } else if (word == ".target") {
                target(m);
            } else if (word == ".entry" || word == ".func") {
                function(m, word == ".entry");
            } else if (is_space(word)) {
                m.variables.push_back(variable(word));
                expect(";");
            } else if (word == ".file" || word == ".section") {
                skip_line_or_block();
            } else if (word != ".visible" && word != ".extern" && word != ".weak" && word != ".common" && word != ";") {
                fail("'" + word + "' where a function or a variable begins");
            }
        }
        return m;
    }

private:
    std::vector<Token> tokens_;
    size_t at_ = 0;

    bool at_end() const { return at_ >= tokens_.size(); }

    const std::string &peek(size_t ahead = 0) const {
        static const std::string nothing;
        return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].text : nothing;
    }

    int line() const { return tokens_.empty() ? 0 : tokens_[std::min(at_, tokens_.size() - 1)].line; }

    [[noreturn]] void fail(const std::string &what) const { throw PtxError(line(), what); }

    std::string take() {
        if (at_end()) {
            fail("the text ends within a declaration or a function");
        }
        return tokens_[at_++].text;
    }

    bool take_if(const std::string &sign) {
        const bool found = peek() == sign;
        at_ += found;
        return found;
    }

    void expect(const std::string &sign) {
        if (!take_if(sign)) {
            fail("'" + peek() + "' where '" + sign + "' belongs");
        }
    }

    void target(ModuleText &m) {
        const std::string name = take();
        if (!starts_with(name, "sm_")) {
            fail("the target '" + name + "' is no sm_XX");
        }
        m.target = std::atoi(name.c_str() + 3);
        while (take_if(",")) {
            take();
        }
    }

    void skip_line_or_block() {
        const int here = tokens_[at_ - 1].line;
        while (!at_end() && line() == here && peek() != "{") {
            at_++;
        }
        if (take_if("{")) {
            while (take() != "}") {
            }
        }
    }

    void function(ModuleText &m, bool kernel) {
        Function f;
        f.kernel = kernel;
        f.line = line();
        if (peek() == "(") {
            f.results = parameters();
        }
        f.name = take();
        if (peek() == "(") {
            f.parameters = parameters();
        }
        while (peek() != "{" && peek() != ";") {
            take();
        }
        if (take_if(";")) {
            return;  // a declaration; what it declares is in the module
        }
        expect("{");
        for (int depth = 1; depth > 0;) {
            if (take_if("{")) {
                depth++;
            } else if (take_if("}")) {
                depth--;
            } else {
                statement(f.body);
            }
        }
        m.functions.push_back(f);
    }

    std::vector<Variable> parameters() {
        std::vector<Variable> all;
        expect("(");
        while (!take_if(")")) {
            all.push_back(variable(take()));
            take_if(",");
        }
        return all;
    }

    /// After the word of its space: everything up to the comma, bracket or semicolon.
    Variable variable(const std::string &space) {
        Variable v;
        v.space = space.substr(1);
        v.line = line();
        if (!is_space(space)) {
            fail("'" + space + "' where the state space of a variable belongs");
        }
        for (; starts_with(peek(), ".");) {
            const std::string word = take();
            const int bytes = type_bytes(word.substr(1));
            if (word == ".align") {
                v.align = number();
            } else if (bytes > 0) {
                v.element_bytes = bytes;
            } else if (word != ".ptr" && !is_space(word)) {
                fail("'" + word + "' in the declaration of a variable");
            }
        }
        v.align = std::max<uint64_t>(v.align, static_cast<uint64_t>(v.element_bytes));
        v.name = take();
        while (take_if("[")) {
            v.count *= peek() == "]" ? 0 : number();
            expect("]");
        }
        if (take_if("=")) {
            initial_values(v);
        }
        return v;
    }

    void initial_values(Variable &v) {
        int depth = 0;
        do {
            if (take_if("{")) {
                depth++;
            } else if (take_if("}")) {
                depth--;
            } else if (!take_if(",")) {
                v.values.push_back(number());
            }
        } while (depth > 0);
    }

    bool is_number() const {
        const char first = peek().empty() ? ' ' : peek()[0];
        return (first >= '0' && first <= '9') || first == '-' || (first == '+' && at_ > 0);
    }

    uint64_t number() {
        const bool negative = take_if("-");
        const std::string word = take();
        char *end = nullptr;
        uint64_t bits = 0;
        const std::string prefix = word.substr(0, 2);
        if (prefix == "0f" || prefix == "0F" || prefix == "0d" || prefix == "0D") {
            bits = std::strtoull(word.c_str() + 2, &end, 16);
        } else {
            bits = std::strtoull(word.c_str(), &end, 0);
        }
        if (end == word.c_str() || (*end && *end != 'U')) {
            at_--;
            fail("'" + word + "' where a number belongs");
        }
        return negative ? 0 - bits : bits;
    }

    void statement(std::vector<Statement> &body) {
        Statement s;
        s.line = line();
        if (take_if(";")) {
            return;
        }
        if (peek() == ".loc" || peek() == ".file" || peek() == ".section") {
            at_++;
            skip_line_or_block();
            return;
        }
        if (take_if(".pragma")) {
            while (take() != ";") {
            }
            return;
        }
        if (peek(1) == ":") {
            s.kind = Statement::Kind::Label;
            s.name = take();
            expect(":");
            body.push_back(s);
            return;
        }
        if (take_if(".reg")) {
            registers(s);
        } else if (is_space(peek())) {
            s.kind = Statement::Kind::Variable;
            s.variable = variable(take());
        } else if (take_if(".branchtargets")) {
            s.kind = Statement::Kind::Targets;
            operands(s);
        } else {
            instruction(s);
        }
        expect(";");
        body.push_back(s);
    }

    void registers(Statement &s) {
        s.kind = Statement::Kind::Registers;
        s.name = take().substr(1);
        do {
            const std::string name = take();
            int count = 0;
            if (take_if("<")) {
                count = static_cast<int>(number());
                expect(">");
            }
            s.registers.emplace_back(name, count);
        } while (take_if(","));
    }

    void instruction(Statement &s) {
        if (take_if("@")) {
            s.guard_negated = take_if("!");
            s.guard = take();
        }
        s.parts = split_at_dots(take());
        operands(s);
    }

    void operands(Statement &s) {
        while (peek() != ";") {
            s.operands.push_back(operand());
            if (!take_if(",") && peek() != ";") {
                fail("'" + peek() + "' after an operand");
            }
        }
    }

    Operand operand() {
        Operand o;
        if (take_if("[")) {
            o.kind = Operand::Kind::Address;
            if (!is_number()) {
                o.name = take();
            }
            while (!take_if("]")) {
                take_if("+");
                o.bits += number();
            }
        } else if (peek() == "{" || peek() == "(") {
            const std::string closing = take() == "{" ? "}" : ")";
            o.kind = Operand::Kind::List;
            while (!take_if(closing)) {
                o.elements.push_back(operand());
                take_if(",");
            }
        } else if (is_number()) {
            o.kind = Operand::Kind::Number;
            o.bits = number();
        } else {
            o.negated = take_if("!");
            o.name = take();
            if (take_if("|")) {
                o.second = take();
            }
        }
        return o;
    }
};

}  // namespace

PtxError::PtxError(int line, const std::string &what)
    : std::runtime_error("line " + std::to_string(line) + ": " + what) {}

ModuleText parse_module(const std::string &text) { return Parser(text).module(); }

int type_bytes(const std::string &type) {
    if (type == "pred") {
        return 1;
    }
    if (type == "f16x2" || type == "bf16x2" || type == "u16x2" || type == "s16x2") {
        return 4;
    }
    const size_t digit = type.find_first_of("0123456789");
    const std::string kind = type.substr(0, digit);
    if (digit == std::string::npos || (kind != "b" && kind != "u" && kind != "s" && kind != "f" && kind != "bf")) {
        return 0;
    }
    const int bits = std::atoi(type.c_str() + digit);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? bits / 8 : 0;
}

}  // namespace warptile::emulator
