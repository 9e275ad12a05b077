#include "tools/bench/reporting/page.h"

#include "tools/bench/reporting/charts.h"
#include "tools/bench/reporting/page_style.h"
#include "tools/bench/reporting/svg.h"
#include "tools/bench/text.h"

#include <algorithm>

namespace warptile::bench {
namespace {

std::string tagged(const std::string &tag, const std::string &text) {
    return "<" + tag + ">" + escaped(text) + "</" + tag + ">\n";
}

std::string cell(const std::string &text, const std::string &classes = "") {
    return "<td" + (classes.empty() ? "" : " class=\"" + classes + "\"") + ">" + escaped(text) + "</td>";
}

std::string legend(const std::vector<std::string> &drawn, const std::vector<std::string> &variants) {
    std::string html = "<div class=\"legend\">";
    for (const std::string &variant : drawn) {
        html += "<span class=\"" + colour_of(variants, variant) + "\"><i></i><b>" + escaped(variant) + "</b></span>";
    }
    return html + "</div>\n";
}

std::vector<std::string> without(std::vector<std::string> names, const std::vector<std::string> &left_out) {
    names.erase(std::remove_if(names.begin(), names.end(),
                               [&](const std::string &name) {
                                   return std::find(left_out.begin(), left_out.end(), name) != left_out.end();
                               }),
                names.end());
    return names;
}

/// Writes the page from top to bottom.
class Page {
public:
    explicit Page(const Results &results) : results_(results), all_(results.variants()) {
        // Schedulers first, so that their colours do not depend on whether the expert was run.
        variants_ = without(all_, {"expert", "none"});
        for (const char *const name : {"expert", "none"}) {
            if (std::find(all_.begin(), all_.end(), name) != all_.end()) {
                variants_.push_back(name);
            }
        }
        schedulers_ = without(variants_, {"expert", "none"});
        for (const AppResult &app : results.apps) {
            if (std::find(sizes_.begin(), sizes_.end(), app.size) == sizes_.end()) {
                sizes_.push_back(app.size);
            }
        }
    }

    std::string write() {
        html_ = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n<title>warptile-bench: " +
                escaped(results_.machine.card) + "</title>\n<style>" + page_style + "</style>\n</head>\n<body>\n";
        head();
        ratios();
        roofline();
        schedule_times();
        table();
        failures();
        kernels();
        definitions();
        return html_ + "</body>\n</html>\n";
    }

    /// The bars at the apps' own sizes, or at the first size where these are not there, with the page's style inside.
    std::string chart() const {
        std::string svg = ratio_chart(apps_of(sizes_.empty() ? "" : sizes_.front()), schedulers_, variants_);
        const size_t inside = svg.find('\n') + 1;
        return svg.insert(inside, std::string("<style>") + page_style + "svg { background: var(--paper); }</style>\n");
    }

private:
    const Results &results_;
    std::vector<std::string> all_, variants_, schedulers_, sizes_;
    std::string html_;

    std::vector<const AppResult *> apps_of(const std::string &size) const {
        std::vector<const AppResult *> apps;
        for (const AppResult &app : results_.apps) {
            if (app.size == size) {
                apps.push_back(&app);
            }
        }
        return apps;
    }

    /// One picture for each size that the apps were compiled for, under a heading where there are several.
    template<typename Draw>
    void for_each_size(const Draw &draw) {
        for (const std::string &size : sizes_) {
            if (sizes_.size() > 1) {
                html_ += tagged("h3", size.empty() ? "At the apps' own sizes" : "At " + size);
            }
            html_ += "<div class=\"scroll\">" + draw(apps_of(size)) + "</div>\n";
        }
    }

    void head() {
        html_ += tagged("h1", "Pipelines under " + std::to_string(all_.size()) + " schedules");
        html_ += "<p class=\"muted\">" + escaped(to_string(results_.machine)) + "; " + escaped(results_.date) + " UTC" +
                 (results_.size.empty() ? "" : "; output of " + escaped(results_.size)) + ".<br>" +
                 escaped(ceilings_text(results_.ceilings)) + ".</p>\n<ul>\n";
        for (const std::string &line : summary(results_)) {
            html_ += tagged("li", line);
        }
        html_ += "</ul>\n";
    }

    void ratios() {
        if (schedulers_.empty()) {
            return;
        }
        html_ += tagged("h2", "Against the expert schedule");
        html_ += tagged("p", "Each bar is a variant's time over that of the app's expert schedule, written by "
                             "hand. A cross names a variant that has no time to compare.");
        for_each_size([&](const auto &apps) { return ratio_chart(apps, schedulers_, variants_); });
    }

    void roofline() {
        html_ += tagged("h2", "Roofline");
        if (!results_.ceilings.measured()) {
            html_ += tagged("p", ceilings_text(results_.ceilings) + ".");
            return;
        }
        std::vector<std::string> drawn;
        for (const char *const name : {"WarpTile", "expert"}) {
            if (std::find(all_.begin(), all_.end(), name) != all_.end()) {
                drawn.push_back(name);
            }
        }
        drawn = drawn.empty() ? variants_ : drawn;
        html_ +=
            tagged("p", "Achieved bandwidth on compulsory traffic, under what this card was measured to copy and to "
                        "compute in the same run. A point above the memory's line worked in the cache.");
        html_ += legend(drawn, variants_);
        for_each_size([&](const auto &apps) { return roofline_chart(results_, apps, drawn, variants_); });
    }

