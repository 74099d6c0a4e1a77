// Responses of HTTP/2 that end too early, at every place: with a FIN or a reset of the connection
// at every byte, and with RST_STREAM or GOAWAY at every frame.

#include <gtest/gtest.h>
#include <tests/support/http2_conversation.h>

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::http2 {
namespace {

// Whole exchanges on stream 1.
std::vector<std::string> canned_exchanges() {
  const std::string fields = hpack({{":status", "200"}, {"content-type", "text/html"}});
  return {
      response(1, "hello"),
      headers(1, {{":status", "200"}, {"content-length", "5"}}) + data(1, "hel") + ping() +
          data(1, "lo", kEndStream),
      headers(1, {{":status", "103"}, {"link", "</x>"}}) + headers(1, {{":status", "200"}}) +
          window_update(0, 100) + data(1, "hello") + headers(1, {{"x", "y"}}, kEndStream),
      frame(Type::headers, kNone, 1, fields.substr(0, 9)) +
          frame(Type::continuation, kNone, 1, fields.substr(9, 9)) +
          frame(Type::continuation, kEndHeaders, 1, fields.substr(18)) +
          frame(Type::data, kPadded, 1, std::string("\x03hello\0\0\0", 9)) +
          data(1, {}, kEndStream),
      headers(1, {{":status", "204"}}, kEndStream),
  };
}

// Where the frames begin, and the end.
std::vector<std::size_t> frame_ends(std::string bytes) {
  std::vector<std::size_t> ends = {0};
  for (const Frame& each : take_frames(bytes)) {
    ends.push_back(ends.back() + kFrameHeaderBytes + each.payload.size());
  }
  return ends;
}

// Whether END_STREAM, and the head to which it belongs, are within the first bytes.
bool is_whole(std::string_view bytes, std::size_t size) { return size == bytes.size(); }

Fetched fetch_cut(const std::string& bytes, bool is_reset) {
  const Outcome outcome = run({.answers = [&](const Asked&) -> Reply {
    // The server does not read, so that its close becomes a reset.
    if (is_reset) return {.bytes = bytes, .delay = 1s, .resets = true, .rest = 2s};
    return {.bytes = bytes, .closes = true};
  }});
  EXPECT_EQ(outcome.asked.size(), 1u) << "a request on a fresh connection is not repeated";
  EXPECT_TRUE(outcome.idle == 0 || outcome.fetched[0].is_whole);
  return outcome.fetched[0];
}

TEST(Http2CutsTest, AConnectionMayEndAtEveryByte) {
  for (const std::string& bytes : canned_exchanges()) {
    for (const bool is_reset : {false, true}) {
      for (std::size_t size = 0; size <= bytes.size(); ++size) {
        SCOPED_TRACE(std::to_string(size) + " of " + std::to_string(bytes.size()) +
                     (is_reset ? ", then a reset" : ", then the end"));
        const Fetched page = fetch_cut(bytes.substr(0, size), is_reset);
        EXPECT_EQ(page.is_whole, is_whole(bytes, size)) << page.trouble;
        if (page.is_whole) continue;
        EXPECT_TRUE(page.trouble.starts_with(is_reset ? "reset" : "peer_closed")) << page.trouble;
        EXPECT_TRUE(std::string_view("hello").starts_with(page.body)) << page.body;
      }
    }
  }
}

TEST(Http2CutsTest, AStreamMayBeResetAtEveryFrame) {
  for (const std::string& bytes : canned_exchanges()) {
    for (const std::size_t end : frame_ends(bytes)) {
      // Nothing else is allowed inside a head.
      if (bytes[3] == 1 && bytes[4] == kNone && end > 0 && end < 60 && bytes[end + 3] == 9)
        continue;
      for (std::uint8_t code = 0; code <= 13; ++code) {
        SCOPED_TRACE("code " + std::to_string(code) + " after " + std::to_string(end));
        const std::string cut = bytes.substr(0, end) + reset(1, static_cast<Code>(code));
        std::size_t asked_before = 0;
        const Outcome outcome = run({.answers = [&](const Asked& asked) -> Reply {
          if (asked_before++ > 0) return {.bytes = response(asked.stream, "again")};
          return {.bytes = cut};
        }});
        const Fetched& page = outcome.fetched[0];
        const bool is_repeated = static_cast<Code>(code) == Code::refused_stream && end == 0;
        EXPECT_EQ(page.is_whole, is_whole(bytes, end) || is_repeated) << page.trouble;
        EXPECT_EQ(outcome.asked.size(), is_repeated ? 2u : 1u);
        EXPECT_EQ(outcome.idle, 1u);
        EXPECT_LT(page.took, 1s) << page.trouble;
      }
    }
  }
}

// Streams up to the last one of a GOAWAY continue; others were not processed.
TEST(Http2CutsTest, AServerMaySayGoodbyeAtEveryFrame) {
  for (const std::string& bytes : canned_exchanges()) {
    for (const std::size_t end : frame_ends(bytes)) {
      if (bytes[3] == 1 && bytes[4] == kNone && end > 0 && end < 60 && bytes[end + 3] == 9)
        continue;
      for (const std::uint32_t last : {0U, 1U, 0x7FFFFFFFU}) {
        for (const Code code : {Code::no_error, Code::internal_error}) {
          SCOPED_TRACE("last stream " + std::to_string(last) + ", after " + std::to_string(end));
          const std::string first = bytes.substr(0, end) + goaway(last, code) + bytes.substr(end);
          const Outcome outcome = run({.answers = [&](const Asked& asked) -> Reply {
            if (asked.connection > 1) return {.bytes = response(asked.stream, "again")};
            return {.bytes = first, .closes = true};
          }});
          const Fetched& page = outcome.fetched[0];
          const bool was_whole = is_whole(bytes, end);
          const bool is_repeated = last == 0 && end == 0;
          EXPECT_EQ(page.is_whole, last > 0 || was_whole || is_repeated) << page.trouble;
          EXPECT_EQ(outcome.connections, is_repeated ? 2u : 1u);
          EXPECT_EQ(outcome.idle, is_repeated ? 1u : 0u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gossamer::http2
