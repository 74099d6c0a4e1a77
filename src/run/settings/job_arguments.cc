#include "settings/job_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "options/config_file.h"
#include "settings/crawl_arguments.h"
#include "settings/job_settings.h"
#include "settings/job_signature.h"

namespace gossamer::settings {
namespace {

using options::Concern;
using options::Power;

constexpr std::array<options::Choice<store::Durability>, 3> kDurabilities = {{
    {"strict", store::Durability::strict},
    {"group", store::Durability::group},
    {"none", store::Durability::none},
}};
constexpr std::array<options::Choice<bool>, 2> kArchives = {{{"warc", true}, {"none", false}}};

// The tables are slow with less.
constexpr std::uint64_t kMemoryMin = 8 * 1024 * 1024;

// The stored settings as lines of a configuration after its roots, each table with `gap` before it.
std::string lines_of(const std::vector<options::SaidLine>& said, const std::string& command,
                     std::string_view gap, bool (*is_wanted)(const options::Option& option)) {
  std::string lines;
  std::string_view table = command;
  for (const options::SaidLine& line : said) {
    if (!line.option->is_stored()) continue;
    if (line.table != table) lines += fmt::format("{}[{}]\n", gap, table = line.table);
    if (is_wanted(*line.option)) lines += fmt::format("{} = {}\n", line.option->key, line.value);
  }
  return lines;
}

}  // namespace

void declare_job(options::Table& table, run::JobSettings& job) {
  table.group("Crawl directory");
  table.option("j,job", options::folder(job.folder),
               "store the crawl in DIR; the same command resumes it", Concern::run,
               Power::write_files);
  table.option("durability", options::choice(kDurabilities, job.durability),
               "lose at most this in a power cut: requests in flight, 1 s, more", Concern::machine,
               Power::none);
  table.option("memory", options::size(job.memory_bytes, kMemoryMin),
               "limit the memory for queues, seen URLs and hosts", Concern::machine, Power::none);
  table.option("disk-reserve", options::size(job.disk_reserve),
               "pause while the disk has less free space", Concern::machine, Power::none);
  table.option("archive", options::choice(kArchives, job.has_archive),
               "archive the responses in DIR/archive", Concern::crawl, Power::none);
  table.action("refresh", job.refreshes, "refetch the pages; then see `gossamer job changes DIR`",
               Concern::run);
  table.option("older-than", options::duration(job.older_than),
               "with `refresh`: only pages fetched at least TIME ago, such as 7d", Concern::run,
               Power::none);
  table.action("change-settings", job.changes_settings, "resume a crawl with different settings",
               Concern::run);
}

Result<options::StoredSettings> stored_settings_of(const store::JobFolder& job) {
  auto text = job.read_configuration();
  if (!text) return fail(std::move(text).error());
  std::string doubt = run::doubt_about(job.path(), *text);
  return options::StoredSettings{
      .name = job.configuration(), .text = std::move(*text), .doubt = std::move(doubt)};
}

std::optional<std::string> stored_setting(const store::JobFolder& job, std::string_view key) {
  const auto text = job.read_configuration();
  if (!text) return std::nullopt;
  auto entries = options::parse_config(*text, job.configuration(), "crawl", {});
  if (!entries) return std::nullopt;
  const auto found = std::ranges::find_if(*entries, [key](const options::ConfigEntry& entry) {
    return entry.key == key && entry.host.empty() && entry.values.size() == 1;
  });
  if (found == entries->end()) return std::nullopt;
  return std::move(found->values.front());
}

void store_settings(const options::Table& table, run::CrawlSettings& settings) {
  std::string rules;
  if (!settings.extract.empty()) {
    std::vector<std::string> texts;
    for (const std::string& rule : settings.extract) {
      base::append_json_string(texts.emplace_back(), rule);
    }
    rules = fmt::format("extract = [{}]\n", fmt::join(texts, ", "));
  }
  const options::CommandTable& declared = table.declared();
  settings.job.configuration = run::configuration_of(
      settings.roots, rules + lines_of(table.said(), declared.name, "\n",
                                       [](const options::Option&) { return true; }));
  settings.cluster.agreed = run::agreement_of(
      settings.roots,
      rules + lines_of(table.said(), declared.name, "",
                       [](const options::Option& option) { return !option.is_of_node(); }));
}

}  // namespace gossamer::settings