    void schedule_times() {
        if (schedulers_.empty()) {
            return;
        }
        html_ += tagged("h2", "Time to schedule");
        html_ += tagged("p", "The generator's run without lowering, code generation and what the same pipeline takes "
                             "unscheduled. A cross is a failure, at the time it came.");
        html_ += legend(schedulers_, variants_);
        for_each_size([&](const auto &apps) { return schedule_chart(apps, schedulers_, variants_); });
    }

    void table() {
        html_ += tagged("h2", "All figures");
        html_ += "<div class=\"scroll\"><table>\n<thead><tr><th>app</th><th>variant</th><th class=\"n\">ms</th>"
                 "<th class=\"n\">spread</th><th class=\"n\">time / expert</th><th class=\"n\">share of roofline</th>"
                 "<th>agrees</th><th class=\"n\">schedule (s)</th><th>note</th></tr></thead>\n<tbody>\n";
        for (const AppResult &app : results_.apps) {
            for (const Row &row : app.rows) {
                table_row(app, row);
            }
        }
        html_ += "</tbody></table></div>\n";
    }

    void table_row(const AppResult &app, const Row &row) {
        const bool first = &row == &app.rows.front();
        const std::optional<double> share = results_.share(app, row);
        html_ += std::string("<tr") + (first ? " class=\"first\"" : "") + ">" + cell(first ? app.title() : "") +
                 cell(row.variant) + cell(row.timed() ? milliseconds(row.time()) : "–", "n") +
                 cell(row.timed() ? formatted("%.1f %%", 100 * row.spread()) : "", "n") +
                 cell(optional_number("%.3f", app.ratio(row.variant, "expert")), "n") +
                 cell(share ? formatted("%.0f %%", 100 * *share) : "–", "n") +
                 cell(agreement(row), row.agrees ? "" : "bad") +
                 cell(optional_number("%.1f", row.schedule_seconds), "n") +
                 cell(shortened(note(row), 64), row.failed_at.empty() ? "note" : "note bad") + "</tr>\n";
    }

    void failures() {
        std::string lines;
        for (const AppResult &app : results_.apps) {
            if (!app.error.empty()) {
                lines += "<tr>" + cell(app.title()) + cell("reference") + cell("run") +
                         cell(without_reference(app), "bad") + "</tr>\n";
            }
            for (const Row &row : app.rows) {
                if (!row.failed_at.empty()) {
                    lines += "<tr>" + cell(app.title()) + cell(row.variant) + cell(row.failed_at) +
                             cell(row.error, "bad") + "</tr>\n";
                }
            }
        }
        html_ += tagged("h2", "Failures");
        html_ += lines.empty() ? tagged("p", "None.")
                               : "<div class=\"scroll\"><table>\n<thead><tr><th>app</th><th>variant</th><th>at</th>"
                                 "<th>what it said</th></tr></thead>\n<tbody>\n" +
                                     lines + "</tbody></table></div>\n";
    }

    void kernels() {
        std::string lines;
        for (const AppResult &app : results_.apps) {
            for (const Row &row : app.rows) {
                for (const PlannedKernel &kernel : row.kernels) {
                    lines += "<tr>" + cell(&kernel == &row.kernels.front() ? app.title() : "") +
                             cell(kernel.writes + (kernel.stage ? ", update " + std::to_string(kernel.stage) : "")) +
                             cell(with_unit(kernel.dram_bytes, "B"), "n") + cell(with_unit(kernel.l2_bytes, "B"), "n") +
                             cell(kernel.predicted_us > 0 ? formatted("%.1f", kernel.predicted_us) : "–", "n") +
                             "</tr>\n";
                }
            }
        }
        if (!lines.empty()) {
            html_ += tagged("h2", "Kernels that WarpTile planned");
            html_ += "<details><summary>What its model expects each to move and to take</summary>\n<div "
                     "class=\"scroll\"><table>\n<thead><tr><th>app</th><th>writes</th><th class=\"n\">memory</th>"
                     "<th class=\"n\">L2 cache</th><th class=\"n\">predicted (µs)</th></tr></thead>\n<tbody>\n" +
                     lines + "</tbody></table></div></details>\n";
        }
    }

    void definitions() {
        html_ += tagged("h2", "How it was measured");
        html_ += "<ul>\n";
        for (
            const char *const line :
            {"Data stay on the device. A batch is back-to-back calls with one synchronisation at its end; variants "
             "take "
             "turns, a batch each, and every second round goes backwards; after every few rounds all get new "
             "processes. A time is the median of the batches; "
             "the spread is the slowest less the fastest, over it.",
             results_.keeps_memory ? "Device memory that a call frees is kept for the next one, of every variant."
                                   : "Device memory was left to Halide's runtime.",
             "Compulsory bytes: the inputs' needed regions read once, the outputs written once. Operations: on values, "
             "each value of each Func computed once, without index arithmetic.",
             "Share of the roofline: the longer of the time to copy as many bytes and the time for as many operations, "
             "both as measured on this card in this run, over the measured time.",
             "A variant whose result is wrong, or that ran on the host, is shown with its time and compared with "
             "nothing."}) {
            html_ += tagged("li", line);
        }
        html_ += "</ul>\n";
    }
};

}  // namespace

std::string to_html(const Results &results) { return Page(results).write(); }

std::string to_svg(const Results &results) { return Page(results).chart(); }

}  // namespace warptile::bench
