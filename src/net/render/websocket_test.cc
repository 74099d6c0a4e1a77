#include "render/websocket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace gossamer::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The example of RFC 6455 section 1.3.
constexpr std::string_view kKey = "dGhlIHNhbXBsZSBub25jZQ==";
constexpr std::string_view kAnswer =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

std::string text_frame(std::string_view head, std::string_view payload) {
  return std::string(head) + std::string(payload);
}

std::vector<std::string> read(std::string_view bytes, std::size_t step, Errc* problem = nullptr,
                              std::size_t bytes_max = 100'000) {
  WebSocketReader reader(bytes_max);
  std::vector<std::string> messages;
  while (!bytes.empty()) {
    const std::string piece(bytes.substr(0, step));
    bytes.remove_prefix(piece.size());
    reader.feed(as_bytes(piece));
    for (;;) {
      auto message = reader.next();
      if (!message) {
        if (problem != nullptr) *problem = message.error().code();
        return messages;
      }
      if (!*message) break;
      messages.push_back(std::to_string(static_cast<int>((*message)->kind)) + (*message)->payload);
    }
  }
  return messages;
}

TEST(WebSocket, AcceptsTheAnswerOfTheStandard) {
  const auto length = read_websocket_answer(std::string(kAnswer) + "\x81", kKey);
  ASSERT_TRUE(length);
  EXPECT_EQ(*length, kAnswer.size());
  for (std::size_t end = 0; end < kAnswer.size(); ++end) {
    const auto part = read_websocket_answer(kAnswer.substr(0, end), kKey);
    ASSERT_TRUE(part);
    EXPECT_EQ(*part, std::nullopt);
  }
}

TEST(WebSocket, RejectsOtherAnswers) {
  EXPECT_EQ(read_websocket_answer(kAnswer, "AAAAAAAAAAAAAAAAAAAAAA==").error(), Errc::malformed);
  EXPECT_EQ(read_websocket_answer("HTTP/1.1 200 OK\r\n\r\n", kKey).error(), Errc::malformed);
  EXPECT_EQ(read_websocket_answer(std::string(10'000, 'x'), kKey).error(), Errc::malformed);
  std::string extended(kAnswer);
  extended.insert(extended.size() - 2, "Sec-WebSocket-Extensions: permessage-deflate\r\n");
  EXPECT_EQ(read_websocket_answer(extended, kKey).error(), Errc::malformed);
}

TEST(WebSocket, ReadsUrls) {
  const auto url = parse_websocket_url("ws://127.0.0.1:9222/devtools/browser/1?a");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "127.0.0.1");
  EXPECT_EQ(url->port, 9222);
  EXPECT_EQ(url->target, "/devtools/browser/1?a");
  EXPECT_THAT(websocket_request(*url, kKey), HasSubstr("Host: 127.0.0.1:9222\r\n"));
  EXPECT_EQ(parse_websocket_url("WS://[::1]")->host, "[::1]");
  EXPECT_EQ(parse_websocket_url("ws://[::1]:80/")->host, "[::1]");
  EXPECT_EQ(parse_websocket_url("ws://a.example")->target, "/");
  EXPECT_FALSE(parse_websocket_url("ws://a.example")->is_tls);
  EXPECT_TRUE(parse_websocket_url("WSS://a.example/x")->is_tls);
  EXPECT_EQ(parse_websocket_url("wss://a.example/x")->port, 443);
  for (const char* wrong :
       {"http://a/", "wss://", "wsss://a/", "ws://", "ws://:80/", "ws://a:x/", "ws://a:0/",
        "ws://a:70000/", "ws://a/b c", "ws://a/\r\nX: y", "ws://u@a/", "ws://a/#"}) {
    EXPECT_FALSE(parse_websocket_url(wrong)) << wrong;
  }
}

// The examples of RFC 6455 section 5.7.
TEST(WebSocket, ReadsTheFramesOfTheStandard) {
  const std::string hello("\x81\x05Hello", 7);
  const std::string fragments("\x01\x03Hel\x80\x02lo", 9);
  const std::string ping("\x89\x05Hello", 7);
  const std::string middle = text_frame({"\x81\x7E\x01\x00", 4}, std::string(256, 'x'));
  const std::string large =
      text_frame({"\x81\x7F\x00\x00\x00\x00\x00\x01\x00\x00", 10}, std::string(65536, 'y'));
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}}) {
    EXPECT_THAT(read(hello + fragments + ping + middle + large, step),
                ElementsAre("1Hello", "1Hello", "9Hello", "1" + std::string(256, 'x'),
                            "1" + std::string(65536, 'y')));
    // Between the frames of a message there may be others.
    EXPECT_THAT(read(std::string("\x01\x03Hel\x89\x00\x80\x02lo\x88\x00", 13), step),
                ElementsAre("9", "1Hello", "8"));
  }
  EXPECT_EQ(websocket_frame(FrameKind::text, "Hello", {'\x37', '\xfa', '\x21', '\x3d'}),
            "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
}

TEST(WebSocket, RejectsBrokenFrames) {
  for (const auto& [bytes, expected] :
       {std::pair(std::string("\xC1\x00", 2), Errc::malformed),         // a reserved bit
        {std::string("\x81\x80\x00\x00\x00\x00", 6), Errc::malformed},  // masked
        {std::string("\x82\x00", 2), Errc::malformed},                  // bytes, not text
        {std::string("\x83\x00", 2), Errc::malformed},                  // unknown
        {std::string("\x80\x00", 2), Errc::malformed},                  // continues nothing
        {std::string("\x01\x00\x81\x00", 4), Errc::malformed},          // begins within another
        {std::string("\x09\x00", 2), Errc::malformed},                  // a ping in parts
        {std::string("\x89\x7E\x00\x7E", 4), Errc::malformed},          // a long ping
        {std::string("\x81\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 10), Errc::over_limit}}) {
    for (const std::size_t step : {std::size_t{1}, std::size_t{100}}) {
      Errc problem = Errc::internal;
      EXPECT_THAT(read(bytes, step, &problem), testing::IsEmpty());
      EXPECT_EQ(problem, expected);
    }
  }
  Errc problem = Errc::internal;
  EXPECT_THAT(read(std::string("\x01\x03"
                               "abc"
                               "\x80\x03"
                               "def",
                               10),
                   100, &problem, 5),
              testing::IsEmpty());
  EXPECT_EQ(problem, Errc::over_limit);
}

TEST(WebSocket, WritesFramesOfAnySize) {
  for (const std::size_t size : {0, 1, 125, 126, 65535, 65536, 70'000}) {
    const std::string payload(size, 'p');
    std::string frame = websocket_frame(FrameKind::text, payload, {'\0', '\0', '\0', '\0'});
    // What a client sends, without the mask, is what a server may send.
    const std::size_t head = frame.size() - size;
    frame.erase(head - 4, 4);
    frame[1] = static_cast<char>(frame[1] & 0x7F);
    EXPECT_THAT(read(frame, 1000), ElementsAre("1" + payload));
  }
}

TEST(WebSocket, SurvivesRandomBytes) {
  base::Random random(1);
  for (int run = 0; run < 20'000; ++run) {
    std::string bytes;
    for (std::size_t i = random.below(40); i > 0; --i) {
      bytes.push_back(static_cast<char>(random.below(256)));
    }
    read(bytes, 1 + random.below(8));
  }
}

}  // namespace
}  // namespace gossamer::render
