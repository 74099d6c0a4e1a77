#include "url/public_suffix.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace gossamer::url {
namespace {

TEST(PublicSuffix, FindsWhatCanBeRegistered) {
  const auto& list = PublicSuffixList::built_in();
  EXPECT_EQ(list.registrable_domain("www.example.co.uk"), "example.co.uk");
  EXPECT_EQ(list.registrable_domain("example.com"), "example.com");
  EXPECT_EQ(list.registrable_domain("a.b.city.kobe.jp"), "city.kobe.jp");
  EXPECT_EQ(list.registrable_domain("a.b.unknown-tld"), "b.unknown-tld");
  EXPECT_EQ(list.registrable_domain("www.example.com."), "example.com.");
}

TEST(PublicSuffix, FindsNothingWhereNothingCanBe) {
  const auto& list = PublicSuffixList::built_in();
  for (const char* host :
       {"", "com", "co.uk", ".example.com", "192.168.0.1", "[::1]", "localhost", "."}) {
    EXPECT_EQ(list.registrable_domain(host), "") << host;
  }
  EXPECT_EQ(list.registrable_domain(std::string(100000, 'a') + ".com"), "");
  EXPECT_EQ(list.registrable_domain(std::string_view("a\0b.com", 7)), "");
}

TEST(PublicSuffix, NamesTheSuffix) {
  const auto& list = PublicSuffixList::built_in();
  EXPECT_EQ(list.public_suffix("www.example.co.uk"), "co.uk");
  EXPECT_EQ(list.public_suffix("co.uk"), "co.uk");
  EXPECT_EQ(list.public_suffix("a.unknown-tld"), "unknown-tld");
}

TEST(PublicSuffix, SaysWhetherHostsAreOfOneSite) {
  const auto& list = PublicSuffixList::built_in();
  EXPECT_TRUE(list.same_site("a.example.com", "b.example.com"));
  EXPECT_TRUE(list.same_site("10.0.0.1", "10.0.0.1"));
  EXPECT_FALSE(list.same_site("a.co.uk", "b.co.uk"));
  EXPECT_FALSE(list.same_site("10.0.0.1", "10.0.0.2"));
}

TEST(PublicSuffix, ReadsAListOfItsOwn) {
  const auto list = PublicSuffixList::from_text("// mine\nexample\n*.wild.example\n");
  ASSERT_TRUE(list.has_value());
  EXPECT_EQ(list->registrable_domain("a.b.c.wild.example"), "b.c.wild.example");
  EXPECT_EQ(list->registrable_domain("a.b.example"), "b.example");
}

TEST(PublicSuffix, RejectsAListWithoutRules) {
  EXPECT_FALSE(PublicSuffixList::from_text("").has_value());
  EXPECT_FALSE(PublicSuffixList::from_text("// nothing\n").has_value());
}

}  // namespace
}  // namespace gossamer::url
