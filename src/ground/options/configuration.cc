#include "options/configuration.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/edit_distance.h"
#include "options/config_file.h"

namespace gossamer::options {
namespace {

constexpr std::string_view kPrefix = "GOSSAMER_";

// Returns nothing if the file does not exist.
Result<std::optional<std::string>> content_of(const std::string& path, bool must_exist) {
  std::error_code ignored;
  if (!must_exist && !std::filesystem::exists(path, ignored)) return std::optional<std::string>();
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(Errc::invalid_argument, cannot_read(path));
  if (std::filesystem::is_directory(path, ignored)) {
    return fail(Errc::invalid_argument, "cannot read " + path + ": it is a folder");
  }
  std::string text(kConfigBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return fail(Errc::invalid_argument, cannot_read(path));
  if (text.size() > kConfigBytesMax) {
    return fail(Errc::invalid_argument, path + ": this configuration file is too long");
  }
  return std::optional<std::string>(std::move(text));
}

// "crawl", or "host."example.com"".
std::string table_of(const ConfigEntry& entry, std::string_view command) {
  return entry.host.empty() ? std::string(command) : fmt::format("host.\"{}\"", entry.host);
}

std::string about_key(const ConfigEntry& entry, std::string_view command,
                      std::span<const Option> options) {
  std::vector<std::string_view> keys;
  for (const Option& option : options) {
    if (!option.key.empty()) keys.push_back(option.key);
  }
  const std::string_view near = base::nearest(entry.key, keys);
  std::string problem =
      fmt::format("unknown key '{}' in [{}]", entry.key, table_of(entry, command));
  if (!near.empty()) problem += fmt::format("; did you mean {}?", near);
  return problem;
}

// Returns what is wrong with the entry, if anything.
std::string check_shape(const ConfigEntry& entry, const Option& option) {
  if (entry.is_table && option.kind != Kind::pair) {
    return fmt::format("{}: expected a text, a number, true, false or a list of these", entry.key);
  }
  if (entry.is_table || !entry.is_array || option.takes_many()) return {};
  return fmt::format("{}: expected one value, not a list", entry.key);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::string environment_name(std::string_view key) {
  std::string name(kPrefix);
  for (const char c : key) {
    name += c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return name;
}

ConfigWorld ConfigWorld::of_this_process() {
  ConfigWorld world;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (!text.starts_with(kPrefix) || equals == std::string_view::npos) continue;
    world.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  const char* const home = std::getenv("HOME");
  // The XDG specification says to ignore relative paths.
  if (config != nullptr && config[0] == '/') {
    world.user_file = std::string(config) + "/gossamer/config.toml";
  } else if (home != nullptr && home[0] == '/') {
    world.user_file = std::string(home) + "/.config/gossamer/config.toml";
  }
  return world;
}

ConfigWorld ConfigWorld::stored_alone() const {
  return {.project_file = {}, .stored = stored, .other_tables = other_tables};
}

Result<Configuration> Configuration::read(const ConfigWorld& world,
                                          const std::vector<std::string>& named_files,
                                          const CommandTable& command) {
  Configuration configuration;
  const auto add = [&](const std::string& path, bool must_exist, const std::string& doubt) {
    if (path.empty()) return Result<void>();
    return configuration.add_file(path, must_exist, doubt, world, command);
  };
  if (world.stored) {
    auto added = configuration.add_text(*world.stored, world, command);
    if (!added) return fail(std::move(added).error());
  }
  if (auto added = add(world.user_file, false, {}); !added) return fail(std::move(added).error());
  if (named_files.empty()) {
    auto added = add(world.project_file, false, "this folder");
    if (!added) return fail(std::move(added).error());
  }
  for (const std::string& path : named_files) {
    if (auto added = add(path, true, {}); !added) return fail(std::move(added).error());
  }
  configuration.add_environment(world, command.options);
  return configuration;
}

Result<void> Configuration::add_file(const std::string& path, bool must_exist,
                                     const std::string& doubt, const ConfigWorld& world,
                                     const CommandTable& command) {
  auto text = content_of(path, must_exist);
  if (!text) return fail(std::move(text).error());
  if (!*text) return {};
  return add_text({.name = path, .text = std::move(**text), .doubt = doubt}, world, command);
}

Result<void> Configuration::add_text(const StoredSettings& file, const ConfigWorld& world,
                                     const CommandTable& command) {
  const std::string& path = file.name;
  auto entries = parse_config(file.text, path, command.name, world.other_tables);
  if (!entries) return fail(std::move(entries).error());
  std::map<std::string, std::uint32_t> lines;  // by key of this file, with its host
  for (ConfigEntry& entry : *entries) {
    const auto wrong = [&](const std::string& problem) {
      return fail(Errc::invalid_argument, fmt::format("{}:{}: {}", path, entry.line, problem));
    };
    const bool is_of_host = !entry.host.empty();
    if (is_of_host && command.host_options.empty()) continue;  // it belongs to another command
    const auto& options = is_of_host ? command.host_options : command.options;
    const auto option = std::ranges::find_if(
        options, [&entry](const Option& one) { return one.has_key(entry.key); });
    if (option == options.end()) return wrong(about_key(entry, command.name, options));
    if (auto problem = check_shape(entry, *option); !problem.empty()) return wrong(problem);
    std::string host;
    if (is_of_host) {
      auto name = command.parse_host(entry.host);
      if (!name) return wrong(std::string(name.error().detail()));
      host = std::move(*name);
    }
    const auto [known, is_new] = lines.emplace(host + " " + option->key, entry.line);
    if (!is_new) {
      return wrong(
          fmt::format("{}: line {} already sets {}", entry.key, known->second, option->key));
    }
    Setting& setting = is_of_host ? hosts_[host][option->key] : settings_[option->key];
    setting = {.values = std::move(entry.values),
               .origin = fmt::format("{}:{}", path, entry.line),
               .doubt = file.doubt};
  }
  return {};
}

void Configuration::add_environment(const ConfigWorld& world, std::span<const Option> options) {
  for (const Option& option : options) {
    if (option.key.empty()) continue;
    const std::string name = environment_name(option.key);
    const auto found = world.environment.find(name);
    if (found == world.environment.end() || found->second.empty()) continue;
    settings_[option.key] = {.values = option.takes_many()
                                           ? lines_of(found->second)
                                           : std::vector<std::string>{found->second},
                             .origin = "environment " + name};
  }
}

void Configuration::trust_all() {
  for (auto& [key, setting] : settings_) setting.doubt.clear();
  for (auto& [host, settings] : hosts_) {
    for (auto& [key, setting] : settings) setting.doubt.clear();
  }
}

const Setting* Configuration::find(const std::string& key) const {
  const auto found = settings_.find(key);
  return found == settings_.end() ? nullptr : &found->second;
}

}  // namespace gossamer::options
