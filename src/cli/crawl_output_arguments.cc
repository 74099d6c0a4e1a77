#include "cli/crawl_output_arguments.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/edit_distance.h"
#include "cli/command.h"
#include "crawl/options.h"
#include "crawl/page/record_fields.h"
#include "exports/crawl_findings.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::array<options::Choice<crawler::CrawlFormat>, 4> kCrawlFormats = {{
    {"jsonl", crawler::CrawlFormat::jsonl},
    {"csv", crawler::CrawlFormat::csv},
    {"text", crawler::CrawlFormat::text},
    {"urls", crawler::CrawlFormat::urls},
}};

std::string about_field(const std::string& name) {
  std::vector<std::string_view> names = {"timings"};
  for (const crawler::RecordField& field : crawler::record_fields()) names.push_back(field.name);
  const std::string_view near = base::nearest(name, names);
  std::string problem = "there is no field '" + name + "'";
  if (near.empty()) return problem + "; --list-fields shows all";
  return problem + "; did you mean " + std::string(near) + "?";
}

std::string take_fields(const std::string& list, crawler::FieldChoice& into) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string name = list.substr(at, end - at);
    if (!crawler::choose_field(name, into)) return about_field(name);
    at = end + 1;
  }
  return {};
}

}  // namespace

options::Value report_value(std::vector<std::string>& into) {
  const auto take = [&into](const std::string& path) -> std::string {
    if (!exports::is_report_name(path)) {
      return "takes a file that ends in .html, .json or .md, not '" + path + "'";
    }
    into.push_back(path);
    return {};
  };
  options::Value value = options::custom("FILE", take);
  value.kind = options::Kind::file;
  return value;
}

options::Value why_value(std::vector<url::Url>& into) {
  return options::custom("URL", [&into](const std::string& text) -> std::string {
    auto url = crawler::parse_root(text);
    if (!url) return std::string(url.error().detail());
    into.push_back(std::move(*url));
    return {};
  });
}

void declare_output(options::Table& table, CrawlArguments& arguments) {
  CrawlOutputOptions& output = arguments.output;
  table.group("What it says");
  table.option("-o,--output", options::file(output.results_file), "write the results there").unset =
      "stdout";
  table.option("--format", options::choice(kCrawlFormats, output.format),
               "of the results; text on a terminal");
  const auto take = [&output](const std::string& list) { return take_fields(list, output.fields); };
  table.repeated("--fields", options::custom("LIST", take),
                 "only these, in this order: url,status,title");
  table.action("--list-fields", output.lists_fields, "show which fields there are");
  table.option("--skipped", options::file(output.skipped_file),
               "write there which URLs were skipped, and why");
  table.repeated("--report", report_value(output.findings.report_files),
                 "write a report: .html for people, .json for machines, .md for pull requests");
  table.repeated("--why", why_value(output.findings.why),
                 "say at the end why this URL was fetched, or was not");
  table.flag("-q,--quiet", arguments.is_quiet, "no progress, no summary, only errors");
  table.counted_flag("-v,--verbose", arguments.verbosity, "say more; twice: still more");
  table.negation("--no-progress", output.has_progress, "no progress while it runs");
  table.option("--log-file", options::file(arguments.log_file), "write the log there").unset =
      "stderr";
  table.option("--control", options::text(arguments.crawl.control_socket, "SOCKET"),
               "let `gossamer top SOCKET` watch and steer the crawl");
}

void list_fields() {
  for (const crawler::RecordField& field : crawler::record_fields()) {
    terminal::print_out("{:<16} {:<14} {}\n", field.name, crawler::describe(field.kind),
                        field.meaning);
  }
}

Result<void> settle_output(const options::Table& table, CrawlArguments& arguments) {
  CrawlOutputOptions& output = arguments.output;
  if (output.format == crawler::CrawlFormat::urls && !output.fields.empty()) {
    return fail(Errc::invalid_argument,
                "--format urls has no --fields: it is URLs and nothing else");
  }
  const bool is_for_terminal =
      (output.results_file.empty() || output.results_file == "-") && isatty(STDOUT_FILENO) != 0;
  if (!table.says("format") && is_for_terminal) {
    output.format = arguments.crawl.job.folder.empty() ? crawler::CrawlFormat::text
                                                       : crawler::CrawlFormat::none;
  }
  output.has_progress = output.has_progress && !arguments.is_quiet;
  output.has_report = !arguments.is_quiet;
  return {};
}

}  // namespace gossamer::cli
