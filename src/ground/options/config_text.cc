#include "options/config_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/escape.h"
#include "base/json.h"

namespace gossamer::options {
namespace {

bool is_flag(const Option& option) { return option.use == Use::flag; }

bool is_plain_number(std::string_view text) {
  return !text.empty() && text.size() < 19 && (text.size() == 1 || text.front() != '0') &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// JSON's strings are TOML's, except for DEL.
std::string toml_string(std::string_view text) {
  std::string json;
  base::append_json_string(json, text);
  std::string toml;
  for (const char c : json) {
    if (c == '\x7f') {
      toml += "\\u007f";
    } else {
      toml += c;
    }
  }
  return toml;
}

// Writes a value as TOML: a number if it looks like one, else a string.
std::string toml_value(std::string_view text) {
  return is_plain_number(text) ? std::string(text) : toml_string(text);
}

std::string value_of(const Option& option, const std::vector<std::string>& values) {
  if (!option.takes_many()) {
    const std::string& value = values.front();
    const bool is_bare =
        (is_flag(option) || option.use == Use::counted) && (value == "true" || value == "false");
    return is_bare ? value : toml_value(value);
  }
  std::vector<std::string> elements;
  for (const std::string& value : values) elements.push_back(toml_value(value));
  return fmt::format("[{}]", fmt::join(elements, ", "));
}

// The default, or a placeholder if the default is not a value.
std::string standard_value(const Option& option) {
  if (is_flag(option)) return "false";
  if (option.use == Use::counted) return "0";
  if (option.takes_many()) return "[]";
  return toml_value(option.initial.empty() ? option.placeholder : option.initial);
}

std::string default_line(const Option& option) {
  const bool is_value = option.use != Use::single || !option.initial.empty();
  if (is_value) return fmt::format("#{} = {}  # default\n", option.key, standard_value(option));
  return fmt::format("#{} =  # default: {}\n", option.key,
                     option.unset.empty() ? "none" : option.unset);
}

std::string given_line(const Option& option, const Setting& setting) {
  std::vector<std::string> shown;
  for (const std::string& value : setting.values) {
    if (!option.hides(value)) shown.push_back(value);
  }
  const bool is_doubted = !setting.doubt.empty() && option.has_power(setting.values);
  const std::string origin =
      base::escape_for_terminal(setting.origin) + (is_doubted ? "; only with --trust" : "");
  const std::size_t hidden = setting.values.size() - shown.size();
  if (hidden == 0) {
    return fmt::format("{} = {}  # {}\n", option.key, value_of(option, shown), origin);
  }
  // A list without its secrets is incomplete, so it stays a comment.
  const std::string rest = shown.empty() ? "" : " " + value_of(option, shown);
  return fmt::format(
      "#{} ={}  # {}; {} not shown\n", option.key, rest, origin,
      shown.empty() && hidden == 1 ? std::string("value") : fmt::format("{} values", hidden));
}

// An example of a host table, with its possible keys.
std::string commented_hosts(const CommandTable& table) {
  std::vector<std::string> keys;
  for (const Option& option : table.host_options) keys.push_back(option.key);
  return fmt::format(
      "\n## Settings for one host, or for a domain: [host.\"*.example.com\"]. "
      "Keys:\n## {}\n\n##[host.\"example.com\"]\n##delay = \"5s\"\n",
      fmt::join(keys, ", "));
}

}  // namespace

std::string effective_configuration(const CommandTable& table, std::span<const Setting> settings,
                                    const HostSettings& hosts) {
  CHECK(settings.size() == table.options.size());
  std::string text = fmt::format("# The settings of gossamer {} and their origins.\n\n[{}]\n",
                                 table.name, table.name);
  std::string_view group;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const Option& option = table.options[i];
    if (option.key.empty()) continue;
    if (group != option.group) text += fmt::format("\n# {}\n", group = option.group);
    const Setting& setting = settings[i];
    text += setting.origin.empty() ? default_line(option) : given_line(option, setting);
  }
  for (const auto& [host, said] : hosts) {
    text += fmt::format("\n[host.{}]\n", toml_string(host));
    for (const Option& option : table.host_options) {
      const auto found = said.find(option.key);
      if (found != said.end()) text += given_line(option, found->second);
    }
  }
  return text;
}

std::string stored_text(const Option& option, const std::vector<std::string>& values) {
  std::vector<std::string> same;
  for (const std::string& value : values) same.push_back(canonical_text(option.kind, value));
  return value_of(option, same);
}

std::vector<SaidLine> said_lines(const CommandTable& table, std::span<const Setting> settings,
                                 const HostSettings& hosts) {
  CHECK(settings.size() == table.options.size());
  std::vector<SaidLine> lines;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const Option& option = table.options[i];
    if (option.key.empty() || settings[i].values.empty()) continue;
    lines.push_back({table.name, &option, stored_text(option, settings[i].values)});
  }
  for (const auto& [host, said] : hosts) {
    for (const Option& option : table.host_options) {
      const auto found = said.find(option.key);
      if (found == said.end() || found->second.values.empty()) continue;
      lines.push_back(
          {"host." + toml_string(host), &option, stored_text(option, found->second.values)});
    }
  }
  return lines;
}

std::string commented_configuration(std::span<const CommandTable> tables) {
  std::string text =
      "# The configuration of Gossamer in this folder. Each line shows a default; remove the # to\n"
      "# change it. Environment variables (GOSSAMER_MAX_TIME=10m) and the command line override\n"
      "# this file. gossamer crawl --print-config shows the effective settings. Some settings can\n"
      "# do more than crawl, so this file sets them only with --trust.\n";
  for (const CommandTable& table : tables) {
    text += fmt::format("\n[{}]\n", table.name);
    std::string_view group;
    for (const Option& option : table.options) {
      if (option.key.empty()) continue;
      if (group != option.group) text += fmt::format("\n## {}\n", group = option.group);
      const std::string kind = option.placeholder.empty() ? "" : option.placeholder + ": ";
      const bool is_powerful = table.is_configurable && option.power != Power::none;
      text +=
          fmt::format("\n# {}{}{}\n#{} = {}\n", kind, option.explanation(),
                      is_powerful ? "; only with --trust" : "", option.key, standard_value(option));
    }
    if (!table.host_options.empty()) text += commented_hosts(table);
  }
  return text;
}

}  // namespace gossamer::options
