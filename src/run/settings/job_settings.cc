#include "settings/job_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "base/json.h"
#include "options/config_file.h"
#include "options/config_text.h"
#include "scope/scope_options.h"
#include "store/job_folder.h"

namespace gossamer::run {
namespace {

// The value of a setting in a configuration.
struct StoredValue {
  std::string text;  // as TOML
  bool is_secret = false;

  std::string shown() const { return is_secret ? "(not shown)" : text; }
};
using StoredValues = std::map<std::string, StoredValue>;  // by key, with the table of a host

// The option of an entry. An earlier or later version may know others: nothing is known about them.
options::Option option_of(const options::ConfigEntry& entry, const options::CommandTable& table) {
  const auto& options = entry.host.empty() ? table.options : table.host_options;
  const auto found = std::ranges::find_if(
      options, [&entry](const options::Option& option) { return option.has_key(entry.key); });
  if (found != options.end()) return *found;
  return {.key = entry.key, .use = entry.is_array ? options::Use::repeated : options::Use::single};
}

// The settings that must stay as they are.
Result<StoredValues> lasting_settings(const std::string& name, const std::string& text,
                                      const options::CommandTable& table) {
  const auto entries = options::parse_config(text, name, "crawl", {});
  if (!entries) return fail(entries.error().copy());
  StoredValues settings;
  for (const options::ConfigEntry& entry : *entries) {
    const options::Option option = option_of(entry, table);
    if (option.may_change() || entry.values.empty()) continue;
    const std::string host = entry.host.empty() ? "" : fmt::format("[host.\"{}\"] ", entry.host);
    settings[host + option.key] = {
        .text = options::stored_text(option, entry.values),
        .is_secret = std::ranges::any_of(
            entry.values, [&option](const std::string& value) { return option.hides(value); })};
  }
  return settings;
}

}  // namespace

std::size_t stored_url_bytes_max(const store::JobFolder& folder) {
  std::size_t bytes_max = crawler::ScopeOptions().url_bytes_max;
  const auto text = folder.read_configuration();
  if (!text) return bytes_max;
  const auto entries = options::parse_config(*text, folder.configuration(), "crawl", {});
  if (!entries) return bytes_max;
  for (const options::ConfigEntry& entry : *entries) {
    const bool is_wanted = entry.key == "max-url-length" && entry.host.empty();
    if (!is_wanted || entry.values.size() != 1) continue;
    const std::string& digits = entry.values.front();
    std::from_chars(digits.data(), digits.data() + digits.size(), bytes_max);
  }
  return bytes_max;
}

std::uint64_t memory_share(const JobSettings& job) noexcept {
  // For the program, its libraries, stacks, connections, and one body that needs more than a share.
  constexpr std::uint64_t kProcessBytes = 24 * 1024 * 1024;
  constexpr std::uint64_t kShares = 6;
  const std::uint64_t process = std::min(job.memory_bytes / 2, kProcessBytes);
  const std::uint64_t rest = job.memory_bytes - process;
  // What a crawl needs at least.
  const std::uint64_t findings = std::min(job.report_bytes + job.similar_bytes, rest / 8 * 7);
  return (rest - findings) / kShares;
}

std::string agreement_of(const std::vector<std::string>& roots, std::string_view lines) {
  std::vector<std::string> urls;
  for (const std::string& root : roots) base::append_json_string(urls.emplace_back(), root);
  return fmt::format("[crawl]\nurl = [{}]\n{}", fmt::join(urls, ", "), lines);
}

std::string configuration_of(const std::vector<std::string>& roots, std::string_view lines) {
  return fmt::format(
      "# The settings of this crawl. `gossamer resume` continues it.\n"
      "# format {}\n\n{}",
      store::JobFolder::kFormat, agreement_of(roots, lines));
}

Result<std::vector<SettingChange>> differences(const std::string& name, const std::string& kept,
                                               const std::string& wanted,
                                               const options::CommandTable& table) {
  const auto before = lasting_settings(name, kept, table);
  if (!before) return fail(before.error().copy());
  const auto now = lasting_settings("the new settings", wanted, table);
  if (!now) return fail(now.error().copy());
  std::vector<SettingChange> changes;
  for (const auto& [key, value] : *before) {
    const auto found = now->find(key);
    if (found == now->end()) {
      changes.push_back({key, fmt::format("{} was {}", key, value.shown())});
    } else if (value.text != found->second.text) {
      changes.push_back(
          {key, fmt::format("{} was {} and is now {}", key, value.shown(), found->second.shown())});
    }
  }
  for (const auto& [key, value] : *now) {
    if (before->contains(key)) continue;
    changes.push_back({key, fmt::format("{} is new: {}", key, value.shown())});
  }
  return changes;
}

}  // namespace gossamer::run
