#include "serve/crawl_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "options/option.h"
#include "settings/crawl_arguments.h"

namespace gossamer::serve {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

base::JsonValue form() { return base::parse_json(crawl_form_json()).value(); }

std::vector<std::string> names_in_form() {
  std::vector<std::string> names;
  for (const base::JsonValue& field : form().items) names.emplace_back(field.text_of("name"));
  return names;
}

TEST(CrawlForm, HasWhatTheTableSaysOfASetting) {
  const base::JsonValue fields = form();
  const auto tries = std::ranges::find_if(
      fields.items, [](const auto& field) { return field.text_of("name") == "max_tries"; });
  ASSERT_NE(tries, fields.items.end());
  const auto& options = settings::crawl_table().options;
  const auto option = std::ranges::find(options, "max-tries", &options::Option::key);
  ASSERT_NE(option, options.end());
  EXPECT_EQ(tries->text_of("help"), option->help);
  EXPECT_EQ(tries->text_of("default"), option->initial);
  EXPECT_EQ(tries->text_of("group"), option->group);
  EXPECT_EQ(tries->text_of("kind"), "count");
}

TEST(CrawlForm, BeginsWithSuggestions) {
  const base::JsonValue first = form().items.at(1);
  EXPECT_EQ(first.text_of("name"), "limit");
  EXPECT_EQ(first.text_of("suggestion"), "1000");
}

TEST(CrawlForm, HasOnlyWhatCanDoNothingBeyondTheCrawl) {
  EXPECT_THAT(names_in_form(), Contains("no_robots"));
  for (const char* const name : {"proxy", "header", "allow_private", "warc_file", "netrc", "cert",
                                 "memory", "job", "control", "output", "url", "render"}) {
    EXPECT_THAT(names_in_form(), Not(Contains(name)));
  }
}

TEST(CrawlForm, RejectsOtherSettingsAndOtherKindsOfValues) {
  for (const std::string body :
       {R"({"proxy": "http://a.example/"})", R"({"--depth": 1})", R"({"depth": {"a": 1}})",
        R"({"exclude": [["a"]]})", R"({"exclude": "a\u0000b"})"}) {
    const auto keywords = parse_crawl_form(base::parse_json(body).value());
    ASSERT_FALSE(keywords) << body;
    EXPECT_EQ(keywords.error(), Errc::invalid_argument);
  }
  const auto unknown = parse_crawl_form(base::parse_json(R"({"dept": 1})").value());
  EXPECT_THAT(std::string(unknown.error().detail()), HasSubstr("dept"));
}

TEST(CrawlForm, LeavesOutWhatIsEmpty) {
  const auto keywords = parse_crawl_form(
      base::parse_json(R"({"url": "a", "folder": "b", "depth": "", "include": [], "limit": null})")
          .value());
  ASSERT_TRUE(keywords);
  EXPECT_THAT(*keywords, IsEmpty());
}

}  // namespace
}  // namespace gossamer::serve
