#include "report/findings_options.h"

#include <array>

#include "report/html_report.h"
#include "report/json_report.h"
#include "report/markdown_report.h"

namespace gossamer::report {
namespace {

struct ReportKind {
  std::string_view ending;
  ReportWriter write;
};

constexpr std::array<ReportKind, 5> kKinds = {{
    {".html", to_html},
    {".htm", to_html},
    {".json", to_json},
    {".md", to_markdown},
    {".markdown", to_markdown},
}};

}  // namespace

ReportWriter writer_for(std::string_view path) {
  for (const ReportKind& kind : kKinds) {
    if (path.size() > kind.ending.size() && path.ends_with(kind.ending)) return kind.write;
  }
  return nullptr;
}

bool is_report_name(std::string_view path) { return writer_for(path) != nullptr; }

bool is_audit_name(std::string_view path) {
  const auto has_ending = [path](std::string_view ending) {
    return path.size() > ending.size() && path.ends_with(ending);
  };
  return has_ending(".jsonl") || has_ending(".csv");
}

}  // namespace gossamer::report
