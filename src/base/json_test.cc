#include "base/json.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::base {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonTest, EscapesQuotesBackslashesAndControls) {
  EXPECT_EQ(quoted("a\"b\\c\n\x1b\x7f"), R"("a\"b\\c\u000a\u001b\u007f")");
}

TEST(JsonTest, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(quoted("caf\xC3\xA9"), "\"caf\xC3\xA9\"");
  EXPECT_EQ(quoted("a\xFF\xC3"), "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonTest, EscapesWhatDrivesATerminalOrEndsALine) {
  EXPECT_EQ(quoted("a\xC2\x9B"
                   "2J"),
            R"("a\u009b2J")");
  EXPECT_EQ(quoted("\xE2\x80\xAE\xE2\x80\xA8\xE2\x81\xA6"), R"("\u202e\u2028\u2066")");
  EXPECT_EQ(quoted("\xC2\xA0\xE2\x80\xA7"), "\"\xC2\xA0\xE2\x80\xA7\"") << "their neighbours";
}

TEST(JsonTest, WritesAnObjectMemberByMember) {
  JsonLine line;
  line.text("url", "http://a/").number("status", 200).decimal("took", 1.25, 1);
  line.boolean("ok", true).null("next").raw("list", "[1]");
  EXPECT_EQ(line.finish(),
            R"({"url": "http://a/", "status": 200, "took": 1.2, "ok": true, "next": null, )"
            R"("list": [1]})");
  EXPECT_EQ(line.finish(), "{}");
}

}  // namespace
}  // namespace gossamer::base
