#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/collector.h"
#include "report/report.h"
#include "url/url.h"

namespace gossamer::report {

// The files with the findings of a crawl, and the questions about it.
struct FindingsOptions {
  std::vector<std::string> report_files = {};
  std::size_t report_bytes = Collector::kMemoryBytes;  // memory limit of a report
  std::vector<url::Url> why = {};                      // URLs to explain
  std::string audit_file = {};  // one line per fault of the site audit; empty: none

  bool is_wanted() const noexcept {
    return !report_files.empty() || !why.empty() || !audit_file.empty();
  }
};

// True if a report can be written with this extension: .html, .json, .md.
bool is_report_name(std::string_view path);
// True if an audit can be written with this extension: .jsonl, .csv.
bool is_audit_name(std::string_view path);

using ReportWriter = std::string (*)(const Report& report);
// Returns the writer for this extension. nullptr: no report has it.
ReportWriter writer_for(std::string_view path);

}  // namespace gossamer::report
