#include "cli/job_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "cli/crawl_arguments.h"
#include "run/job_settings.h"
#include "run/job_signature.h"

namespace gossamer::cli {
namespace {

using options::Power;

constexpr std::array<options::Choice<store::Durability>, 3> kDurabilities = {{
    {"strict", store::Durability::strict},
    {"group", store::Durability::group},
    {"none", store::Durability::none},
}};
constexpr std::array<options::Choice<bool>, 2> kArchives = {{{"warc", true}, {"none", false}}};

// These settings apply to one run and are not stored, or are stored in another way.
constexpr std::array<std::string_view, 10> kOfTheRun = {
    "job",     "change-settings", "input-file",           "control", "refresh", "older-than", "url",
    "extract", "extract-file",    "cluster-password-file"};
// The tables are slow with less.
constexpr std::uint64_t kMemoryMin = 8 * 1024 * 1024;
constexpr std::string_view kOutputGroup = "Output";

bool is_of_the_run(const options::SaidLine& line) {
  return std::ranges::find(kOfTheRun, line.key) != kOfTheRun.end() || line.group == kOutputGroup;
}

// Rejects options that require a crawl directory if there is none.
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

void declare_job(options::Table& table, run::JobSettings& job) {
  table.group("Crawl directory");
  table.option("-j,--job", options::folder(job.folder),
               "store the crawl in DIR; the same command resumes it", Power::write_files);
  table.option("--durability", options::choice(kDurabilities, job.durability),
               "lose at most this in a power cut: requests in flight, 1 s, more", Power::none);
  table.option("--memory", options::size(job.memory_bytes, kMemoryMin),
               "limit the memory for queues, seen URLs and hosts", Power::none);
  table.option("--disk-reserve", options::size(job.disk_reserve),
               "pause while the disk has less free space", Power::none);
  table.option("--archive", options::choice(kArchives, job.has_archive),
               "archive the responses in DIR/archive", Power::none);
  table.action("--refresh", job.refreshes,
               "refetch the pages; then see `gossamer job changes DIR`");
  table.option("--older-than", options::duration(job.older_than),
               "with --refresh: only pages fetched at least TIME ago, such as 7d", Power::none);
  table.action("--change-settings", job.changes_settings, "resume a crawl with different settings");
}

Result<void> settle_job(CrawlArguments& arguments) {
  const run::JobSettings& job = arguments.crawl.job;
  arguments.output.findings.report_bytes =
      std::min<std::uint64_t>(arguments.output.findings.report_bytes, job.memory_bytes / 4);
  if (job.folder.empty()) return refuse_job_flags(job);
  if (job.older_than > Duration::zero() && !job.refreshes) {
    return fail(Errc::invalid_argument, "--older-than requires --refresh");
  }
  return {};
}

Result<options::StoredSettings> stored_settings_of(const store::JobFolder& job) {
  auto text = job.read_configuration();
  if (!text) return fail(std::move(text).error());
  std::string doubt = run::doubt_about(job.path(), *text);
  return options::StoredSettings{
      .name = job.configuration(), .text = std::move(*text), .doubt = std::move(doubt)};
}

std::string job_text(const std::vector<options::SaidLine>& said,
                     const std::vector<std::string>& roots,
                     const std::vector<std::string>& extract) {
  std::string lines;
  if (!extract.empty()) {
    std::vector<std::string> rules;
    for (const std::string& rule : extract) base::append_json_string(rules.emplace_back(), rule);
    lines = fmt::format("extract = [{}]\n", fmt::join(rules, ", "));
  }
  std::string_view table = "crawl";
  for (const options::SaidLine& line : said) {
    if (is_of_the_run(line)) continue;
    if (line.table != table) lines += fmt::format("\n[{}]\n", table = line.table);
    lines += fmt::format("{} = {}\n", line.key, line.value);
  }
  return run::configuration_of(roots, lines);
}

}  // namespace gossamer::cli
