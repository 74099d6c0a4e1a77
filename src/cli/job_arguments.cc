#include "cli/job_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "cli/choice.h"
#include "cli/crawl_arguments.h"
#include "cli/web_arguments.h"
#include "store/job_folder.h"

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
// They may change from run to run without making another crawl of it.
constexpr std::array<std::string_view, 14> kFree = {
    "threads",    "limit",        "quota",        "max-time",   "concurrency", "durability",
    "memory",     "disk-reserve", "load-cookies", "cookie-jar", "loop",        "host-concurrency",
    "max-outage", "max-wait"};
// With less the tables are slow.
constexpr std::uint64_t kMemoryMin = 8 * 1024 * 1024;
constexpr std::string_view kOutputGroup = "What it says";

bool is_of_the_run(const SaidLine& line) {
  return std::ranges::find(kOfTheRun, line.key) != kOfTheRun.end() || line.group == kOutputGroup;
}

// Those that mean nothing without a crawl directory.
Result<void> refuse_job_flags(const JobArguments& job) {
  std::string_view flag;
  if (job.changes_settings) flag = "--change-settings";
  if (job.older_than > Duration::zero()) flag = "--older-than";
  if (job.refreshes) flag = "--refresh";
  if (flag.empty()) return {};
  return fail(Errc::invalid_argument,
              fmt::format("{} requires a crawl directory; add --job DIR", flag));
}

// The lines that say something, by table and key.
std::map<std::string, std::string> settings_in(const std::string& text) {
  std::map<std::string, std::string> settings;
  std::string table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[') {
      table = line;
      continue;
    }
    const std::size_t end = line.find(" = ");
    if (end == std::string::npos) continue;
    const std::string key = line.substr(0, end);
    if (std::ranges::find(kFree, key) != kFree.end()) continue;
    settings[table == "[crawl]" ? key : table + " " + key] = line.substr(end + 3);
  }
  return settings;
}

}  // namespace

void declare_job(Arguments& declared, JobArguments& arguments) {
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
  JobArguments& job = arguments.job;
  if (job.memory_bytes < kMemoryMin) {
    return fail(Errc::invalid_argument, "--memory is at least 8M");
  }
  const std::uint64_t quarter = job.memory_bytes / 4;
  const std::uint64_t for_hosts = job.folder.empty() ? job.memory_bytes : quarter;
  arguments.crawl.host_bytes_max = for_hosts / std::max<std::uint64_t>(1, arguments.threads);
  arguments.output.report_bytes = std::min<std::uint64_t>(arguments.output.report_bytes, quarter);
  if (job.folder.empty()) return refuse_job_flags(job);
  if (job.older_than > Duration::zero() && !job.refreshes) {
    return fail(Errc::invalid_argument, "--older-than requires --refresh");
  }
  while (job.folder.size() > 1 && job.folder.ends_with('/')) job.folder.pop_back();
  arguments.crawl.keeps_validators = true;
  if (job.has_archive && arguments.archive.file.empty()) {
    arguments.archive.file = job.folder + "/archive/crawl";
  }
  return {};
}

std::string job_text(const JobArguments& arguments, const std::vector<std::string>& roots) {
  std::string text = fmt::format(
      "# A crawl of Gossamer: what it was begun with. `gossamer resume` goes on with it.\n"
      "# format {}\n\n[crawl]\n",
      store::JobFolder::kFormat);
  std::vector<std::string> urls;
  for (const std::string& root : roots) base::append_json_string(urls.emplace_back(), root);
  text += fmt::format("url = [{}]\n", fmt::join(urls, ", "));
  std::string_view table = "crawl";
  for (const SaidLine& line : arguments.said) {
    if (is_of_the_run(line)) continue;
    if (line.table != table) text += fmt::format("\n[{}]\n", table = line.table);
    text += fmt::format("{} = {}\n", line.key, line.value);
  }
  return text;
}

namespace {

// Passwords, cookies and the like are not for terminals and logs.
std::string shown(const std::string& key, const std::string& value) {
  for (const std::string_view word :
       {"password", "secret", "token", "header", "cookie", "user", "login", "proxy", "netrc"}) {
    if (key.find(word) != std::string::npos) return "(not shown)";
  }
  return value.find('@') == std::string::npos ? value : "(not shown)";
}

}  // namespace

std::vector<std::string> differences(const std::string& kept, const std::string& asked) {
  const auto before = settings_in(kept);
  const auto now = settings_in(asked);
  std::vector<std::string> lines;
  for (const auto& [key, value] : before) {
    const auto found = now.find(key);
    if (found == now.end()) lines.push_back(fmt::format("{} was {}", key, shown(key, value)));
    if (found != now.end() && found->second != value) {
      lines.push_back(fmt::format("{} was {} and is now {}", key, shown(key, value),
                                  shown(key, found->second)));
    }
  }
  for (const auto& [key, value] : now) {
    if (!before.contains(key))
      lines.push_back(fmt::format("{} is new: {}", key, shown(key, value)));
  }
  return lines;
}

}  // namespace gossamer::cli
