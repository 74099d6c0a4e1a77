#include "run/job_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string_view>

#include "base/json.h"
#include "base/number.h"
#include "base/time.h"
#include "store/job_folder.h"

namespace gossamer::run {
namespace {

// These may change from run to run; the crawl stays the same.
constexpr std::array kFree = std::to_array<std::string_view>(
    {"threads",         "limit",       "quota",         "max-time",
     "concurrency",     "durability",  "memory",        "disk-reserve",
     "load-cookies",    "cookie-jar",  "loop",          "host-concurrency",
     "max-outage",      "max-wait",    "cluster-lease", "cluster",
     "cluster-cacert",  "rate",        "delay",         "timeout",
     "connect-timeout", "dns-timeout", "read-timeout",  "min-rate",
     "max-tries"});

// The settings by table and key, without comments.
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
    if (may_change(key)) continue;
    settings[table == "[crawl]" ? key : table + " " + key] = line.substr(end + 3);
  }
  return settings;
}

// Earlier versions stored a time or a size as the user had typed it.
bool mean_the_same(std::string_view kept, std::string_view wanted) {
  if (kept == wanted) return true;
  const auto unquoted = [](std::string_view text) {
    return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
  };
  kept = unquoted(kept);
  wanted = unquoted(wanted);
  const auto size = base::parse_size(kept);
  if (size && size == base::parse_size(wanted)) return true;
  const auto time = base::parse_seconds(kept);
  const auto wanted_time = base::parse_seconds(wanted);
  return time && wanted_time && *time == *wanted_time;
}

// Passwords, cookies and other secrets must not appear on terminals and in logs.
std::string shown(const std::string& key, const std::string& value) {
  if (is_secret(key)) return "(not shown)";
  return value.find('@') == std::string::npos ? value : "(not shown)";
}

}  // namespace

bool may_change(std::string_view key) noexcept {
  return std::ranges::find(kFree, key) != kFree.end();
}

bool is_secret(std::string_view key) noexcept {
  if (key == "user-agent") return false;
  constexpr std::array<std::string_view, 9> kWords = {
      "password", "secret", "token", "header", "cookie", "user", "login", "proxy", "netrc"};
  return std::ranges::any_of(kWords, [key](std::string_view word) { return key.contains(word); });
}

std::uint64_t memory_share(std::uint64_t memory_bytes) noexcept {
  // For the program, its libraries, stacks, connections, and one body that needs more than a share.
  constexpr std::uint64_t kProcessBytes = 24 * 1024 * 1024;
  constexpr std::uint64_t kShares = 6;
  return (memory_bytes - std::min(memory_bytes / 2, kProcessBytes)) / kShares;
}

std::string configuration_of(const std::vector<std::string>& roots, std::string_view lines) {
  std::vector<std::string> urls;
  for (const std::string& root : roots) base::append_json_string(urls.emplace_back(), root);
  return fmt::format(
      "# The settings of this crawl. `gossamer resume` continues it.\n"
      "# format {}\n\n[crawl]\nurl = [{}]\n{}",
      store::JobFolder::kFormat, fmt::join(urls, ", "), lines);
}

std::vector<SettingChange> differences(const std::string& kept, const std::string& wanted) {
  const auto before = settings_in(kept);
  const auto now = settings_in(wanted);
  std::vector<SettingChange> changes;
  for (const auto& [key, value] : before) {
    const auto found = now.find(key);
    if (found == now.end()) {
      changes.push_back({key, fmt::format("{} was {}", key, shown(key, value))});
    } else if (!mean_the_same(value, found->second)) {
      changes.push_back({key, fmt::format("{} was {} and is now {}", key, shown(key, value),
                                          shown(key, found->second))});
    }
  }
  for (const auto& [key, value] : now) {
    if (before.contains(key)) continue;
    changes.push_back({key, fmt::format("{} is new: {}", key, shown(key, value))});
  }
  return changes;
}

}  // namespace gossamer::run
