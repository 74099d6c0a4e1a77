#include "options/option.h"

#include <fmt/format.h>

#include <algorithm>

#include "options/setting_names.h"

namespace gossamer::options {
namespace {

constexpr std::size_t kHelpColumn = 32;
constexpr std::size_t kHelpWidth = 100;

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
  return before.contains(':') && !before.contains(' ');
}

// Formats two columns. The right one is wrapped; it begins on a new line if the left one is long.
std::string two_columns(std::string_view left, std::string_view right) {
  std::string text = fmt::format("  {}", left);
  if (text.size() >= kHelpColumn) text += "\n";
  std::size_t column = text.ends_with('\n') ? 0 : text.size();
  while (!right.empty()) {
    text.append(kHelpColumn - column, ' ');
    std::size_t length = right.size();
    if (length > kHelpWidth - kHelpColumn) {
      length = right.rfind(' ', kHelpWidth - kHelpColumn);
      if (length == std::string_view::npos) length = std::min(right.find(' '), right.size());
    }
    text.append(right.substr(0, length)).push_back('\n');
    right.remove_prefix(std::min(length + 1, right.size()));
    column = 0;
  }
  return text;
}

std::string usage_of(const Option& word) {
  const std::string name = word.placeholder + (word.takes_many() ? "..." : "");
  if (word.use == Use::rest) return " [-- " + name + "]";
  return word.is_required ? " " + name : " [" + name + "]";
}

}  // namespace

std::string_view describe(Power power) noexcept {
  switch (power) {
    case Power::unknown: return "can do anything";
    case Power::none: return "can do nothing else";
    case Power::write_files: return "can write files outside the crawl directory";
    case Power::read_files: return "can read files and secrets";
    case Power::weaken_tls: return "can weaken TLS";
    case Power::send: return "can lead requests and data elsewhere";
  }
  return {};
}

bool ForeignOption::has_name(std::string_view name) const {
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    if (names.substr(at, end - at) == name) return true;
    at = end + 1;
  }
  return false;
}

bool Option::has_key(std::string_view text) const {
  if (key.empty()) return false;
  return text == key || std::ranges::any_of(names, [text](const std::string& name) {
           return name.starts_with("--") && std::string_view(name).substr(2) == text;
         });
}

std::vector<std::string> Option::shown_names() const {
  std::vector<std::string> shown = names;
  std::erase_if(shown, [](const std::string& name) { return name.contains('_'); });
  return shown;
}

const std::string& Option::main_name() const {
  const auto is_long = [](const std::string& name) { return name.starts_with("--"); };
  const auto found = std::ranges::find_if(names, is_long);
  return found == names.end() ? names.front() : *found;
}

std::string Option::explanation() const {
  const std::string& standard = unset.empty() ? initial : unset;
  const std::string text = as_flags(help);
  return standard.empty() ? text : fmt::format("{} [{}]", text, standard);
}

bool Option::has_power(std::span<const std::string> values) const {
  if (power == Power::none) return false;
  return is_harmless == nullptr || !std::ranges::all_of(values, is_harmless);
}

bool Option::hides(std::string_view value) const {
  if (is_secret != nullptr) return is_secret(value);
  if (key.ends_with("-env")) return false;  // names a variable, not the secret itself
  for (const std::string_view word : {"password", "secret", "token"}) {
    if (key.contains(word)) return true;
  }
  return has_password(value);
}

bool Option::is_stored() const {
  return concern == Concern::crawl || concern == Concern::effort || concern == Concern::machine;
}

bool Option::may_change() const {
  return concern == Concern::effort || concern == Concern::machine;
}

std::string help_text(const CommandTable& table) {
  std::string usage = fmt::format("Usage: gossamer {} [OPTIONS]", table.name);
  std::string words;
  std::string options;
  std::string_view group = "Options";
  for (const Option& option : table.options) {
    if (option.is_word()) {
      usage += usage_of(option);
      words += two_columns(option.placeholder, option.explanation());
      continue;
    }
    if (option.group.empty()) continue;
    if (group != option.group) options += fmt::format("\n{}:\n", group = option.group);
    std::string left = fmt::format("{}", fmt::join(option.shown_names(), ","));
    if (option.takes_value()) left += " " + option.placeholder;
    options += two_columns(left, option.explanation());
  }
  std::string text = fmt::format("{}\n{}\n", table.summary, usage);
  if (!words.empty()) text += "\nArguments:\n" + words;
  text += "\nOptions:\n" + two_columns("-h,--help", "show this help") + options;
  if (!table.footer.empty()) text += fmt::format("\n{}\n", table.footer);
  return text;
}

}  // namespace gossamer::options
