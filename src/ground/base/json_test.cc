#include "base/json.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::base {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonTest, EscapesQuotesBackslashesAndControls) {
  EXPECT_EQ(json_string("a\"b\\c\n\x1b\x7f"), R"("a\"b\\c\u000a\u001b\u007f")");
}

TEST(JsonTest, EscapesEveryByteInItsPlace) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    const std::string alone = json_string(one);
    const std::string escaped = alone.substr(1, alone.size() - 2);
    EXPECT_EQ(json_string("ab" + one + "cd" + one), "\"ab" + escaped + "cd" + escaped + "\"")
        << byte;
    for (std::size_t place = 0; place < 20; ++place) {
      std::string text(20, 'x');
      text[place] = static_cast<char>(byte);
      EXPECT_EQ(json_string(text),
                "\"" + std::string(place, 'x') + escaped + std::string(19 - place, 'x') + "\"");
    }
    const bool is_plain = byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
    EXPECT_EQ(escaped == one, is_plain) << byte;
  }
  EXPECT_EQ(json_string(""), "\"\"");
}

TEST(JsonTest, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(json_string("caf\xC3\xA9"), "\"caf\xC3\xA9\"");
  EXPECT_EQ(json_string("a\xFF\xC3"), "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonTest, EscapesWhatDrivesATerminalOrEndsALine) {
  EXPECT_EQ(json_string("a\xC2\x9B"
                        "2J"),
            R"("a\u009b2J")");
  EXPECT_EQ(json_string("\xE2\x80\xAE\xE2\x80\xA8\xE2\x81\xA6"), R"("\u202e\u2028\u2066")");
  EXPECT_EQ(json_string("\xC2\xA0\xE2\x80\xA7"), "\"\xC2\xA0\xE2\x80\xA7\"") << "their neighbours";
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
