#include "redis/resp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::redis {
namespace {

using testing::HasSubstr;

// Returns the replies, each as text, or the error; feeds pieces of that size from exact buffers.
std::vector<std::string> read(std::string_view bytes, std::size_t piece, RespLimits limits = {});

std::string shown(const Reply& reply) {
  switch (reply.kind) {
    case Reply::Kind::null: return "null";
    case Reply::Kind::text: return "'" + reply.text + "'";
    case Reply::Kind::error: return "error " + reply.text;
    case Reply::Kind::integer: return std::to_string(reply.integer);
    case Reply::Kind::number: return "number " + reply.text;
    case Reply::Kind::array:
    case Reply::Kind::push: break;
  }
  std::string out = reply.is_array() ? "[" : "push [";
  for (const Reply& item : reply.items) out += (out.ends_with('[') ? "" : " ") + shown(item);
  return out + "]";
}

std::vector<std::string> read(std::string_view bytes, std::size_t piece, RespLimits limits) {
  RespReader reader(limits);
  std::vector<std::string> replies;
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::string_view part = bytes.substr(at, piece);
    const std::vector<char> block(part.begin(), part.end());
    const auto step = reader.feed(as_bytes({block.data(), block.size()}));
    if (!step) {
      replies.push_back(step.error().to_string());
      return replies;
    }
    at += step->consumed;
    if (step->is_done) replies.push_back(shown(reader.take()));
  }
  if (reader.is_inside()) replies.emplace_back("incomplete");
  return replies;
}

std::string read_one(std::string_view bytes, RespLimits limits = {}) {
  const std::vector<std::string> whole = read(bytes, bytes.size(), limits);
  EXPECT_EQ(read(bytes, 1, limits), whole);
  EXPECT_EQ(read(bytes, 3, limits), whole);
  return whole.empty() ? "nothing" : whole.front();
}

TEST(RespReader, ReadsTheTypesOfVersionTwo) {
  EXPECT_EQ(read_one("+OK\r\n"), "'OK'");
  EXPECT_EQ(read_one("-ERR no\r\n"), "error ERR no");
  EXPECT_EQ(read_one(":-42\r\n"), "-42");
  EXPECT_EQ(read_one("$5\r\na\r\nbc\r\n"), "'a\r\nbc'");
  EXPECT_EQ(read_one("$0\r\n\r\n"), "''");
  EXPECT_EQ(read_one("$-1\r\n"), "null");
  EXPECT_EQ(read_one("*-1\r\n"), "null");
  EXPECT_EQ(read_one("*0\r\n"), "[]");
  EXPECT_EQ(read_one("*3\r\n:1\r\n*2\r\n$1\r\na\r\n$-1\r\n-E\r\n"), "[1 ['a' null] error E]");
}

TEST(RespReader, ReadsTheTypesOfVersionThree) {
  EXPECT_EQ(read_one("_\r\n"), "null");
  EXPECT_EQ(read_one("#t\r\n"), "1");
  EXPECT_EQ(read_one("#f\r\n"), "0");
  EXPECT_EQ(read_one(",1.5\r\n"), "number 1.5");
  EXPECT_EQ(read_one("(123456789012345678901234567890\r\n"),
            "number 123456789012345678901234567890");
  EXPECT_EQ(read_one("=6\r\ntxt:ab\r\n"), "'ab'");
  EXPECT_EQ(read_one("!3\r\nE x\r\n"), "error E x");
  EXPECT_EQ(read_one("%1\r\n+a\r\n:1\r\n"), "['a' 1]");
  EXPECT_EQ(read_one("~2\r\n:1\r\n:2\r\n"), "[1 2]");
  EXPECT_EQ(read_one(">1\r\n+m\r\n"), "push ['m']");
  EXPECT_EQ(read_one("|1\r\n+ttl\r\n:3\r\n*1\r\n:7\r\n"), "[7]") << "attributes are dropped";
  EXPECT_EQ(read_one("*2\r\n|1\r\n+a\r\n:3\r\n:7\r\n:8\r\n"), "[7 8]");
}

