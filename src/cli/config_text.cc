#include "cli/config_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/escape.h"
#include "base/json.h"
#include "run/crawl_fields.h"

namespace gossamer::cli {
namespace {

bool is_flag(const DeclaredOption& option) { return option.kind == OptionKind::flag; }

bool is_plain_number(std::string_view text) {
  return !text.empty() && text.size() < 19 && (text.size() == 1 || text.front() != '0') &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// JSON's strings are TOML's, but for DEL.
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

// As TOML: a number if it looks like one, else a string.
std::string toml_value(std::string_view text) {
  return is_plain_number(text) ? std::string(text) : toml_string(text);
}

std::string value_of(const DeclaredOption& option, const std::vector<std::string>& values) {
  if (!option.takes_many()) {
    const std::string& value = values.front();
    const bool is_bare = (is_flag(option) || option.kind == OptionKind::counted) &&
                         (value == "true" || value == "false");
    return is_bare ? value : toml_value(value);
  }
  std::vector<std::string> elements;
  for (const std::string& value : values) elements.push_back(toml_value(value));
  return fmt::format("[{}]", fmt::join(elements, ", "));
}

// What holds when nothing is said; a placeholder where that is no value.
std::string standard_value(const DeclaredOption& option) {
  if (is_flag(option)) return "false";
  if (option.kind == OptionKind::counted) return "0";
  if (option.takes_many()) return "[]";
  return toml_value(option.has_usable_standard() ? option.standard() : option.placeholder);
}

bool has_standard_value(const DeclaredOption& option) {
  return option.kind != OptionKind::single || option.has_usable_standard();
}

std::string default_line(const DeclaredOption& option) {
  if (has_standard_value(option)) {
    return fmt::format("#{} = {}  # default\n", option.key, standard_value(option));
  }
  const std::string text = option.standard();
  return fmt::format("#{} =  # default: {}\n", option.key, text.empty() ? "none" : text);
}

std::string given_line(const DeclaredOption& option, const Setting& setting) {
  std::vector<std::string> shown;
  for (const std::string& value : setting.values) {
    if (!is_secret(option, value)) shown.push_back(value);
  }
  const std::string origin = base::escape_for_terminal(setting.origin);
  const std::size_t hidden = setting.values.size() - shown.size();
  if (hidden == 0) {
    return fmt::format("{} = {}  # {}\n", option.key, value_of(option, shown), origin);
  }
  // What is saved without its secrets is not taken for the whole: it stays a comment.
  const std::string rest = shown.empty() ? "" : " " + value_of(option, shown);
  return fmt::format(
      "#{} ={}  # {}; {} not shown\n", option.key, rest, origin,
      shown.empty() && hidden == 1 ? std::string("value") : fmt::format("{} values", hidden));
}

// An example of a host's table, with the keys that it may have.
std::string commented_hosts(const DeclaredCommand& table) {
  std::vector<std::string> keys;
  for (const DeclaredOption& option : table.host_options) keys.push_back(option.key);
  return fmt::format(
      "\n## What holds for single hosts instead, and for all below one: [host.\"*.example.com\"]. "
      "Keys:\n## {}\n\n##[host.\"example.com\"]\n##delay = \"5s\"\n",
      fmt::join(keys, ", "));
}

// name:password@ in front of a host.
bool has_password(std::string_view text) {
  if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
    text.remove_prefix(scheme + 3);
  } else if (text.starts_with("mailto:")) {
    return false;
  }
  text = text.substr(0, text.find_first_of("/?#"));
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::string_view before = text.substr(0, at);
  return before.find(':') != std::string_view::npos && before.find(' ') == std::string_view::npos;
}

}  // namespace

bool is_secret(const DeclaredOption& option, std::string_view value) {
  if (option.key.ends_with("-env")) return false;  // where a secret is, not what it is
  if (option.key == "user") return value.find(':') != std::string_view::npos;
  if (option.key == "login-field") return !value.substr(value.find('=') + 1).starts_with("env:");
  for (const std::string_view word : {"password", "secret", "token"}) {
    if (option.key.find(word) != std::string::npos) return true;
  }
  if (option.key == "cookie") return true;
  if (option.key == "header") return !run::is_open_field(value.substr(0, value.find(':')));
  return has_password(value);
}

std::string effective_configuration(const DeclaredCommand& table, std::span<const Setting> settings,
                                    const HostSettings& hosts) {
  CHECK(settings.size() == table.options.size());
  std::string text = fmt::format("# What gossamer {} has to go by, and where it is from.\n\n[{}]\n",
                                 table.name, table.name);
  std::string_view group;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const DeclaredOption& option = table.options[i];
    if (option.key.empty()) continue;
    if (group != option.group) text += fmt::format("\n# {}\n", group = option.group);
    const Setting& setting = settings[i];
    text += setting.origin.empty() ? default_line(option) : given_line(option, setting);
  }
  for (const auto& [host, said] : hosts) {
    text += fmt::format("\n[host.{}]\n", toml_string(host));
    for (const DeclaredOption& option : table.host_options) {
      const auto found = said.find(option.key);
      if (found != said.end()) text += given_line(option, found->second);
    }
  }
  return text;
}

std::vector<SaidLine> said_lines(const DeclaredCommand& table, std::span<const Setting> settings,
                                 const HostSettings& hosts) {
  CHECK(settings.size() == table.options.size());
  std::vector<SaidLine> lines;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const DeclaredOption& option = table.options[i];
    if (option.key.empty() || settings[i].values.empty()) continue;
    lines.push_back({table.name, option.key, value_of(option, settings[i].values), option.group});
  }
  for (const auto& [host, said] : hosts) {
    for (const DeclaredOption& option : table.host_options) {
      const auto found = said.find(option.key);
      if (found == said.end() || found->second.values.empty()) continue;
      lines.push_back({"host." + toml_string(host), option.key,
                       value_of(option, found->second.values), option.group});
    }
  }
  return lines;
}

std::string commented_configuration(std::span<const DeclaredCommand> tables) {
  std::string text =
      "# The configuration of Gossamer in this folder. Each line shows a default: take the # away\n"
      "# and change it. Environment variables (GOSSAMER_MAX_TIME=10m) and the command line win "
      "over\n"
      "# this file; gossamer crawl --print-config shows what is in effect.\n";
  for (const DeclaredCommand& table : tables) {
    text += fmt::format("\n[{}]\n", table.name);
    std::string_view group;
    for (const DeclaredOption& option : table.options) {
      if (option.key.empty()) continue;
      if (group != option.group) text += fmt::format("\n## {}\n", group = option.group);
      const std::string kind = option.placeholder.empty() ? "" : option.placeholder + ": ";
      text += fmt::format("\n# {}{}\n#{} = {}\n", kind, option.help, option.key,
                          standard_value(option));
    }
    if (!table.host_options.empty()) text += commented_hosts(table);
  }
  return text;
}

}  // namespace gossamer::cli
