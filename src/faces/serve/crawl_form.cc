#include "serve/crawl_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/json.h"
#include "options/option.h"
#include "options/setting_names.h"
#include "settings/crawl_arguments.h"

namespace gossamer::serve {
namespace {

using base::JsonValue;
using options::Option;

// Settings that most users of a browser choose, with what the form has for them at first.
struct Suggestion {
  std::string_view keyword;
  std::string_view value;
};
constexpr std::array<Suggestion, 3> kSuggestions = {
    {{"depth", ""}, {"limit", "1000"}, {"assets", "true"}}};

// Without these the server could not show the crawl.
constexpr std::array<std::string_view, 2> kOfTheServer = {"index", "archive"};

// A browser may choose what the crawl is, and nothing of this machine.
bool is_in_form(const Option& option) {
  using enum options::Concern;
  const bool is_of_the_crawl =
      option.concern == crawl || option.concern == gathered || option.concern == effort;
  return is_of_the_crawl && option.power == options::Power::none && !option.is_word() &&
         !option.key.empty() && std::ranges::find(kOfTheServer, option.key) == kOfTheServer.end();
}

std::string_view kind_of(const Option& option) {
  if (!option.takes_value()) return "flag";
  if (option.kind == options::Kind::choice) return "choice";
  // "inf" is no number.
  return option.kind == options::Kind::count && option.choices.empty() ? "count" : "text";
}

std::string field_json(const Option& option, const Suggestion* suggestion) {
  std::vector<std::string> choices;
  for (const std::string& choice : option.choices) {
    base::append_json_string(choices.emplace_back(), choice);
  }
  return base::JsonLine()
      .text("name", settings::keyword_of(option))
      .text("help", options::as_keywords(option.help))
      .text("group", option.group)
      .text("kind", kind_of(option))
      .text("placeholder", option.placeholder)
      .text("default", option.initial.empty() ? option.unset : option.initial)
      .raw("choices", fmt::format("[{}]", fmt::join(choices, ", ")))
      .boolean("many", option.takes_many())
      .boolean("suggested", suggestion != nullptr)
      .text("suggestion", suggestion == nullptr ? std::string_view() : suggestion->value)
      .finish();
}

const Option* find_in_form(std::string_view keyword) {
  const auto& known = settings::crawl_table().options;
  const auto found = std::ranges::find_if(known, [keyword](const Option& option) {
    return is_in_form(option) && settings::keyword_of(option) == keyword;
  });
  return found == known.end() ? nullptr : &*found;
}

Error wrong_value(std::string_view keyword) {
  return {Errc::invalid_argument,
          fmt::format("{} must be a text, a number, true, false or a list of these", keyword)};
}

// Adds a text or a number; an empty text is nothing.
bool add_value(const JsonValue& value, std::vector<std::string>& values) {
  if (value.kind != JsonValue::Kind::text && value.kind != JsonValue::Kind::number) return false;
  if (!value.text.empty()) values.push_back(value.text);
  return !value.text.contains('\0');  // no word of a command has one
}

}  // namespace

std::string crawl_form_json() {
  std::vector<std::string> fields;
  for (const Suggestion& suggestion : kSuggestions) {
    const Option* const option = find_in_form(suggestion.keyword);
    CHECK(option != nullptr, "there is no setting {}", suggestion.keyword);
    fields.push_back(field_json(*option, &suggestion));
  }
  for (const Option& option : settings::crawl_table().options) {
    if (!is_in_form(option)) continue;
    const auto first =
        std::ranges::find(kSuggestions, settings::keyword_of(option), &Suggestion::keyword);
    if (first == kSuggestions.end()) fields.push_back(field_json(option, nullptr));
  }
  return fmt::format("[{}]", fmt::join(fields, ", "));
}

Result<std::vector<settings::CrawlKeyword>> parse_crawl_form(const JsonValue& body) {
  std::vector<settings::CrawlKeyword> keywords;
  for (const auto& [name, value] : body.members) {
    if (name == "url" || name == "folder" || value.kind == JsonValue::Kind::null) continue;
    if (find_in_form(name) == nullptr) {
      return fail(Errc::invalid_argument, fmt::format("the form has no setting {}", name));
    }
    settings::CrawlKeyword keyword = {.name = name};
    if (value.kind == JsonValue::Kind::boolean) {
      keyword.is_on = value.text == "true";
    } else if (value.kind == JsonValue::Kind::array) {
      for (const JsonValue& item : value.items) {
        if (!add_value(item, keyword.values)) return fail(wrong_value(name));
      }
    } else if (!add_value(value, keyword.values)) {
      return fail(wrong_value(name));
    }
    if (keyword.is_on || !keyword.values.empty()) keywords.push_back(std::move(keyword));
  }
  return keywords;
}

}  // namespace gossamer::serve
