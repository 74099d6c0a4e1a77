#include "settings/extract_rules.h"

#include <fmt/format.h>

#include <fstream>

#include "content/extract_rule.h"
#include "dom/query.h"
#include "options/config_file.h"

namespace gossamer::settings {
namespace {

constexpr std::string_view kExtractTable = "extract";

Result<std::string> read_rules_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(Errc::invalid_argument, options::cannot_read(path));
  std::string text(options::kConfigBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad()) return fail(Errc::invalid_argument, options::cannot_read(path));
  if (text.size() > options::kConfigBytesMax) {
    return fail(Errc::invalid_argument, path + ": this file is too long");
  }
  return text;
}

}  // namespace

options::Value extract_value(std::vector<std::string>& into) {
  return options::custom("FIELDS", [&into](const std::string& text) -> std::string {
    const auto rules = content::parse_extract_rules(text);
    if (!rules) return std::string(rules.error().detail());
    if (rules->empty()) return "expected fields, for example title=h1";
    into.push_back(text);
    return {};
  });
}

options::Value items_value(std::string& into) {
  return options::custom("SELECTOR", [&into](const std::string& text) -> std::string {
    const auto query = dom::Query::compile(text);
    if (!query) return query.error().message();
    into = text;
    return {};
  });
}

Result<void> read_extract_file(const std::string& path, std::vector<std::string>& rules) {
  auto text = read_rules_file(path);
  if (!text) return fail(std::move(text).error());
  auto entries = options::parse_config(*text, path, kExtractTable, {});
  if (!entries) return fail(std::move(entries).error());
  for (const options::ConfigEntry& entry : *entries) {
    const auto wrong = [&](std::string_view problem) {
      return fail(Errc::invalid_argument, fmt::format("{}:{}: {}", path, entry.line, problem));
    };
    if (!entry.host.empty()) return wrong("only the table [extract] has a meaning here");
    if (entry.is_table || entry.values.size() != 1) {
      return wrong(fmt::format("{}: expected one selector, or one in brackets", entry.key));
    }
    std::string rule = entry.key + (entry.is_array ? "[]=" : "=") + entry.values.front();
    const auto parsed = content::parse_extract_rules(rule);
    if (!parsed) return wrong(parsed.error().detail());
    if (parsed->size() != 1) return wrong(fmt::format("{}: expected one selector", entry.key));
    rules.push_back(std::move(rule));
  }
  return {};
}

}  // namespace gossamer::settings
