#include "check/link_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/quoted_text.h"

namespace gossamer::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

url::Url url(std::string_view text) { return *url::Url::parse(text); }

LinkPlace link_at(std::uint32_t line, std::string text = {},
                  html::LinkKind kind = html::LinkKind::page) {
  return {.at = {line, 1}, .kind = kind, .url = {}, .text = std::move(text)};
}

Answer good() {
  return {.kind = Answer::Kind::good, .status = 200, .cause = {}, .detail = {}, .next = {}};
}
Answer broken(std::string cause) {
  return {.kind = Answer::Kind::broken,
          .status = std::nullopt,
          .cause = std::move(cause),
          .detail = {},
          .next = {}};
}
Answer moved(int status, std::string next) {
  return {.kind = Answer::Kind::redirect,
          .status = status,
          .cause = {},
          .detail = {},
          .next = std::move(next)};
}

// "broken 404 https://a.example/x page:3", one per finding.
std::vector<std::string> told(const Findings& findings) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings.all) {
    std::string line = std::string(name(finding.kind)) + " " + finding.cause + " " + finding.url;
    if (!finding.leads_to.empty()) line += " -> " + finding.leads_to;
    for (const Place& place : finding.places) {
      line += " " + place.page + ":" + std::to_string(place.at.line);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

TEST(LinkBook, ReportsBrokenLinksWithAllTheirPositions) {
  LinkBook book;
  const auto one = book.add_page("one", true);
  const auto two = book.add_page("two", true);
  book.add_link(one, link_at(3), url("https://a.example/x"));
  book.answer(url("https://a.example/x"), broken("404"));
  book.add_link(two, link_at(5), url("https://a.example/x"));
  book.add_link(two, link_at(6), url("https://a.example/fine"));
  book.answer(url("https://a.example/fine"), good());
  const Findings findings = std::move(book).close(true);
  EXPECT_THAT(told(findings), ElementsAre("broken 404 https://a.example/x one:3 two:5"));
  EXPECT_EQ(findings.errors(), 1u);
  EXPECT_EQ(findings.pages, 2u);
  EXPECT_EQ(findings.links, 3u);
  EXPECT_EQ(findings.urls, 2u);
}

TEST(LinkBook, KeepsTheFirstPlacesAndCountsTheOthers) {
  LinkBook book;
  const auto page = book.add_page("p", true);
  for (std::uint32_t i = 1; i <= 25; ++i)
    book.add_link(page, link_at(i), url("https://a.example/"));
  book.answer(url("https://a.example/"), broken("500"));
  const Findings findings = std::move(book).close(true);
  ASSERT_EQ(findings.all.size(), 1u);
  EXPECT_EQ(findings.all[0].places.size(), kPlacesMax);
  EXPECT_EQ(findings.all[0].links, 25u);
}

TEST(LinkBook, FollowsRedirectsToTheirEnd) {
  LinkBook book;
  const auto page = book.add_page("p", true);
  const auto link = [&](std::uint32_t line, std::string_view to) {
    book.add_link(page, link_at(line), url(to));
  };
  link(1, "https://a.example/good");
  link(2, "https://a.example/bad");
  link(3, "https://a.example/for-now");
  link(4, "https://a.example/twice");
  link(5, "https://a.example/circle");
  link(6, "https://a.example/itself");
  book.answer(url("https://a.example/good"), moved(301, "https://a.example/end"));
  book.answer(url("https://a.example/bad"), moved(301, "https://a.example/gone"));
  book.answer(url("https://a.example/for-now"), moved(302, "https://a.example/end"));
  book.answer(url("https://a.example/twice"), moved(308, "https://a.example/good"));
  book.answer(url("https://a.example/circle"), moved(302, "https://a.example/circle2"));
  book.answer(url("https://a.example/circle2"), moved(302, "https://a.example/circle"));
  book.answer(url("https://a.example/itself"), moved(302, "https://a.example/itself"));
  book.answer(url("https://a.example/end"), good());
  book.answer(url("https://a.example/gone"), broken("410"));
  EXPECT_THAT(told(std::move(book).close(true)),
              ElementsAre("broken 410 https://a.example/bad -> https://a.example/gone p:2",
                          "broken redirect_loop https://a.example/circle p:5",
                          "broken redirect_loop https://a.example/itself p:6",
                          "redirect 301 https://a.example/good -> https://a.example/end p:1",
                          "redirect 308 https://a.example/twice -> https://a.example/end p:4"));
}

TEST(LinkBook, CountsABlockedSourceAsUnchecked) {
  LinkBook book;
  const auto page = book.add_page("p", true);
  book.add_link(page, link_at(1), url("https://a.example/x"));
  const Answer blocked = {
      .kind = Answer::Kind::blocked, .status = 403, .cause = "403", .detail = {}, .next = {}};
  book.answer(url("https://a.example/x"), blocked);
  book.answer(url("https://b.example/"), blocked, true);
  const Findings findings = std::move(book).close(true);
  EXPECT_THAT(told(findings),
              ElementsAre("blocked 403 https://b.example/", "blocked 403 https://a.example/x p:1"));
  EXPECT_EQ(findings.errors(), 0u);
  EXPECT_EQ(findings.sources_unchecked, 1u);
}

TEST(LinkBook, KnowsThePrefixThatGitHubPutsBeforeIds) {
  LinkBook book;
  const auto page = book.add_page("p", true);
  book.add_link(page, link_at(1), url("https://github.example/x#install"));
  book.add_link(page, link_at(2), url("https://github.example/x#gone"));
  book.add_ids(url("https://github.example/x"), {"user-content-install"});
  book.answer(url("https://github.example/x"), good());
  EXPECT_THAT(told(std::move(book).close(true)),
              ElementsAre("fragment no_such_id https://github.example/x#gone p:2"));
}

TEST(LinkBook, LooksForPlacesInPagesInWhateverOrderTheyAreRead) {
  LinkBook book;
  const auto page = book.add_page("p", true);
  book.add_link(page, link_at(1), url("https://a.example/x#here"));
  book.add_link(page, link_at(2), url("https://a.example/x#gone"));
  book.add_ids(url("https://a.example/x"), {"here", "there"});
  book.answer(url("https://a.example/x"), good());
  book.add_link(page, link_at(3), url("https://a.example/x#there"));
  book.add_link(page, link_at(4), url("https://a.example/x#gone"));
  book.add_link(page, link_at(5), url("https://a.example/moved#gone"));
  book.answer(url("https://a.example/moved"), moved(302, "https://a.example/x"));
  book.add_link(page, link_at(6), url("https://a.example/not-read#any"));
  book.answer(url("https://a.example/not-read"), good());
  EXPECT_THAT(told(std::move(book).close(true)),
              ElementsAre("fragment no_such_id https://a.example/x#gone p:2 p:4",
                          "fragment no_such_id https://a.example/moved#gone p:5"));
}

std::vector<std::uint32_t> words_of(std::string_view text) {
  WordHashes words(kWordsMax);
  words.add(text);
  return words.take();
}

TEST(LinkBook, LooksForQuotedTextsInPagesInWhateverOrderTheyAreRead) {
  LinkBook book;
  const auto page = book.add_page("p", true);
  book.add_link(page, link_at(1), url("https://a.example/x#:~:text=brown%20fox"));
  book.add_link(page, link_at(2), url("https://a.example/x#:~:text=fox%20brown&text=the"));
  book.add_words(url("https://a.example/x"), words_of("The brown fox."));
  book.answer(url("https://a.example/x"), good());
  book.add_link(page, link_at(3), url("https://a.example/x#:~:text=dog"));
  book.add_link(page, link_at(4), url("https://a.example/moved#:~:text=dog"));
  book.answer(url("https://a.example/moved"), moved(302, "https://a.example/x"));
  book.add_link(page, link_at(5), url("https://a.example/not-read#:~:text=any"));
  book.answer(url("https://a.example/not-read"), good());
  const Findings findings = std::move(book).close(true);
  EXPECT_THAT(told(findings),
              ElementsAre("text no_such_text https://a.example/x#:~:text=fox%20brown p:2",
                          "text no_such_text https://a.example/x#:~:text=dog p:3",
                          "text no_such_text https://a.example/moved#:~:text=dog p:4"));
  EXPECT_EQ(findings.all[0].detail, "the page does not have the text \"fox brown\"");
  EXPECT_EQ(findings.errors(), 3u);
}

TEST(LinkBook, ReadsThePagesThatLinksQuote) {
  for (const std::size_t room : {std::size_t{0}, std::size_t{1'000'000}}) {
    LinkBook book({}, {.bodies_max = room});
    const auto page = book.add_page("p", true);
    book.add_body(url("https://a.example/x"), "<title>dog</title><p>The br\xF6wn <b>fox</b>.",
                  "windows-1252");
    book.add_body(url("https://a.example/y"), "<p>Nobody quotes me.", "");
    book.add_link(page, link_at(1), url("https://a.example/x#:~:text=br%C3%B6wn%20fox"));
    book.add_link(page, link_at(2), url("https://a.example/x#:~:text=cat"));
    book.add_link(page, link_at(3), url("https://a.example/moved#:~:text=mouse"));
    book.answer(url("https://a.example/x"), good());
    book.answer(url("https://a.example/moved"), moved(302, "https://a.example/x"));
    EXPECT_THAT(told(std::move(book).close(true)),
                ElementsAre("text no_such_text https://a.example/x#:~:text=cat p:2",
                            "text no_such_text https://a.example/moved#:~:text=mouse p:3"));
  }
}

TEST(LinkBook, ReportsNoTextsBeyondItsLimits) {
  for (const LinkBookLimits limits :
       {LinkBookLimits{.words_max = 2}, LinkBookLimits{.text_steps_max = 2}}) {
    LinkBook book({}, limits);
    const auto page = book.add_page("p", true);
    book.add_link(page, link_at(1), url("https://a.example/x#:~:text=dog"));
    book.add_words(url("https://a.example/x"), words_of("one two three"));
    book.answer(url("https://a.example/x"), good());
    EXPECT_THAT(told(std::move(book).close(true)), IsEmpty());
  }
}

TEST(LinkBook, ChecksNoFragmentsIfDisabled) {
  LinkBook book;
  const auto page = book.add_page("p", true);
  book.add_link(page, link_at(1), url("https://a.example/#gone:~:text=gone"));
  book.add_ids(url("https://a.example/"), {});
  book.add_words(url("https://a.example/"), {});
  book.answer(url("https://a.example/"), good());
  EXPECT_THAT(told(std::move(book).close(false)), IsEmpty());
}

TEST(LinkBook, DistinguishesInsecureLinksFromMixedContent) {
  LinkBook book;
  const auto safe = book.add_page("https", true);
  const auto open = book.add_page("http", false);
  for (const auto page : {safe, open}) {
    book.add_link(page, link_at(1), url("http://a.example/page"));
    book.add_link(page, link_at(2, "", html::LinkKind::image), url("http://a.example/i.png"));
  }
  book.answer(url("http://a.example/page"), good());
  book.answer(url("http://a.example/i.png"), good());
  const Findings findings = std::move(book).close(true);
  EXPECT_THAT(told(findings), ElementsAre("insecure http http://a.example/page https:1",
                                          "mixed http http://a.example/i.png https:2"));
  EXPECT_EQ(findings.errors(), 0u);
  EXPECT_EQ(findings.warnings(), 2u);
}

TEST(LinkBook, SaysWhatNobodyKnows) {
  LinkBook book;
  const auto page = book.add_page("p", true);
  book.add_link(page, link_at(1), url("https://a.example/robots"));
  book.add_link(page, link_at(2), url("https://a.example/waiting"));
  book.answer(url("https://a.example/robots"), {.kind = Answer::Kind::unchecked,
                                                .status = std::nullopt,
                                                .cause = "robots",
                                                .detail = {},
                                                .next = {}});
  const Findings findings = std::move(book).close(true);
  EXPECT_THAT(told(findings), ElementsAre("unchecked robots https://a.example/robots p:1",
                                          "unchecked stopped https://a.example/waiting p:2"));
  EXPECT_EQ(findings.unchecked.at("robots"), 1u);
}

TEST(LinkBook, CountsSourcesOfWhichNothingIsKnown) {
  LinkBook book;
  book.answer(url("https://a.example/"),
              {.kind = Answer::Kind::unchecked,
               .status = std::nullopt,
               .cause = "robots",
               .detail = {},
               .next = {}},
              true);
  const Findings findings = std::move(book).close(true);
  EXPECT_EQ(findings.sources_unchecked, 1u);
  EXPECT_THAT(told(findings), ElementsAre("unchecked robots https://a.example/"));
}

TEST(LinkBook, ReportsAMissingSource) {
  LinkBook book;
  book.answer(url("https://a.example/"), broken("dns"), true);
  book.answer(url("https://a.example/sitemap.xml"), broken("404"));
  EXPECT_THAT(told(std::move(book).close(true)), ElementsAre("broken dns https://a.example/"))
      << "what nobody links to is no fault";
}

TEST(LinkBook, IsBounded) {
  LinkBook book({}, {.urls_max = 2, .fragments_max = 1, .ids_max = 1});
  const auto page = book.add_page("p", true);
  for (std::uint32_t i = 1; i <= 5; ++i) {
    book.add_link(page, link_at(i), url("https://a.example/" + std::to_string(i)));
    book.answer(url("https://a.example/" + std::to_string(i)), broken("404"));
  }
  const Findings findings = std::move(book).close(true);
  EXPECT_EQ(findings.all.size(), 2u);
  EXPECT_EQ(findings.links, 5u);
}

// https://html.spec.whatwg.org/#find-a-potential-indicated-element
TEST(LinkBook, LooksForAPlaceAsItIsWrittenAndThenWithoutEscapes) {
  LinkBook book;
  const auto page = book.add_page("page", true);
  for (const std::string_view place : {"a%20b", "c%20d", "%C3%A4", "e%20f"}) {
    book.add_link(page, link_at(1), url("https://a.example/x#" + std::string(place)));
  }
  book.answer(url("https://a.example/x"), good());
  book.add_ids(url("https://a.example/x"), {"a%20b", "c d", "\xC3\xA4"});
  EXPECT_THAT(told(std::move(book).close(true)),
              ElementsAre("fragment no_such_id https://a.example/x#e f page:1"));
}

TEST(LinkBook, ReportsNoSecurityOfExcludedLinks) {
  LinkBook book;
  const auto page = book.add_page("page", true);
  book.add_link(page, link_at(1), url("http://a.example/x"));
  book.add_link(page, link_at(2, {}, html::LinkKind::image), url("http://a.example/i"));
  for (const std::string_view path : {"x", "i"}) {
    book.answer(url("http://a.example/" + std::string(path)), {.kind = Answer::Kind::unchecked,
                                                               .status = std::nullopt,
                                                               .cause = "excluded",
                                                               .detail = {},
                                                               .next = {}});
  }
  EXPECT_THAT(told(std::move(book).close(true)),
              ElementsAre("unchecked excluded http://a.example/x page:1",
                          "unchecked excluded http://a.example/i page:2"));
}

}  // namespace
}  // namespace gossamer::check
