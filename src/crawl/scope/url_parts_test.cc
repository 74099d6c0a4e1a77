#include "scope/url_parts.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace gossamer::crawler {
namespace {

// "|"-separated values of the path, then name=value of the query.
std::string parts_of(std::string_view text) {
  const url::Url url = url::Url::parse(text).value();
  UrlParts parts(url);
  std::string result(parts.host());
  for (const UrlPart& part : parts.path()) result.append("|").append(part.value);
  for (const UrlPart& part : parts.query()) {
    result.append("|").append(part.name).append("=").append(part.value);
  }
  return result;
}

TEST(UrlParts, AreSegmentsAndParameters) {
  EXPECT_EQ(parts_of("http://h/"), "h");
  EXPECT_EQ(parts_of("http://h:81/a/b/"), "h:81|a|b");
  EXPECT_EQ(parts_of("http://h/a?b=1&c&=2&d=3=4&#x"), "h|a|b=1|c=|=2|d=3=4");
  EXPECT_EQ(parts_of("http://h/?"), "h");
  EXPECT_EQ(parts_of("http://h/?&&"), "h|=|=");
}

TEST(UrlParts, AreBoundedInNumber) {
  std::string text = "http://h";
  for (int i = 0; i < 40; ++i) text += "/s" + std::to_string(i);
  for (int i = 0; i < 40; ++i) text += (i == 0 ? "?p" : "&p") + std::to_string(i);
  const url::Url url = url::Url::parse(text).value();
  UrlParts parts(url);
  EXPECT_EQ(parts.path().size(), PathSegments::kMax + 1);
  EXPECT_EQ(parts.path().back().value, "s32/s33/s34/s35/s36/s37/s38/s39");
  EXPECT_EQ(parts.query().size(), UrlParts::kParametersMax + 1);
  EXPECT_EQ(parts.query().back().value, "p32&p33&p34&p35&p36&p37&p38&p39");
}

std::uint64_t hash(std::string_view text, PartRole last_role) {
  constexpr std::array kIgnored = {PartRole::token, PartRole::date};
  const url::Url url = url::Url::parse(text).value();
  UrlParts parts(url);
  parts.query().back().role = last_role;
  EXPECT_TRUE(parts.has(last_role));
  return parts.hash_without(kIgnored);
}

TEST(UrlParts, HaveAHashThatIgnoresRoles) {
  EXPECT_EQ(hash("http://h/a?t=1", PartRole::token), hash("http://h/a?t=2", PartRole::token));
  EXPECT_EQ(hash("https://h/a?t=1", PartRole::date), hash("http://h/a?t=2", PartRole::date));
  EXPECT_NE(hash("http://h/a?t=1", PartRole::session), hash("http://h/a?t=2", PartRole::session));
  EXPECT_NE(hash("http://h/a?t=1", PartRole::token), hash("http://h/a?u=1", PartRole::token));
  EXPECT_NE(hash("http://h/a?t=1", PartRole::token), hash("http://h/b?t=1", PartRole::token));
  EXPECT_NE(hash("http://h/a?t=1", PartRole::token), hash("http://i/a?t=1", PartRole::token));
  EXPECT_NE(hash("http://h/?a=&t=1", PartRole::token), hash("http://h/a?t=1", PartRole::token));
}

}  // namespace
}  // namespace gossamer::crawler
