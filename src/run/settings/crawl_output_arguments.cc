#include "settings/crawl_output_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/edit_distance.h"
#include "content/extractor.h"
#include "engine/setup/options.h"
#include "record/record_fields.h"
#include "report/findings_options.h"
#include "settings/extract_rules.h"
#include "settings/metrics_address.h"

namespace gossamer::settings {
namespace {

using options::Concern;
using options::Power;

constexpr std::array<options::Choice<crawler::CrawlFormat>, 4> kCrawlFormats = {{
    {"jsonl", crawler::CrawlFormat::jsonl},
    {"csv", crawler::CrawlFormat::csv},
    {"text", crawler::CrawlFormat::text},
    {"urls", crawler::CrawlFormat::urls},
}};

constexpr std::array<options::Choice<LogFormat>, 2> kLogFormats = {
    {{"text", LogFormat::text}, {"json", LogFormat::json}}};

std::string about_field(const std::string& name) {
  std::vector<std::string_view> names = {"timings", crawler::kMetadataField};
  for (const crawler::RecordField& field : crawler::record_fields()) names.push_back(field.name);
  const std::string_view near = base::nearest(name, names);
  std::string problem = "unknown field '" + name + "'";
  if (near.empty()) return problem + "; `gossamer crawl --list-fields` lists all";
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

std::string add_content(const std::string& name, crawler::Settings& settings) {
  const std::array<options::Choice<bool*>, 2> kinds = {
      {{"text", &settings.keeps_text}, {"markdown", &settings.keeps_markdown}}};
  bool* kind = nullptr;
  std::string problem = options::take_choice(name, kinds, kind);
  if (kind != nullptr) *kind = true;
  return problem;
}

// Reads the files with rules, and compares `fields` with all of them.
Result<void> complete_extract(CrawlArguments& arguments) {
  std::vector<std::string>& rules = arguments.crawl.extract;
  for (const std::string& path : arguments.extract_files) {
    if (auto read = read_extract_file(path, rules); !read) return read;
  }
  if (rules.empty() && !arguments.crawl.items.empty()) {
    return fail(Errc::invalid_argument, "`items` requires `extract`");
  }
  const auto names = content::extracted_names(rules);
  if (!names) return fail(Errc::invalid_argument, std::string(names.error().detail()));
  for (const crawler::ChosenField& field : arguments.output.fields) {
    const std::string_view name = field.field->name;
    const bool is_missing = (name == "text" && !arguments.crawl.keeps_text) ||
                            (name == "markdown" && !arguments.crawl.keeps_markdown);
    if (is_missing) {
      return fail(Errc::invalid_argument, fmt::format("`fields` {0} requires `content` {0}", name));
    }
    if (name.starts_with("metadata.") && !arguments.crawl.keeps_metadata) {
      return fail(Errc::invalid_argument, fmt::format("`fields` {} requires `metadata`", name));
    }
    if (name == "similar_to" && !arguments.crawl.finds_similar) {
      return fail(Errc::invalid_argument, "`fields` similar_to requires `similar`");
    }
    if (name == crawler::kLinksField) arguments.crawl.keeps_links = true;
    if (name == crawler::kHeadersField) arguments.crawl.keeps_heads = true;
    if (name != crawler::kExtractedField) continue;
    if (names->empty()) {
      return fail(Errc::invalid_argument, "`fields` extracted requires `extract`");
    }
    if (!field.member.empty() && std::ranges::count(*names, field.member) == 0) {
      return fail(Errc::invalid_argument,
                  fmt::format("`fields` {}: `extract` has no field of this name", field.name()));
    }
  }
  return {};
}

// They are part of what a crawl directory stores.
void declare_contents(options::Table& table, CrawlArguments& arguments) {
  table.group("Contents");
  table.repeated("extract", extract_value(arguments.crawl.extract),
                 "add fields by CSS or XPath: 'title=h1; next=a.next@href'", Concern::gathered,
                 Power::none);
  table.repeated("extract-file", options::files(arguments.extract_files), kExtractFileHelp,
                 Concern::run, Power::read_files);
  table.option("items", items_value(arguments.crawl.items), kItemsHelp, Concern::crawl,
               Power::none);
  const auto take_content = [&crawl = arguments.crawl](const std::string& name) {
    return add_content(name, crawl);
  };
  options::Value content = options::custom("text|markdown", take_content);
  content.choices = {"text", "markdown"};
  table.repeated("content", std::move(content),
                 "add the main text of pages as a field: text or markdown", Concern::crawl,
                 Power::none);
  table.flag("metadata", arguments.crawl.keeps_metadata,
             "add what pages state about themselves: language, dates, JSON-LD", Concern::crawl,
             Power::none);
  table.flag("similar", arguments.crawl.finds_similar,
             "find pages whose main text is nearly the same: field similar_to", Concern::crawl,
             Power::none);
}

// Fields and texts that are neither written nor stored would be lost.
Result<void> check_contents(const CrawlArguments& arguments) {
  const CrawlOutputOptions& output = arguments.output;
  const bool has_content = arguments.crawl.keeps_text || arguments.crawl.keeps_markdown;
  const bool has_fields = !arguments.crawl.extract.empty();
  const bool is_similar_lost =
      arguments.crawl.finds_similar && output.findings.report_files.empty();
  if (!arguments.crawl.job.folder.empty() || !output.fields.empty()) return {};
  if (has_content && output.format == crawler::CrawlFormat::csv) {
    return fail(Errc::invalid_argument,
                "`format` csv has no texts; add `fields` url,text or use `format` jsonl");
  }
  const bool is_short =
      output.format == crawler::CrawlFormat::text || output.format == crawler::CrawlFormat::urls;
  std::string_view option = is_similar_lost ? "`similar`" : "";
  if (has_content) option = "`content`";
  if (arguments.crawl.keeps_metadata && output.findings.report_files.empty()) option = "`metadata`";
  if (has_fields) option = "`extract`";
  if (!is_short || option.empty()) return {};
  return fail(Errc::invalid_argument,
              fmt::format("{} requires `format` jsonl, `fields` or `job`", option));
}

}  // namespace

options::Value report_value(std::vector<std::string>& into) {
  const auto take = [&into](const std::string& path) -> std::string {
    if (!report::is_report_name(path)) {
      return "expected a file name that ends in .html, .json or .md, not '" + path + "'";
    }
    into.push_back(path);
    return {};
  };
  options::Value value = options::custom("FILE", take);
  value.kind = options::Kind::file;
  return value;
}

namespace {

options::Value audit_value(std::string& into) {
  const auto take = [&into](const std::string& path) -> std::string {
    if (!report::is_audit_name(path)) {
      return "expected a file name that ends in .jsonl or .csv, not '" + path + "'";
    }
    into = path;
    return {};
  };
  options::Value value = options::custom("FILE", take);
  value.kind = options::Kind::file;
  return value;
}

options::Value metrics_value(std::optional<async::Endpoint>& into) {
  return options::custom("ADDRESS", [&into](const std::string& text) -> std::string {
    auto address = run::parse_metrics_address(text);
    if (!address) return std::string(address.error().detail());
    into = *address;
    return {};
  });
}

}  // namespace

options::Value why_value(std::vector<url::Url>& into) {
  return options::custom("URL", [&into](const std::string& text) -> std::string {
    auto url = crawler::parse_root(text);
    if (!url) return std::string(url.error().detail());
    into.push_back(std::move(*url));
    return {};
  });
}

options::Value fields_value(crawler::FieldChoice& into) {
  return options::custom("LIST",
                         [&into](const std::string& list) { return take_fields(list, into); });
}

void declare_output(options::Table& table, CrawlArguments& arguments) {
  declare_contents(table, arguments);
  CrawlOutputOptions& output = arguments.output;
  table.group("Output");
  table
      .option("o,output", options::file(output.results_file), "write the results to FILE",
              Concern::output, Power::write_files)
      .unset = "stdout";
  table.option("format", options::choice(kCrawlFormats, output.format),
               "set the format of the results; on a terminal: text", Concern::output, Power::none);
  table.repeated("fields", fields_value(output.fields),
                 "write only these fields, in this order: url,status,title", Concern::output,
                 Power::none);
  table.action("list-fields", output.lists_fields, "list the fields and exit");
  table.option("skipped", options::file(output.skipped_file),
               "write skipped URLs and the reasons to FILE", Concern::output, Power::write_files);
  table.repeated("report", report_value(output.findings.report_files),
                 "write a report; the extension selects HTML, JSON or Markdown", Concern::output,
                 Power::write_files);
  table.option("audit", audit_value(output.findings.audit_file),
               "write faults of pages, such as missing titles; adds `metadata`", Concern::output,
               Power::write_files);
  table.repeated("why", why_value(output.findings.why),
                 "explain at the end why URL was or was not fetched", Concern::output, Power::none);
  table.flag("q,quiet", arguments.is_quiet, "print only errors, no progress or summary",
             Concern::output, Power::none);
  table.counted_flag("v,verbose", arguments.verbosity, "log more; -vv: even more", Concern::output,
                     Power::none);
  table.negation("no-progress", output.has_progress, "do not show progress", Concern::output,
                 Power::none);
  table
      .option("log-file", options::file(arguments.log_file), "write the log to FILE",
              Concern::output, Power::write_files)
      .unset = "stderr";
  table.option("log-format", options::choice(kLogFormats, arguments.log_format),
               "set the format of a log in a file", Concern::output, Power::none);
  table.option("control", options::text(arguments.crawl.control_socket, "SOCKET"),
               "let `gossamer top SOCKET` watch and steer the crawl", Concern::run,
               Power::write_files);
  table.option("metrics", metrics_value(arguments.crawl.metrics),
               "let Prometheus read the numbers of the crawl at this port or IP:PORT", Concern::run,
               Power::send);
}

namespace {

// Chooses the format if the user has not: by the extension of the file, or as the place requires.
void choose_format(CrawlArguments& arguments) {
  CrawlOutputOptions& output = arguments.output;
  const bool is_stdout = output.results_file.empty() || output.results_file == "-";
  if (output.results_file.ends_with(".csv")) output.format = crawler::CrawlFormat::csv;
  // The crawl directory has the records.
  const bool is_stored = !arguments.crawl.job.folder.empty() && output.fields.empty();
  if (output.results_file.empty() && is_stored) output.format = crawler::CrawlFormat::none;
  if (!is_stdout || !output.is_on_terminal || !arguments.crawl.job.folder.empty()) return;
  const bool has_contents = !arguments.crawl.extract.empty() || arguments.crawl.keeps_text ||
                            arguments.crawl.keeps_markdown || arguments.crawl.keeps_metadata ||
                            (arguments.crawl.finds_similar && output.findings.report_files.empty());
  if (!has_contents || !output.fields.empty()) output.format = crawler::CrawlFormat::text;
}

}  // namespace

Result<void> complete_output(const options::Table& table, CrawlArguments& arguments) {
  CrawlOutputOptions& output = arguments.output;
  if (output.format == crawler::CrawlFormat::urls && !output.fields.empty()) {
    return fail(Errc::invalid_argument,
                "`fields` does not work with `format` urls, which prints only URLs");
  }
  if (auto read = complete_extract(arguments); !read) return read;
  if (!table.says("format")) choose_format(arguments);
  if (auto good = check_contents(arguments); !good) return good;
  if (!output.findings.audit_file.empty()) arguments.crawl.keeps_metadata = true;
  output.has_progress = output.has_progress && !arguments.is_quiet;
  output.has_report = !arguments.is_quiet;
  report::FindingsOptions& findings = output.findings;
  run::JobSettings& job = arguments.crawl.job;
  findings.report_bytes = std::min<std::uint64_t>(findings.report_bytes, job.memory_bytes / 4);
  if (findings.is_wanted()) job.report_bytes = findings.report_bytes;
  return {};
}

}  // namespace gossamer::settings
