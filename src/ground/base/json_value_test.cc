#include "base/json_value.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer::base {
namespace {

TEST(JsonValueTest, ReadsEveryKindOfValue) {
  const auto value =
      parse_json(R"( {"a": [1, -2.5e3, true, null, "\u00e9\ud83d\ude00\n\"\\"], "b": {}} )");
  ASSERT_TRUE(value.has_value());
  const JsonValue& list = *value->find("a");
  ASSERT_EQ(list.items.size(), 5U);
  EXPECT_EQ(list.items[0].as_number(), 1U);
  EXPECT_EQ(list.items[1].as_number(), std::nullopt);
  EXPECT_EQ(list.items[3].kind, JsonValue::Kind::null);
  EXPECT_EQ(list.items[4].text, "\xC3\xA9\xF0\x9F\x98\x80\n\"\\");
  EXPECT_EQ(value->find("b")->kind, JsonValue::Kind::object);
  EXPECT_EQ(value->find("c"), nullptr);
}

TEST(JsonValueTest, IsWrittenAsJson) {
  const auto value = parse_json(R"( {"a":[1,-2.5e3,true,null,"\u00e9\n"],"b":{},"c":[]} )");
  std::string json;
  append_json(json, *value);
  EXPECT_EQ(json, "{\"a\": [1, -2.5e3, true, null, \"\xC3\xA9\\u000a\"], \"b\": {}, \"c\": []}");
  for (const std::string_view lenient : {"inf", "-nan", "01", "1.", "-.5", "1e"}) {
    const auto number = parse_json(lenient);
    if (!number) continue;
    std::string text;
    append_json(text, *number);
    EXPECT_EQ(text, '"' + std::string(lenient) + '"');
  }
}

TEST(JsonValueTest, RejectsWhatIsNotJson) {
  for (const std::string_view text : {"", "{", "[", "[1", "[1,]", "{\"a\"}", "{a:1}", "\"", "\"\\",
                                      "\"\\u12\"", "\"\\x\"", "1 2", "nul", "--1", "{\"a\":1,}"}) {
    EXPECT_FALSE(parse_json(text).has_value()) << text;
  }
  EXPECT_EQ(parse_json(std::string(100'000, '[')).error().code(), Errc::over_limit);
}

TEST(JsonValueTest, IsLimitedInDepthAndNumber) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + "1" + std::string(depth, ']');
  };
  EXPECT_TRUE(parse_json(nested(64)).has_value());
  EXPECT_EQ(parse_json(nested(65)).error().code(), Errc::over_limit);
  // The array is a value as well.
  std::string many = "[1";
  for (int i = 0; i < 249'998; ++i) many += ",1";
  EXPECT_TRUE(parse_json(many + "]").has_value());
  EXPECT_EQ(parse_json(many + ",1]").error().code(), Errc::over_limit);
}

TEST(JsonValueTest, FindsTheFirstMemberOfAName) {
  const auto value = parse_json(R"({"a":"1","a":2,"b":true})");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->text_of("a"), "1");
  EXPECT_EQ(value->find("a")->as_number(), 1U);
  EXPECT_EQ(value->text_of("b"), "");
  EXPECT_EQ(value->members[1].value.as_number(), 2U);
}

TEST(JsonValueTest, ReplacesHalfOfASurrogatePair) {
  EXPECT_EQ(parse_json(R"("\ud83d")")->text, "\xEF\xBF\xBD");
  EXPECT_EQ(parse_json(R"("\ude00x")")->text, "\xEF\xBF\xBDx");
  EXPECT_EQ(parse_json(R"("\ud83d\u0041")")->text,
            "\xEF\xBF\xBD"
            "A");
}

TEST(JsonValueTest, PassesBytesThatRfc8259Forbids) {
  EXPECT_EQ(parse_json("\"a\tb\xFF\"")->text, "a\tb\xFF");
}

}  // namespace
}  // namespace gossamer::base