TEST(RespReader, ReadsSeveralReplies) {
  const std::vector<std::string> expected = {"'OK'", "1", "['a']", "incomplete"};
  const std::string_view bytes = "+OK\r\n:1\r\n*1\r\n$1\r\na\r\n$3\r\nx";
  EXPECT_EQ(read(bytes, bytes.size()), expected);
  EXPECT_EQ(read(bytes, 1), expected);
}

TEST(RespReader, RejectsBrokenReplies) {
  for (const std::string_view broken :
       {"?\r\n",        "\r\n",           "\n",           "+a\n",
        "+a\rb\r\n",    ":\r\n",          ":1x\r\n",      ":99999999999999999999\r\n",
        "$a\r\n",       "$-2\r\n",        "$1\r\nabc",    "$1\r\na\n\n",
        "*x\r\n",       "*-2\r\n",        "#x\r\n",       "_x\r\n",
        "=2\r\nab\r\n", "=4\r\nabcd\r\n", "$+1\r\na\r\n", "%-1\r\n"}) {
    EXPECT_THAT(read_one(broken), HasSubstr("malformed")) << broken;
  }
  EXPECT_THAT(read_one("$?\r\n"), HasSubstr("unsupported"));
  EXPECT_THAT(read_one("*?\r\n"), HasSubstr("unsupported"));
}

TEST(RespReader, HasLimits) {
  constexpr RespLimits kSmall = {
      .line_bytes_max = 8, .reply_bytes_max = 16, .items_max = 4, .depth_max = 2};
  EXPECT_EQ(read_one("+1234567\r\n", kSmall), "'1234567'");
  EXPECT_THAT(read_one("+12345678\r\n", kSmall), HasSubstr("over_limit"));
  EXPECT_THAT(read_one("$17\r\n", kSmall), HasSubstr("over_limit"));
  EXPECT_THAT(read_one("*2\r\n$9\r\n123456789\r\n$9\r\n", kSmall), HasSubstr("over_limit"));
  EXPECT_THAT(read_one("*5\r\n", kSmall), HasSubstr("over_limit"));
  EXPECT_THAT(read_one("*2\r\n*2\r\n:1\r\n:2\r\n:3\r\n", kSmall), HasSubstr("over_limit"));
  EXPECT_THAT(read_one("*1\r\n*1\r\n*1\r\n", kSmall), HasSubstr("over_limit"));
  EXPECT_THAT(read_one("$18446744073709551615\r\n"), HasSubstr("over_limit"));
  EXPECT_THAT(read_one("%18446744073709551615\r\n"), HasSubstr("over_limit"));
}

TEST(RespReader, AnAnnouncedLengthTakesNoMemory) {
  RespReader reader;
  ASSERT_TRUE(reader.feed(as_bytes("*1000000\r\n$60000000\r\n")).has_value());
  EXPECT_TRUE(reader.is_inside());
}

TEST(Reply, IntegersMayBeTexts) {
  Reply reply;
  EXPECT_EQ(reply.as_integer(-1), -1);
  reply.kind = Reply::Kind::text;
  reply.text = "12";
  EXPECT_EQ(reply.as_integer(-1), 12);
  reply.text = "12a";
  EXPECT_EQ(reply.as_integer(-1), -1);
}

TEST(Commands, WordsCannotBeginAnotherCommand) {
  Commands commands;
  commands.add({"SET", "a\r\n*1\r\n$8\r\nFLUSHALL", std::string_view("\0", 1)});
  commands.add(std::vector<std::string>{"PING"});
  EXPECT_EQ(commands.count(), 2u);
  EXPECT_EQ(read(commands.bytes(), 7),
            (std::vector<std::string>{
                "['SET' 'a\r\n*1\r\n$8\r\nFLUSHALL' '" + std::string(1, '\0') + "']", "['PING']"}));
}

}  // namespace
}  // namespace gossamer::redis
