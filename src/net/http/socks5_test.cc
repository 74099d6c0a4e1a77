#include "http/socks5.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::http::socks5 {
namespace {

std::string bytes(std::initializer_list<int> list) {
  std::string out;
  for (const int byte : list) out += static_cast<char>(byte);
  return out;
}

TEST(Socks5Test, OffersAPasswordOnlyIfThereIsOne) {
  EXPECT_EQ(greeting(false), bytes({5, 1, 0}));
  EXPECT_EQ(greeting(true), bytes({5, 2, 0, 2}));
  EXPECT_EQ(*read_greeting_answer(bytes({5, 0}), true), Method::none);
  EXPECT_EQ(*read_greeting_answer(bytes({5, 2}), true), Method::password);
  EXPECT_TRUE(read_greeting_answer(bytes({5, 2}), false).error() == Errc::denied);
  EXPECT_TRUE(read_greeting_answer(bytes({5, 255}), true).error() == Errc::denied);
  EXPECT_TRUE(read_greeting_answer(bytes({4, 0}), true).error() == Errc::malformed);
  EXPECT_TRUE(read_greeting_answer(bytes({5, 1}), true).error() == Errc::malformed);
}

TEST(Socks5Test, LeavesNamesToTheProxy) {
  EXPECT_EQ(*connect_message("a.example", 443),
            bytes({5, 1, 0, 3, 9}) + "a.example" + bytes({1, 187}));
  EXPECT_EQ(*connect_message("192.0.2.1", 80), bytes({5, 1, 0, 1, 192, 0, 2, 1, 0, 80}));
  EXPECT_EQ(connect_message("[::1]", 80)->size(), 22u);
  EXPECT_FALSE(connect_message(std::string(256, 'a'), 80));
  EXPECT_FALSE(connect_message("", 80));
}

TEST(Socks5Test, KnowsHowLongAnAnswerIs) {
  EXPECT_EQ(connect_answer_bytes(bytes({5, 0, 0, 1})), 0u);
  EXPECT_EQ(connect_answer_bytes(bytes({5, 0, 0, 1, 9})), 10u);
  EXPECT_EQ(connect_answer_bytes(bytes({5, 0, 0, 4, 9})), 22u);
  EXPECT_EQ(connect_answer_bytes(bytes({5, 0, 0, 3, 9})), 16u);
}

TEST(Socks5Test, ReportsTheReasonOfTheProxy) {
  const auto answer = [](int code) {
    return read_connect_answer(bytes({5, code, 0, 1, 0, 0, 0, 0, 0, 0}));
  };
  EXPECT_TRUE(answer(0));
  EXPECT_TRUE(answer(2).error() == Errc::denied);
  EXPECT_TRUE(answer(4).error() == Errc::unreachable);
  EXPECT_TRUE(answer(5).error() == Errc::refused);
  EXPECT_TRUE(answer(99).error() == Errc::malformed);
  EXPECT_FALSE(read_connect_answer(bytes({5, 0, 0, 9, 0})));
}

TEST(Socks5Test, SendsAPasswordThatFits) {
  EXPECT_EQ(*password_message("jan", "word"), bytes({1, 3}) + "jan" + bytes({4}) + "word");
  EXPECT_FALSE(password_message(std::string(256, 'u'), "p"));
  EXPECT_TRUE(read_password_answer(bytes({1, 0})));
  EXPECT_TRUE(read_password_answer(bytes({1, 1})).error() == Errc::denied);
}

TEST(Socks5Test, SendsNamesAndPasswordsOf255Bytes) {
  const std::string longest(255, 'a');
  EXPECT_EQ(connect_message(longest, 0x1234)->substr(4), bytes({255}) + longest + "\x12\x34");
  EXPECT_EQ(*password_message(longest, longest),
            bytes({1, 255}) + longest + bytes({255}) + longest);
  EXPECT_FALSE(password_message("u", std::string(256, 'p')));
  EXPECT_FALSE(password_message("", "p"));
  EXPECT_EQ(*password_message("u", ""), bytes({1, 1}) + "u" + bytes({0}));
  EXPECT_EQ(connect_message("[2001:db8::1]", 80)->substr(0, 8),
            bytes({5, 1, 0, 4, 0x20, 0x01, 0x0d, 0xb8}));
  EXPECT_EQ(connect_answer_bytes(bytes({5, 0, 0, 3, 255})), 6u + 1u + 255u);
}

TEST(Socks5Test, AcceptsOnlyAnswersOfVersion5WithAKnownAddress) {
  const auto answer = [](int version, int kind) {
    return read_connect_answer(bytes({version, 0, 0, kind, 0, 0, 0, 0, 0, 0}));
  };
  for (const int kind : {1, 3, 4}) EXPECT_TRUE(answer(5, kind)) << kind;
  for (const int kind : {0, 2, 5}) EXPECT_TRUE(answer(5, kind).error() == Errc::malformed) << kind;
  EXPECT_TRUE(answer(4, 1).error() == Errc::malformed);
}

}  // namespace
}  // namespace gossamer::http::socks5
