#include "engine/page/link_memo.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/hash.h"

namespace gossamer::crawler {
namespace {

url::Url url_of(std::string_view text) { return url::Url::parse(text).value(); }

// Every link, met first in `first` and then in `second`, is either not remembered or leads to the
// same place in both.
void expect_right_in(std::string_view first, std::string_view second) {
  constexpr std::string_view kLinks[] = {
      "a",      "a/b",     "../a",      "./?q",    ".",          "..",       "/",
      "/a",     "//h/a",   "\\a",       "a?b#c",   "a:b",        "a#b",      "a#c:d",
      "#",      "##",      "/#f",       "?#f",     "http:#f",    "a\n#b",    "\n#b",
      "%61",    "?q",      "#f",        "",        " a",         " ?q",      "\t#f",
      "http:a", "http:?q", "ht\ntp:?q", "http:/a", "http://h/a", "mailto:a", "javascript:a",
      "/a:b",   "./a:b",   "\x01?q",    "C|/a",    "\xC3\xA4"};
  LinkMemo memo(7);
  for (const std::string_view link : kLinks) {
    memo.begin(url_of(first), 0);
    EXPECT_FALSE(memo.find(link, 1)) << link;
    const auto there = url_of(first).resolve(link);
    if (!there) continue;
    memo.put(base::hash64(there->without_fragment()), 1);
    memo.begin(url_of(second), 0);
    const auto found = memo.find(link, 1);
    const auto here = url_of(second).resolve(link);
    if (found) {
      ASSERT_TRUE(here) << link;
      EXPECT_EQ(*found, base::hash64(here->without_fragment())) << link << " in " << second;
    }
    memo = LinkMemo(7);
  }
}

TEST(LinkMemo, IsRightForPagesOfOneFolder) {
  expect_right_in("http://h/d/page", "http://h/d/page");
  expect_right_in("http://h/d/page", "http://h/d/other?query");
  expect_right_in("http://h/d/page?x/y", "http://h/d/");
  expect_right_in("http://h/page", "http://h/#x/y");
}

TEST(LinkMemo, IsRightForPagesOfDifferentFolders) {
  expect_right_in("http://h/d/page", "http://h/page");
  expect_right_in("http://h/d/page", "http://h/d/d/page");
  expect_right_in("http://h/d/page", "http://i/d/page");
  expect_right_in("http://h/d/page", "https://h/d/page");
  expect_right_in("http://h/d/page", "http://h:81/d/page");
  expect_right_in("http://h/d/page", "http://u@h/d/page");
}

// Whatever was remembered of one link, another one that is found by it leads to the same place.
TEST(LinkMemo, TakesNoLinkForAnother) {
  constexpr std::string_view kLinks[] = {
      "a",    "a#b",   "a ",  "a #b", "a\x01#b", "a\x01", "a?q",   "a?q #x",
      "a?q ", "a?q#x", "/",   "/ #x", "/ ",      ". #x",  ". ",    ".",
      "#",    "#x",    " #x", "",     " ",       "a\n#b", "a\t#b", "a#b#c ",
      "A",    "a/",    "a/#", "..#x", "..",      "a:b#c", "/a:b",  "/a:b#c"};
  const url::Url page = url_of("http://h/d/p?r#s");
  for (const std::string_view first : kLinks) {
    for (const std::string_view second : kLinks) {
      LinkMemo memo(7);
      memo.begin(page, 0);
      memo.find(first, 1);
      const auto there = page.resolve(first);
      const auto here = page.resolve(second);
      if (!there || !here) continue;
      memo.put(base::hash64(there->without_fragment()), 1);
      const auto found = memo.find(second, 1);
      if (found) {
        EXPECT_EQ(*found, base::hash64(here->without_fragment())) << first << "|" << second;
      }
    }
  }
}

TEST(LinkMemo, RemembersWhatManyPagesHave) {
  LinkMemo memo(7);
  memo.begin(url_of("http://h/d/page"), 0);
  for (const std::string_view link : {"a.html", "../index.html#top", "/"}) {
    EXPECT_FALSE(memo.find(link, 1));
    memo.put(link.size(), 1);
  }
  memo.begin(url_of("http://h/d/other"), 0);
  for (const std::string_view link : {"a.html", "../index.html#top", "/"}) {
    EXPECT_EQ(memo.find(link, 1), link.size());
  }
}

TEST(LinkMemo, RemembersAPageWhateverItsFragment) {
  LinkMemo memo(7);
  const url::Url page = url_of("http://h/d/page#x");
  memo.begin(page, 0);
  EXPECT_FALSE(memo.find("a#1", 1));
  memo.put(17, 1);
  EXPECT_EQ(memo.find("a#2:3", 1), 17U);
  EXPECT_EQ(memo.find("a", 1), 17U);
  EXPECT_FALSE(memo.find("#1", 1));
  memo.put(18, 1);
  EXPECT_EQ(memo.find("#2", 1), 18U);
  EXPECT_EQ(memo.find("#", 1), 18U);
  EXPECT_FALSE(memo.find("", 1));
}

TEST(LinkMemo, SaysNothingOfWhatWasFoundFartherAway) {
  LinkMemo memo(7);
  memo.begin(url_of("http://h/"), 0);
  EXPECT_FALSE(memo.find("a", 5));
  memo.put(1, 5);
  EXPECT_FALSE(memo.find("a", 4));
  EXPECT_EQ(memo.find("a", 5), 1U);
  EXPECT_EQ(memo.find("a", 6), 1U);
}

TEST(LinkMemo, KeepsEncodingsApart) {
  LinkMemo memo(7);
  memo.begin(url_of("http://h/"), 1);
  EXPECT_FALSE(memo.find("a?\xC3\xA4", 1));
  memo.put(1, 1);
  memo.begin(url_of("http://h/"), 2);
  EXPECT_FALSE(memo.find("a?\xC3\xA4", 1));
}

TEST(LinkMemo, KeepsNothingOfPagesThatAreNotOfTheWeb) {
  LinkMemo memo(7);
  memo.begin(url_of("file:///d/page"), 0);
  EXPECT_FALSE(memo.find("a", 1));
  memo.put(1, 1);
  EXPECT_FALSE(memo.find("a", 1));
}

TEST(LinkMemo, CanStoreOnlyTheLastLinkOfThisPage) {
  LinkMemo memo(7);
  memo.begin(url_of("http://h/"), 0);
  EXPECT_FALSE(memo.can_put()) << "no link yet";
  EXPECT_FALSE(memo.find("a", 1));
  EXPECT_TRUE(memo.can_put());
  EXPECT_FALSE(memo.find("?q", 1));
  EXPECT_FALSE(memo.can_put()) << "it depends on the page";
  EXPECT_FALSE(memo.find("b", 1));
  memo.begin(url_of("http://i/"), 0);
  EXPECT_FALSE(memo.can_put()) << "that was a link of another page";
}

}  // namespace
}  // namespace gossamer::crawler
