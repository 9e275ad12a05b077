#include "verify/ptx/ptx_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace warptile {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }

std::string trimmed(const std::string &s) {
    const auto first = std::find_if_not(s.begin(), s.end(), is_space);
    const auto last = std::find_if_not(s.rbegin(), s.rend(), is_space).base();
    return first < last ? std::string(first, last) : std::string();
}

// Comments become a space; so do the directives that end with their line (.loc, .file, .section).
std::string without_comments(const std::string &text) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        size_t end = std::string::npos;
        if (text.compare(i, 2, "/*") == 0) {
            end = text.find("*/", i);
            end = end == std::string::npos ? end : end + 2;
        } else if (text.compare(i, 2, "//") == 0 || text.compare(i, 5, ".loc ") == 0 ||
                   text.compare(i, 5, ".loc\t") == 0 || text.compare(i, 5, ".file") == 0 ||
                   text.compare(i, 8, ".section") == 0) {
            end = text.find('\n', i);
        } else {
            out += text[i++];
            continue;
        }
        out += ' ';
        i = std::min(end, text.size());
    }
    return out;
}

// Where the bracket that opens at `open` closes, or the end of the text.
size_t closing(const std::string &text, size_t open) {
    const char opener = text[open], closer = opener == '(' ? ')' : '}';
    int depth = 0;
    for (size_t i = open; i < text.size(); i++) {
        if (text[i] == opener)
            depth++;
        if (text[i] == closer && --depth == 0)
            return i;
    }
    return text.size();
}

std::vector<std::string> split_outer_commas(const std::string &text) {
    std::vector<std::string> parts;
    std::string part;
    int depth = 0;
    for (char c : text) {
        if (c == '{' || c == '[' || c == '(')
            depth++;
        if (c == '}' || c == ']' || c == ')')
            depth--;
        if (c == ',' && depth == 0) {
            parts.push_back(trimmed(part));
            part.clear();
        } else {
            part += c;
        }
    }
    if (!trimmed(part).empty())
        parts.push_back(trimmed(part));
    return parts;
}

// The first word of `text` from `at` on, up to a space, and `at` moved behind it.
std::string next_token(const std::string &text, size_t &at) {
    while (at < text.size() && is_space(text[at]))
        at++;
    const size_t start = at;
    while (at < text.size() && !is_space(text[at]))
        at++;
    return text.substr(start, at - start);
}

PtxInstruction parse_instruction(const std::string &statement) {
    PtxInstruction instruction;
    size_t at = 0;
    std::string token = next_token(statement, at);
    if (!token.empty() && token[0] == '@') {
        instruction.guard = token.substr(token.compare(0, 2, "@!") == 0 ? 2 : 1);
        token = next_token(statement, at);
    }
    instruction.opcode = token;
    instruction.operands = split_outer_commas(statement.substr(at));
    return instruction;
}

// `.shared .align 4 .b8 name[512]`: the name and its bytes, 0 for an extern array without a size.
struct Declaration {
    std::string name;
    int bytes = 0;
};

Declaration parse_variable(const std::string &statement) {
    Declaration d;
    size_t at = 0;
    int element = 1;
    for (std::string token = next_token(statement, at); !token.empty(); token = next_token(statement, at)) {
        if (token == ".align") {
            next_token(statement, at);
        } else if (token[0] == '.') {
            element = std::max(bytes_of_ptx_type(token.substr(1)), 1);
        } else {
            const size_t bracket = token.find('[');
            d.name = token.substr(0, bracket);
            d.bytes = element * (bracket == std::string::npos ? 1 : std::atoi(token.c_str() + bracket + 1));
            break;
        }
    }
    return d;
}

// `.reg .b32 %r<165>` or `.reg .b64 %SP, %SPL`.
void parse_registers(const std::string &statement, PtxBody &body) {
    size_t at = 0;
    next_token(statement, at);
    const std::string type = next_token(statement, at).substr(1);
    for (const std::string &name : split_outer_commas(statement.substr(at))) {
        body.register_bits[name.substr(0, name.find('<'))] = type == "pred" ? 1 : 8 * bytes_of_ptx_type(type);
    }
}

