#include "settings/crawl_keywords.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/edit_distance.h"
#include "options/table.h"
#include "settings/check_arguments.h"
#include "settings/crawl_arguments.h"

namespace gossamer::settings {
namespace {

constexpr std::string_view kNone = "none";

std::string keyword_of_name(std::string_view option) {
  std::string name(option.substr(std::min(option.find_first_not_of('-'), option.size())));
  std::ranges::replace(name, '-', '_');
  return name;
}

bool has_keyword(const options::Option& option, std::string_view keyword) {
  return std::ranges::any_of(option.names, [keyword](const std::string& name) {
    return name.starts_with("--") && keyword_of_name(name) == keyword;
  });
}

bool is_of_the_command(const options::Option& option) {
  return option.is_word() || option.concern == options::Concern::output;
}

Error about_unknown_keyword(std::string_view keyword, const std::vector<options::Option>& known) {
  std::vector<std::string> names;
  for (const options::Option& option : known) {
    if (!is_of_the_command(option)) names.push_back(keyword_of(option));
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view near = base::nearest(keyword, candidates);
  std::string message = fmt::format("there is no setting {}", keyword);
  if (!near.empty()) message += fmt::format("; did you mean {}?", near);
  return {Errc::unsupported, std::move(message)};
}

// "warc" and "none": true stands for the first.
std::optional<std::string> choice_of(const options::Option& option, bool is_on) {
  if (option.choices.size() != 2) return std::nullopt;
  const auto none = std::ranges::find(option.choices, kNone);
  if (none == option.choices.end()) return std::nullopt;
  return is_on ? option.choices[none == option.choices.begin() ? 1 : 0] : std::string(kNone);
}

Result<void> add_words(const options::Option& option, const CrawlKeyword& keyword,
                       std::vector<std::string>& words) {
  const std::string& name = option.main_name();
  if (!keyword.is_on) {
    if (!option.takes_value()) {
      return fail(Errc::invalid_argument, fmt::format("{} is either true or false", keyword.name));
    }
    if (keyword.values.size() > 1 && !option.takes_many()) {
      return fail(Errc::invalid_argument, fmt::format("{} has only one value", keyword.name));
    }
    for (const std::string& value : keyword.values) words.push_back(name + "=" + value);
    return {};
  }
  if (!option.takes_value()) {
    if (*keyword.is_on) words.push_back(name);
    return {};
  }
  const auto value = choice_of(option, *keyword.is_on);
  if (!value) {
    return fail(Errc::invalid_argument,
                fmt::format("{} needs a value: {}", keyword.name, option.placeholder));
  }
  words.push_back(name + "=" + *value);
  return {};
}

Result<std::vector<std::string>> words_of(const std::vector<CrawlKeyword>& keywords,
                                          std::string_view command,
                                          const std::vector<options::Option>& known) {
  std::vector<std::string> words;
  for (const CrawlKeyword& keyword : keywords) {
    const auto option = std::ranges::find_if(known, [&keyword](const options::Option& candidate) {
      return has_keyword(candidate, keyword.name);
    });
    if (option == known.end()) return fail(about_unknown_keyword(keyword.name, known));
    if (is_of_the_command(*option)) {
      return fail(Errc::unsupported,
                  fmt::format("{} is an option of the command `gossamer {}` only: {}", keyword.name,
                              command, option->help));
    }
    if (auto added = add_words(*option, keyword, words); !added) {
      return fail(std::move(added).error());
    }
  }
  return words;
}

// Parses the keywords with the declared table of a command.
Result<void> parse_keywords(const std::vector<CrawlKeyword>& keywords, std::string_view command,
                            options::Table& table) {
  auto words = words_of(keywords, command, table.declared().options);
  if (!words) return fail(std::move(words).error());
  if (auto stop = table.parse(*words)) return fail(Errc::invalid_argument, std::move(stop->text));
  return {};
}

std::vector<std::string> keywords_of(const options::Table& table) {
  std::vector<std::string> names;
  for (const options::Option& option : table.declared().options) {
    if (!is_of_the_command(option)) names.push_back(keyword_of(option));
  }
  return names;
}

}  // namespace

Result<run::CrawlSettings> crawl_settings_of(std::vector<std::string> roots,
                                             const std::vector<CrawlKeyword>& keywords) {
  CrawlArguments arguments;
  options::Table table(arguments.output.command);
  declare_crawl_settings(table, arguments);
  table.read_configuration({.project_file = {}});
  arguments.crawl.roots = std::move(roots);
  if (auto parsed = parse_keywords(keywords, "crawl", table); !parsed) {
    return fail(std::move(parsed).error());
  }
  if (auto done = complete_crawl_arguments(table, arguments); !done) {
    return fail(std::move(done).error());
  }
  return std::move(arguments.crawl);
}

Result<run::CheckSettings> check_settings_of(std::vector<std::string> sources,
                                             const std::vector<CrawlKeyword>& keywords) {
  CheckArguments arguments;
  options::Table table("check");
  declare_check_settings(table, arguments);
  table.read_configuration({.project_file = {}});
  arguments.check.sources = std::move(sources);
  if (auto parsed = parse_keywords(keywords, "check", table); !parsed) {
    return fail(std::move(parsed).error());
  }
  if (auto settled = complete_check(table, arguments); !settled) {
    return fail(std::move(settled).error());
  }
  return std::move(arguments.check);
}

std::string keyword_of(const options::Option& option) {
  return keyword_of_name(option.main_name());
}

Result<std::vector<std::string>> crawl_words(const std::vector<CrawlKeyword>& keywords) {
  return words_of(keywords, crawl_table().name, crawl_table().options);
}

std::vector<std::string> crawl_keywords() {
  CrawlArguments arguments;
  options::Table table(arguments.output.command);
  declare_crawl_settings(table, arguments);
  table.read_configuration({.project_file = {}});
  return keywords_of(table);
}

std::vector<std::string> check_keywords() {
  CheckArguments arguments;
  options::Table table("check");
  declare_check_settings(table, arguments);
  table.read_configuration({.project_file = {}});
  return keywords_of(table);
}

}  // namespace gossamer::settings
