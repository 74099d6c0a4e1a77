#include "cli/job_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/choice.h"
#include "cli/crawl_arguments.h"
#include "cli/web_arguments.h"
#include "run/job_settings.h"

namespace gossamer::cli {
namespace {

constexpr std::array<Choice<store::Durability>, 3> kDurabilities = {{
    {"strict", store::Durability::strict},
    {"group", store::Durability::group},
    {"none", store::Durability::none},
}};

// Of this run alone: they are not kept.
constexpr std::array<std::string_view, 7> kOfTheRun = {
    "job", "change-settings", "input-file", "control", "refresh", "older-than", "url"};
// With less the tables are slow.
constexpr std::uint64_t kMemoryMin = 8 * 1024 * 1024;
constexpr std::string_view kOutputGroup = "What it says";

bool is_of_the_run(const SaidLine& line) {
  return std::ranges::find(kOfTheRun, line.key) != kOfTheRun.end() || line.group == kOutputGroup;
}

// Those that mean nothing without a crawl directory.
Result<void> refuse_job_flags(const run::JobSettings& job) {
  std::string_view flag;
  if (job.changes_settings) flag = "--change-settings";
  if (job.older_than > Duration::zero()) flag = "--older-than";
  if (job.refreshes) flag = "--refresh";
  if (flag.empty()) return {};
  return fail(Errc::invalid_argument,
              fmt::format("{} requires a crawl directory; add --job DIR", flag));
}

}  // namespace

void declare_job(Arguments& declared, run::JobSettings& arguments) {
  declared.group("Crawl directory");
  declared.option("-j,--job", arguments.folder, "DIR",
                  "keep everything there; the same command goes on where it ended");
  declared.option("--durability", taker_of(kDurabilities, arguments.durability),
                  "strict|group|none",
                  "what a power cut can cost: what is in flight, about a second, more [group]");
  declared.option("--memory", taker_of_size(arguments.memory_bytes), "SIZE",
                  "limit queues, seen URLs and hosts in memory [512M]");
  declared.option("--disk-reserve", taker_of_size(arguments.disk_reserve), "SIZE",
                  "pause while less than this is free [64M]");
  declared.option(
      "--archive",
      [&arguments](const std::string& text) -> std::string {
        if (text != "warc" && text != "none") return "is warc or none, not '" + text + "'";
        arguments.has_archive = text == "warc";
        return {};
      },
      "warc|none", "what came, in DIR/archive [warc]");
  declared.action(
      "--refresh", arguments.refreshes,
      "ask again for the pages that are there; `gossamer changes DIR` tells what came of it");
  declared.option("--older-than", taker_of_duration(arguments.older_than), "TIME",
                  "of these, only what was fetched so long ago: 7d [0]");
  declared.action("--change-settings", arguments.changes_settings,
                  "go on with other settings than it was begun with");
}

Result<void> settle_job(CrawlArguments& arguments) {
  const run::JobSettings& job = arguments.crawl.job;
  if (job.memory_bytes < kMemoryMin) {
    return fail(Errc::invalid_argument, "--memory is at least 8M");
  }
  arguments.output.report_bytes =
      std::min<std::uint64_t>(arguments.output.report_bytes, job.memory_bytes / 4);
  if (job.folder.empty()) return refuse_job_flags(job);
  if (job.older_than > Duration::zero() && !job.refreshes) {
    return fail(Errc::invalid_argument, "--older-than requires --refresh");
  }
  return {};
}

std::string job_text(const std::vector<SaidLine>& said, const std::vector<std::string>& roots) {
  std::string lines;
  std::string_view table = "crawl";
  for (const SaidLine& line : said) {
    if (is_of_the_run(line)) continue;
    if (line.table != table) lines += fmt::format("\n[{}]\n", table = line.table);
    lines += fmt::format("{} = {}\n", line.key, line.value);
  }
  return run::configuration_of(roots, lines);
}

}  // namespace gossamer::cli
