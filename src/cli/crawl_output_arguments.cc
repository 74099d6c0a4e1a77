#include "cli/crawl_output_arguments.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/edit_distance.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/crawl_findings.h"
#include "cli/standard_output.h"
#include "crawl/page/record_fields.h"

namespace gossamer::cli {
namespace {

constexpr std::array<Choice<crawler::CrawlFormat>, 4> kFormats = {{
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

void declare_output(Arguments& declared, OutputWords& words, CrawlArguments& arguments) {
  CrawlOutputOptions& output = arguments.output;
  declared.group("What it says");
  declared.option("-o,--output", output.results_file, "FILE", "results go there [stdout]");
  declared.option(
      "--format",
      [&words, take = taker_of(kFormats, output.format)](const std::string& text) mutable {
        words.has_format = true;
        return take(text);
      },
      "jsonl|csv|text|urls", "of the results; text on a terminal [jsonl]");
  declared.repeated(
      "--fields", [&output](const std::string& list) { return take_fields(list, output.fields); },
      "LIST", "only these, in this order: url,status,title");
  declared.action("--list-fields", words.lists_fields, "show which fields there are");
  declared.option("--skipped", output.skipped_file, "FILE",
                  "write there what was not asked for, and why");
  declared.repeated("--report", taker_of_report(output.report_files), "FILE",
                    "write a report: .html for people, .json for machines, .md for pull requests");
  declared.repeated("--why", taker_of_why(output.why), "URL",
                    "say at the end why this was fetched, or was not");
  declared.flag("-q,--quiet", arguments.is_quiet, "no progress, no summary, only errors");
  declared.counted_flag("-v,--verbose", arguments.verbosity, "say more; twice: still more");
  declared.flag("--no-progress", words.no_progress, "no progress while it runs");
  declared.option("--log-file", arguments.log_file, "FILE", "the log goes there [stderr]");
  declared.option("--control", arguments.crawl.control_socket, "SOCKET",
                  "can be looked into and steered there while it runs: gossamer top SOCKET");
}

std::optional<int> list_fields(const OutputWords& words) {
  if (!words.lists_fields) return std::nullopt;
  for (const crawler::RecordField& field : crawler::record_fields()) {
    print_out("{:<16} {:<14} {}\n", field.name, crawler::describe(field.kind), field.meaning);
  }
  return kOk;
}

Result<void> settle_output(const OutputWords& words, CrawlArguments& arguments) {
  CrawlOutputOptions& output = arguments.output;
  if (output.format == crawler::CrawlFormat::urls && !output.fields.empty()) {
    return fail(Errc::invalid_argument,
                "--format urls has no --fields: it is URLs and nothing else");
  }
  const bool is_for_terminal =
      (output.results_file.empty() || output.results_file == "-") && isatty(STDOUT_FILENO) != 0;
  if (!words.has_format && is_for_terminal) {
    output.format = arguments.crawl.job.folder.empty() ? crawler::CrawlFormat::text
                                                       : crawler::CrawlFormat::none;
  }
  output.has_progress = !words.no_progress && !arguments.is_quiet;
  output.has_report = !arguments.is_quiet;
  return {};
}

}  // namespace gossamer::cli
