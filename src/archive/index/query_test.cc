#include "index/query.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "index/fts_tokenizer.h"
#include "index/match.h"

namespace gossamer::index {
namespace {

using Kind = QueryTerm::Kind;

Query parsed(std::string_view text) {
  auto query = parse_query(text);
  EXPECT_TRUE(query.has_value()) << text;
  return query ? *query : Query();
}

std::string failure(std::string_view text) {
  const auto query = parse_query(text);
  return query ? "" : query.error().message();
}

TEST(Query, HasWordsPhrasesAndPrefixes) {
  const Query query = parsed(R"(amber "red stone" -glass quar* -"blue sky")");
  ASSERT_EQ(query.terms.size(), 5U);
  EXPECT_EQ(query.terms[0], (QueryTerm{.text = "amber"}));
  EXPECT_EQ(query.terms[1], (QueryTerm{.kind = Kind::phrase, .text = "red stone"}));
  EXPECT_EQ(query.terms[2], (QueryTerm{.is_excluded = true, .text = "glass"}));
  EXPECT_EQ(query.terms[3], (QueryTerm{.kind = Kind::prefix, .text = "quar"}));
  EXPECT_EQ(query.terms[4],
            (QueryTerm{.kind = Kind::phrase, .is_excluded = true, .text = "blue sky"}));
}

TEST(Query, HasFieldsAndConditions) {
  const Query query = parsed(
      "title:stone url:/shop/ site:Example.COM -site:www.example.com lang:de-AT type:PDF "
      "after:2025 before:2026-02");
  ASSERT_EQ(query.terms.size(), 2U);
  EXPECT_EQ(query.terms[0], (QueryTerm{.field = Field::title, .text = "stone"}));
  EXPECT_EQ(query.terms[1], (QueryTerm{.field = Field::url, .text = "/shop/"}));
  EXPECT_EQ(query.sites.wanted, std::vector<std::string>{"example.com"});
  EXPECT_EQ(query.sites.excluded, std::vector<std::string>{"www.example.com"});
  EXPECT_EQ(query.languages.wanted, std::vector<std::string>{"de"});
  EXPECT_EQ(query.types.wanted, std::vector<std::string>{"pdf"});
  EXPECT_EQ(base::to_rfc3339(*query.after), "2025-01-01T00:00:00Z");
  EXPECT_EQ(base::to_rfc3339(*query.before), "2026-02-01T00:00:00Z");
}

TEST(Query, TreatsUnknownNamesAsWords) {
  EXPECT_EQ(parsed("std::vector").terms.at(0).text, "std::vector");
  EXPECT_EQ(parsed("foo:bar").terms.at(0).text, "foo:bar");
}

TEST(Query, SearchesAPastedUrlInUrls) {
  EXPECT_EQ(parsed("https://a.example/b").terms.at(0),
            (QueryTerm{.field = Field::url, .text = "a.example/b"}));
}

TEST(Query, IgnoresSignsAndClosesAnOpenQuote) {
  EXPECT_TRUE(parsed("- * : \"\" && -* --").empty());
  EXPECT_EQ(parsed("\"open quote").terms.at(0),
            (QueryTerm{.kind = Kind::phrase, .text = "open quote"}));
}

TEST(Query, TakesTheNarrowestDates) {
  const Query query = parsed("after:2020 after:2022 before:2026 -after:2025");
  EXPECT_EQ(base::to_rfc3339(*query.after), "2022-01-01T00:00:00Z");
  EXPECT_EQ(base::to_rfc3339(*query.before), "2025-01-01T00:00:00Z");
}

TEST(Query, ExplainsItsErrors) {
  EXPECT_EQ(failure("site:"), "site: requires a value");
  EXPECT_EQ(failure("ab*"), "the prefix ab* is too short; use at least 3 letters");
  EXPECT_EQ(failure("before:soon"),
            "before:soon is not a date, such as 2026, 2026-01 or 2026-01-31");
  EXPECT_EQ(failure("before:2026-02-30"),
            "before:2026-02-30 is not a date, such as 2026, 2026-01 or 2026-01-31");
  EXPECT_EQ(failure("lang:german"), "lang:german is not the code of a language, such as en or de");
  EXPECT_EQ(failure("type:a%b"), "type:a%b is not a type, such as html, pdf or text/plain");
  EXPECT_EQ(failure("site:a|b"), "site:a|b is not the name of a host");
  EXPECT_EQ(failure(std::string(5000, 'x')), "the query is too long; use at most 4096 bytes");
  std::string many;
  for (int i = 0; i < 33; ++i) many += "w" + std::to_string(i) + " ";
  EXPECT_EQ(failure(many), "the query is too long; use at most 32 words");
}

TEST(Query, AllowsAPrefixOfOneIdeograph) { EXPECT_EQ(failure("\u72AC*"), ""); }

TEST(Query, IsTheSameAfterItWasWritten) {
  std::mt19937 random(7);
  const std::vector<std::string> parts = {"word",    "-",           "\"",
                                          "*",       ":",           " ",
                                          "title:",  "url:",        "site:a.example",
                                          "lang:de", "type:pdf",    "\u72AC",
                                          "http://", "before:2026", "after:2020-03",
                                          "\u00E9",  "\x01",        "abc*",
                                          "--"};
  int good = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (int i = 0; i < 6; ++i) text += parts[random() % parts.size()];
    const auto query = parse_query(text);
    if (!query) continue;
    ++good;
    const auto again = parse_query(to_text(*query));
    ASSERT_TRUE(again.has_value()) << text << " -> " << to_text(*query);
    EXPECT_EQ(*again, *query) << text << " -> " << to_text(*query);
  }
  EXPECT_GT(good, 5'000);
}

TEST(MatchText, QuotesEveryWord) {
  EXPECT_EQ(match_text(parsed("Rote \"Gr\u00FCne Steine\" -title:glas quar*"), {}).whole(),
            "((\"\x02rote\") AND \"\x02grune steine\" AND \"\x02quar\" *)"
            " NOT ({title} : (\"\x02glas\"))");
  EXPECT_EQ(match_text(parsed("AND NOT NEAR(a b)"), {}).whole(),
            "(\"\x02"
            "and\") AND (\"\x02not\") AND \"near a\" AND (\"\x02"
            "b\")");
  EXPECT_EQ(match_text(parsed("\u72AC"), {}).whole(), "\"\x02\u72AC\" *");
  EXPECT_EQ(match_text(parsed("-only"), {}).wanted, "");
}

TEST(MatchText, HasTheFormsOfAWord) {
  Stemmer english("en");
  Stemmer german("de");
  const MatchText match =
      match_text(parsed("Running -glass \"red stone\" stone"), {&english, &german});
  EXPECT_EQ(match.wanted,
            "(\"\x02running\" OR \"\x02run\" OR \"\x02\x01run\" OR \"\x02\x01running\")"
            " AND \"\x02red stone\" AND (\"\x02stone\" OR \"\x02\x01stone\" OR \"\x02ston\""
            " OR \"\x02\x01ston\")");
  ASSERT_EQ(match.terms.size(), 3U);
  EXPECT_EQ(match.terms[0].phrases, 4U);
  EXPECT_EQ(match.terms[1].phrases, 1U);
  EXPECT_EQ(match.terms[1].place, 2U);
}

TEST(PageFilter, BindsAllValues) {
  const PageFilter filter(parsed("site:a'b.example type:pdf lang:de before:2026"), false);
  EXPECT_EQ(filter.sql().find('\''), filter.sql().npos);
}

}  // namespace
}  // namespace gossamer::index
