// What a client must do with each frame of a server, by the sections of RFC 9113. The list has the
// 57 cases of h2spec's tester for clients, written anew from the sections. It expects more than RFC
// 9113 demands for five of them: frames on closed streams, which the client ignores. An error of a
// stream may end the connection.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/http2_conversation.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::http2 {
namespace {

enum class Reaction : std::uint8_t {
  accepts,          // the page arrives, and the client answers what follows
  ends_stream,      // RST_STREAM with one of the codes; the connection stays
  ends_connection,  // GOAWAY with one of the codes, and the connection is closed
  ignores,          // no error for the server, and the connection stays
};

struct Case {
  const char* section;
  const char* what;
  std::string bytes;  // after the request on stream 1
  Reaction reaction;
  std::vector<Code> codes = {};
};

constexpr std::uint8_t kAllFlags = 0x16;  // that PING does not define; ACK is not among them
const std::string kEight(8, '\0');
const Fields kOk = {{":status", "200"}};

std::string head(std::uint8_t flags = kNone) { return headers(1, kOk, flags); }
// A head that continues.
std::string open_head(std::uint8_t flags = kNone) {
  return frame(Type::headers, flags, 1, hpack(kOk));
}
std::string continuation(std::uint32_t stream, std::uint8_t flags) {
  return frame(Type::continuation, flags, stream, hpack({{"x-dummy", "1"}}));
}
std::string priority(std::uint32_t stream) {
  return frame(Type::priority, kNone, stream, number(0, 4) + '\xff');
}
std::string with_reserved_bit(std::string bytes) {
  bytes[5] = static_cast<char>(bytes[5] | '\x80');
  return bytes;
}

std::vector<Case> cases_of_frames() {
  const auto kBad = Reaction::ends_connection;
  return {
      {"3.4", "the preface of the client", "", Reaction::accepts},
      {"4.1", "a frame of unknown type", frame(Type::unknown, kNone, 0, kEight), Reaction::accepts},
      {"4.1", "a flag without meaning", frame(Type::ping, kAllFlags, 0, kEight), Reaction::accepts},
      {"4.1", "the reserved bit", with_reserved_bit(frame(Type::ping, kNone, 0, kEight)),
       Reaction::accepts},
      {"4.2", "DATA of 2^14 bytes", head() + data(1, std::string(1 << 14, 'x'), kEndStream),
       Reaction::accepts},
      {"4.2",
       "DATA above the limit",
       head() + data(1, std::string((1 << 14) + 1, 'x')),
       kBad,
       {Code::frame_size_error}},
      {"4.2",
       "HEADERS above the limit",
       headers(1, {{":status", "200"}, {"x", std::string(1 << 14, 'x')}}),
       kBad,
       {Code::frame_size_error}},
      {"4.3",
       "an invalid field block",
       frame(Type::headers, kEndStream | kEndHeaders, 1, "\x40"),
       kBad,
       {Code::compression_error}},
      {"5.4.1",
       "an invalid PING: the connection is closed",
       frame(Type::ping, kNone, 3, kEight),
       kBad,
       {Code::protocol_error}},
      {"5.4.1",
       "an invalid PING: GOAWAY comes first",
       frame(Type::ping, kNone, 3, kEight),
       kBad,
       {Code::protocol_error}},
      {"5.5", "an unknown extension", frame(Type::unknown, kNone, 0, kEight), Reaction::accepts},
  };
}

// A stream of the server is idle, because push is off.
std::vector<Case> cases_of_states() {
  const auto kBad = Reaction::ends_connection;
  const std::vector<Code> protocol = {Code::protocol_error};
  // RFC 9113 lets a client treat what comes on a closed stream as an error. nghttp2 drops it: it
  // keeps nothing of closed streams, and such frames count as idle ones.
  const std::string was_reset = head() + reset(1, Code::cancel);
  const std::vector<Code> closed = {Code::stream_closed, Code::protocol_error};
  return {
      {"5.1", "idle: DATA", data(2, "test", kEndStream), kBad, protocol},
      {"5.1", "idle: RST_STREAM", reset(2, Code::cancel), kBad, protocol},
      {"5.1", "idle: WINDOW_UPDATE", window_update(2, 100), kBad, protocol},
      {"5.1", "idle: CONTINUATION", continuation(2, kEndHeaders), kBad, protocol},
      {"5.1", "closed by RST_STREAM: DATA", was_reset + data(1, "test", kEndStream),
       Reaction::ignores},
      {"5.1", "closed by RST_STREAM: HEADERS", was_reset + head(kEndStream), Reaction::ignores},
      {"5.1", "closed by RST_STREAM: CONTINUATION", was_reset + continuation(1, kEndHeaders), kBad,
       closed},
      {"5.1", "closed: DATA", head(kEndStream) + data(1, "test", kEndStream), Reaction::ignores},
      {"5.1", "closed: HEADERS", head(kEndStream) + head(kEndStream), Reaction::ignores},
      {"5.1", "closed: CONTINUATION", head(kEndStream) + continuation(1, kEndHeaders), kBad,
       closed},
      {"5.1.1", "a stream that the client did not open", headers(101, kOk, kEndStream), kBad,
       protocol},
      {"6.1", "DATA on stream 0", data(0, "test", kEndStream), kBad, protocol},
      {"6.1", "DATA on a closed stream", head(kEndStream) + data(1, "test", kEndStream),
       Reaction::ignores},
      {"6.1", "DATA with too much padding",
       head() + frame(Type::data, kEndStream | kPadded, 1, "\x06Test"), kBad, protocol},
      {"6.2", "PRIORITY inside a head", open_head() + priority(1) + continuation(1, kEndHeaders),
       kBad, protocol},
      {"6.2", "HEADERS on stream 0", headers(0, kOk, kEndStream), kBad, protocol},
      {"6.2", "HEADERS with too much padding",
       frame(Type::headers, kPadded | kEndHeaders, 1, "\x40" + hpack(kOk)), kBad, protocol},
      {"6.3", "PRIORITY on stream 0", priority(0), kBad, protocol},
      {"6.3",
       "PRIORITY of 4 bytes",
       head(kEndStream) + frame(Type::priority, kNone, 1, number(1, 4)),
       kBad,
       {Code::frame_size_error}},
      {"6.4", "RST_STREAM on stream 0", reset(0, Code::cancel), kBad, protocol},
      {"6.4", "RST_STREAM on an idle stream", reset(2, Code::cancel), kBad, protocol},
      {"6.4",
       "RST_STREAM of 3 bytes",
       head(kEndStream) + frame(Type::rst_stream, kNone, 1, number(0, 3)),
       kBad,
       {Code::frame_size_error}},
  };
}

std::vector<Case> cases_of_control() {
  const auto kBad = Reaction::ends_connection;
  const std::vector<Code> protocol = {Code::protocol_error};
  const std::vector<Code> size = {Code::frame_size_error};
  const std::vector<Code> flow = {Code::flow_control_error};
  constexpr std::uint32_t kWindowMax = 0x7FFFFFFF;
  return {
      {"6.5", "SETTINGS with ACK and content", frame(Type::settings, kAck, 0, number(0, 1)), kBad,
       size},
      {"6.5", "SETTINGS on a stream",
       frame(Type::settings, kNone, 1, number(3, 2) + number(100, 4)), kBad, protocol},
      {"6.5", "SETTINGS of 3 bytes", frame(Type::settings, kNone, 0, number(0x300, 3)), kBad, size},
      {"6.5.2", "a window above 2^31-1", settings({{kInitialWindowSize, 0x80000000}}), kBad, flow},
      {"6.5.2", "frames below 2^14", settings({{kMaxFrameSize, 16'383}}), kBad, protocol},
      {"6.5.2", "frames above 2^24-1", settings({{kMaxFrameSize, 16'777'216}}), kBad, protocol},
      {"6.5.2", "an unknown setting", settings({{0xFF, 1}}), Reaction::accepts},
      {"6.5.3", "SETTINGS are acknowledged", settings({{2, 0}}), Reaction::accepts},
      {"6.7", "PING is answered", frame(Type::ping, kNone, 0, "gossamer"), Reaction::accepts},
      {"6.7", "PING with ACK is not answered", frame(Type::ping, kAck, 0, "unwanted"),
       Reaction::accepts},
      {"6.7", "PING on a stream", frame(Type::ping, kNone, 1, kEight), kBad, protocol},
      {"6.7", "PING of 6 bytes", frame(Type::ping, kNone, 0, number(0, 6)), kBad, size},
      {"6.8", "GOAWAY on a stream", frame(Type::goaway, kNone, 1, number(0, 8)), kBad, protocol},
      {"6.9", "WINDOW_UPDATE of 0", window_update(0, 0), kBad, protocol},
      {"6.9", "WINDOW_UPDATE of 0 on a stream", head() + window_update(1, 0), kBad, protocol},
      {"6.9", "WINDOW_UPDATE of 3 bytes", frame(Type::window_update, kNone, 0, number(1, 3)), kBad,
       size},
      {"6.9.1", "windows above 2^31-1", window_update(0, kWindowMax) + window_update(0, kWindowMax),
       kBad, flow},
      {"6.9.1", "windows of a stream above 2^31-1",
       head() + window_update(1, kWindowMax) + window_update(1, kWindowMax), Reaction::ends_stream,
       flow},
      {"6.10", "several CONTINUATIONs",
       open_head(kEndStream) + continuation(1, kNone) + continuation(1, kEndHeaders),
       Reaction::accepts},
      {"6.10", "DATA between CONTINUATIONs",
       open_head() + continuation(1, kNone) + data(1, "test", kEndStream), kBad, protocol},
      {"6.10", "CONTINUATION on stream 0", open_head(kEndStream) + continuation(0, kEndHeaders),
       kBad, protocol},
      {"6.10", "CONTINUATION after a whole head", head(kEndStream) + continuation(1, kEndHeaders),
       kBad, protocol},
      {"6.10", "CONTINUATION after the last one",
       open_head(kEndStream) + continuation(1, kEndHeaders) + continuation(1, kEndHeaders), kBad,
       protocol},
      {"6.10", "CONTINUATION after DATA",
       open_head() + data(1, "test", kEndStream) + continuation(1, kNone), kBad, protocol},
  };
}

std::vector<Case> all_cases() {
  std::vector<Case> all = cases_of_frames();
  for (auto* const more : {&cases_of_states, &cases_of_control}) {
    for (Case& each : more()) all.push_back(std::move(each));
  }
  return all;
}

// The codes of the GOAWAY or RST_STREAM frames that the client sent.
std::vector<Code> codes_in(const Outcome& outcome, Type type) {
  std::vector<Code> codes;
  for (const Frame& sent : outcome.frames) {
    if (sent.type != type) continue;
    codes.push_back(static_cast<Code>(sent.payload[type == Type::goaway ? 7 : 3]));
  }
  return codes;
}

std::size_t acknowledged(const Outcome& outcome, Type type, std::string_view payload) {
  return static_cast<std::size_t>(std::ranges::count_if(outcome.frames, [&](const Frame& sent) {
    return sent.type == type && sent.has(kAck) && sent.payload == payload;
  }));
}

bool is_one_of(const std::vector<Code>& codes, const std::vector<Code>& expected) {
  return codes.size() == 1 && std::ranges::find(expected, codes[0]) != expected.end();
}

// The case, then a PING and, unless it was the response, the page.
std::string reply_to(const Case& test) {
  const bool has_response = test.reaction != Reaction::accepts ||
                            test.bytes.find('\x88') != std::string::npos ||
                            test.bytes.find(":status") != std::string::npos;
  std::string bytes = test.bytes;
  if (test.reaction == Reaction::accepts && !has_response) bytes += response(1, "page");
  return bytes + ping();
}

void judge(const Case& test, const Outcome& outcome) {
  const auto goaways = codes_in(outcome, Type::goaway);
  const auto resets = codes_in(outcome, Type::rst_stream);
  const Fetched& page = outcome.fetched[0];
  switch (test.reaction) {
    case Reaction::accepts:
      EXPECT_TRUE(page.is_whole) << page.trouble;
      EXPECT_TRUE(goaways.empty() && resets.empty());
      EXPECT_EQ(acknowledged(outcome, Type::ping, "12345678"), 1u);
      EXPECT_EQ(acknowledged(outcome, Type::ping, "unwanted"), 0u);
      EXPECT_EQ(outcome.idle, 1u);
      break;
    case Reaction::ignores:
      EXPECT_TRUE(goaways.empty());
      EXPECT_EQ(page.body, "") << "it belongs to no response";
      EXPECT_EQ(outcome.idle, 1u);
      break;
    case Reaction::ends_stream:
      EXPECT_TRUE(is_one_of(resets, test.codes)) << resets.size();
      EXPECT_TRUE(goaways.empty());
      EXPECT_FALSE(page.is_whole);
      EXPECT_EQ(outcome.idle, 1u);
      break;
    case Reaction::ends_connection:
      EXPECT_TRUE(is_one_of(goaways, test.codes))
          << goaways.size() << ": " << (goaways.empty() ? -1 : static_cast<int>(goaways[0]));
      EXPECT_EQ(outcome.idle, 0u);
      EXPECT_EQ(acknowledged(outcome, Type::ping, "12345678"), 0u);
      break;
  }
}

TEST(Http2CasesTest, TheClientReactsAsTheSectionsSay) {
  const std::vector<Case> cases = all_cases();
  EXPECT_EQ(cases.size(), 57u);
  for (const Case& test : cases) {
    SCOPED_TRACE(std::string(test.section) + " " + test.what);
    const std::string bytes = reply_to(test);
    const Outcome outcome = run({.answers = [&](const Asked&) -> Reply { return {.bytes = bytes}; },
                                 .count = 1,
                                 .is_concurrent = true,
                                 .between = 1s});
    judge(test, outcome);
    EXPECT_GE(acknowledged(outcome, Type::settings, ""), 1u);
    if (test.what == std::string("PING is answered")) {
      EXPECT_EQ(acknowledged(outcome, Type::ping, "gossamer"), 1u);
    }
    if (test.what == std::string("SETTINGS are acknowledged")) {
      EXPECT_EQ(acknowledged(outcome, Type::settings, ""), 2u);
    }
  }
}

}  // namespace
}  // namespace gossamer::http2