bool starts_with(const std::string &text, const std::string &prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

void parse_statement(const std::string &statement, PtxBody &body) {
    if (statement.empty())
        return;
    if (starts_with(statement, ".reg")) {
        parse_registers(statement, body);
    } else if (starts_with(statement, ".local")) {
        body.local_bytes += parse_variable(statement).bytes;
    } else if (starts_with(statement, ".shared")) {
        body.shared_bytes += parse_variable(statement).bytes;
    } else if (statement[0] != '.' || starts_with(statement, ".branchtargets")) {
        body.instructions.push_back(parse_instruction(statement));
    }
}

// A label at the start of `text` from `at` on: its length, or 0.
size_t label_length(const std::string &text, size_t at) {
    size_t end = at;
    while (end < text.size() && (is_word(text[end]) || text[end] == '%'))
        end++;
    const size_t name = end - at;
    while (end < text.size() && is_space(text[end]))
        end++;
    return name > 0 && end < text.size() && text[end] == ':' ? name : 0;
}

PtxBody parse_body(const std::string &name, const std::string &text) {
    PtxBody body;
    body.name = name;
    for (size_t at = 0; at < text.size();) {
        if (is_space(text[at]) || text[at] == '{' || text[at] == '}' || text[at] == ';') {
            at++;  // a brace here is a scope; those of operands are within a statement
        } else if (const size_t length = label_length(text, at)) {
            PtxInstruction label;
            label.label = text.substr(at, length);
            body.instructions.push_back(label);
            at = text.find(':', at) + 1;
        } else {
            const size_t end = std::min(text.find(';', at), text.size());
            parse_statement(trimmed(text.substr(at, end - at)), body);
            at = end + 1;
        }
    }
    return body;
}

bool mentions(const PtxBody &body, const std::string &name) {
    for (const PtxInstruction &i : body.instructions) {
        for (const std::string &operand : i.operands) {
            if (operand.find(name) != std::string::npos)
                return true;
        }
    }
    return false;
}

}  // namespace

std::string PtxInstruction::root() const { return opcode.substr(0, opcode.find('.')); }

bool PtxInstruction::has(const std::string &name) const {
    return (opcode + '.').find('.' + name + '.') != std::string::npos;
}

std::string PtxInstruction::type() const {
    const size_t dot = opcode.rfind('.');
    return dot == std::string::npos ? std::string() : opcode.substr(dot + 1);
}

int PtxBody::bits_of(const std::string &name) const {
    auto found = register_bits.find(name);
    if (found == register_bits.end()) {
        size_t digits = name.size();
        while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1])))
            digits--;
        found = register_bits.find(name.substr(0, digits));
    }
    return found == register_bits.end() ? 0 : found->second;
}

std::vector<std::string> registers_in(const std::string &operand) {
    std::vector<std::string> names;
    for (size_t at = operand.find('%'); at != std::string::npos; at = operand.find('%', at + 1)) {
        size_t end = at + 1;
        while (end < operand.size() && (is_word(operand[end]) || operand[end] == '.'))
            end++;
        names.push_back(operand.substr(at, end - at));
    }
    return names;
}

int bytes_of_ptx_type(const std::string &type) {
    if (type.find("f16x2") != std::string::npos)
        return 4;  // also bf16x2
    const size_t digit = type.find_first_of("0123456789");
    return digit == std::string::npos ? 0 : std::atoi(type.c_str() + digit) / 8;
}

std::vector<PtxBody> parse_ptx(const std::string &module) {
    const std::string text = without_comments(module);
    std::vector<PtxBody> kernels;
    std::vector<Declaration> shared;  // of the module
    for (size_t at = 0; at < text.size();) {
        if (text[at] == '{') {
            at = closing(text, at) + 1;
        } else if (starts_with(text.substr(at, 7), ".shared")) {
            const size_t end = std::min(text.find(';', at), text.size());
            shared.push_back(parse_variable(text.substr(at, end - at)));
            at = end;
        } else if (starts_with(text.substr(at, 6), ".entry")) {
            const size_t open = std::min(text.find('{', at), text.size());
            const size_t parameters = std::min(text.find('(', at), open);
            const std::string name = trimmed(text.substr(at + 6, parameters - at - 6));
            const size_t close = open < text.size() ? closing(text, open) : open;
            kernels.push_back(parse_body(name, text.substr(std::min(open + 1, text.size()), close - open - 1)));
            at = close + 1;
        } else {
            at++;
        }
    }
    for (PtxBody &kernel : kernels) {
        for (const Declaration &d : shared)
            kernel.shared_bytes += mentions(kernel, d.name) ? d.bytes : 0;
    }
    return kernels;
}

}  // namespace warptile
