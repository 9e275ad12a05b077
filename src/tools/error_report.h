// Halide's `generate_filter_main` catches every error and prints it to std::cerr, over many lines and often with its
// usage text behind. `ErrorReport` stands in front of std::cerr while it runs, lets everything through as it comes
// (debug output, warnings) and keeps the report of an error back, so that it can be said in one line.
// It is a filter on the stream, not a `CompileTimeErrorReporter`: such a reporter must not return, and would end the
// process at the first error, also at one that an autoscheduler provokes and catches while it tries schedules.
#pragma once

#include <iostream>
#include <sstream>
#include <streambuf>
#include <string>

namespace warptile {

/// Halide's report `text` without its usage text and with every run of blanks and line breaks made one space.
inline std::string one_line(const std::string &text) {
    std::istringstream words(text.substr(0, text.find("\ngengen\n")));
    std::string line, word;
    while (words >> word) {
        line += (line.empty() ? "" : " ") + word;
    }
    const std::string redundant = "Error: ";
    return line.compare(0, redundant.size(), redundant) == 0 ? line.substr(redundant.size()) : line;
}

class ErrorReport : public std::streambuf {
public:
    ErrorReport() : stderr_(std::cerr.rdbuf(this)) {}

    ErrorReport(const ErrorReport &) = delete;
    ErrorReport &operator=(const ErrorReport &) = delete;

    ~ErrorReport() override { std::cerr.rdbuf(stderr_); }

    /// The error in one line; empty where Halide reported none.
    std::string line() const { return one_line(report_); }

protected:
    /// Called for every character, since there is no buffer: each goes to the report, to stderr, or, at the start of
    /// a line that may yet be a report's first, waits in `undecided_`.
    int overflow(int c) override {
        if (c == traits_type::eof()) {
            return traits_type::not_eof(c);
        }
        if (reporting_) {
            report_.push_back(char(c));
            return c;
        }
        undecided_.push_back(char(c));
        if (undecided_ == mark) {
            reporting_ = true;
            undecided_.clear();
        } else if (!at_line_start_ || std::string(mark).compare(0, undecided_.size(), undecided_) != 0) {
            stderr_->sputn(undecided_.data(), std::streamsize(undecided_.size()));
            undecided_.clear();
            at_line_start_ = c == '\n';
        }
        return c;
    }

    int sync() override { return stderr_->pubsync(); }

private:
    static constexpr const char *mark = "Unhandled exception: ";  // how generate_filter_main starts its report

    std::streambuf *stderr_;
    std::string report_, undecided_;
    bool at_line_start_ = true, reporting_ = false;
};

}  // namespace warptile
