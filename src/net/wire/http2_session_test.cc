#include "wire/http2_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/http2_frames.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"

namespace gossamer::wire {
namespace {

using http2::Code;
using http2::Frame;
using http2::Type;
using testing::HasSubstr;

// Records the response of one stream.
class Recorder final : public Http2Reader {
 public:
  void on_sent(std::size_t bytes) override { sent += bytes; }
  void on_frame(std::size_t bytes) override { received += bytes; }
  void on_begin() override { has_begun = true; }
  void on_head(ResponseHead arrived) override { head = arrived.raw(); }
  void on_body(Bytes piece) override { body += as_text(piece); }
  void on_end(Http2End how, std::optional<Error> why) override {
    EXPECT_FALSE(end) << "a stream ends once";
    end = how;
    error = why ? why->to_string() : "";
  }

  bool is_complete() const { return end == Http2End::complete; }

  std::string head;
  std::string body;
  std::optional<Http2End> end;
  std::string error;
  std::size_t sent = 0;
  std::size_t received = 0;
  bool has_begun = false;
};

// A session with a server whose frames the test writes.
class Conversation {
 public:
  Conversation() {
    flush();
    EXPECT_TRUE(receive(http2::settings() + http2::settings_ack()));
  }

  std::int32_t request(Recorder& reader, std::string_view method = "GET",
                       std::string_view body = {}, std::span<const RequestField> fields = {}) {
    Request head = {.method = method, .url = &url_, .fields = fields};
    if (!body.empty()) head.body_bytes = body.size();
    const std::int32_t stream = session_.request(head, "https", as_bytes(body), reader);
    flush();
    return stream;
  }
  Result<void> receive(std::string_view bytes) {
    auto taken = session_.receive(as_bytes(bytes));
    flush();
    return taken;
  }
  // The frames that we send are in `frames_`.
  void flush() {
    CHECK(session_.take_output(out_, 1 << 20));
    for (Frame& frame : http2::take_frames(out_)) frames_.push_back(std::move(frame));
  }
  bool has_sent(Type type, std::uint32_t stream) const {
    return std::ranges::any_of(
        frames_, [&](const Frame& frame) { return frame.type == type && frame.stream == stream; });
  }
  std::size_t window_given(std::uint32_t stream) const {
    std::size_t bytes = 0;
    for (const Frame& frame : frames_) {
      if (frame.type != Type::window_update || frame.stream != stream) continue;
      std::size_t value = 0;
      for (const char c : frame.payload) value = value * 256 + static_cast<unsigned char>(c);
      bytes += value;
    }
    return bytes;
  }
  // Feeds a response to one request and returns what its reader got.
  Recorder answered(std::string_view bytes) {
    Recorder reader;
    EXPECT_EQ(request(reader), 1);
    static_cast<void>(receive(bytes));
    if (!reader.end) session_.cancel(1);
    return reader;
  }

  const url::Url url_ = *url::Url::parse("https://a.example:8443/path?query");
  Http2Limits limits_;
  Http2Session session_{limits_};
  std::string out_;
  std::vector<Frame> frames_;
};

class Http2SessionTest : public testing::Test, public Conversation {};

TEST_F(Http2SessionTest, CarriesAnExchange) {
  const Recorder reader = answered(http2::response(1, "hello"));
  EXPECT_TRUE(reader.is_complete()) << reader.error;
  EXPECT_EQ(reader.head, "HTTP/1.1 200 \r\ncontent-type: text/plain\r\n\r\n");
  EXPECT_EQ(reader.body, "hello");
  EXPECT_GT(reader.sent, 0u);
  EXPECT_EQ(reader.received, http2::response(1, "hello").size());
  EXPECT_TRUE(has_sent(Type::headers, 1));
  EXPECT_EQ(session_.streams(), 0u);
  EXPECT_TRUE(session_.accepts_requests());
}

TEST_F(Http2SessionTest, TakesBytesInAnyPieces) {
  const std::string bytes = http2::headers(1, {{":status", "103"}, {"link", "</x>"}}) +
                            http2::headers(1, {{":status", "200"}, {"x", "  y "}}) +
                            http2::data(1, "one ") + http2::data(1, "two") +
                            http2::headers(1, {{"trailer", "z"}}, http2::kEndStream);
  Recorder reader;
  request(reader);
  for (const char& byte : bytes) {
    EXPECT_FALSE(reader.end);
    ASSERT_TRUE(receive({&byte, 1}));
  }
  EXPECT_TRUE(reader.is_complete()) << reader.error;
  EXPECT_EQ(reader.head, "HTTP/1.1 200 \r\nx: y\r\n\r\n");
  EXPECT_EQ(reader.body, "one two");
}

TEST_F(Http2SessionTest, IsCompleteOnlyAtTheEndOfTheStream) {
  const std::string start =
      http2::headers(1, {{":status", "200"}, {"content-length", "5"}}) + http2::data(1, "hello");
  Recorder reader;
  request(reader);
  ASSERT_TRUE(receive(start));
  EXPECT_FALSE(reader.end);
  // Even without an error.
  ASSERT_TRUE(receive(http2::reset(1, Code::no_error)));
  EXPECT_EQ(reader.end, Http2End::failed);
  EXPECT_THAT(reader.error, HasSubstr("reset"));
}

TEST_F(Http2SessionTest, RejectsMalformedResponses) {
  const struct {
    const char* what;
    std::string bytes;
  } kCases[] = {
      {"too long", http2::headers(1, {{":status", "200"}, {"content-length", "5"}}) +
                       http2::data(1, "hello!", http2::kEndStream)},
      {"too short", http2::headers(1, {{":status", "200"}, {"content-length", "5"}}) +
                        http2::data(1, "hell", http2::kEndStream)},
      {"upper case", http2::headers(1, {{":status", "200"}, {"X-A", "b"}}, http2::kEndStream)},
      {"connection",
       http2::headers(1, {{":status", "200"}, {"connection", "close"}}, http2::kEndStream)},
      {"transfer-encoding",
       http2::headers(1, {{":status", "200"}, {"transfer-encoding", "chunked"}},
                      http2::kEndStream)},
      {"no status", http2::headers(1, {{"a", "b"}}, http2::kEndStream)},
      {"two statuses",
       http2::headers(1, {{":status", "200"}, {":status", "200"}}, http2::kEndStream)},
      {"status 096", http2::headers(1, {{":status", "096"}}, http2::kEndStream)},
      {"status 101", http2::headers(1, {{":status", "101"}})},
      {"late status", http2::headers(1, {{"a", "b"}, {":status", "200"}}, http2::kEndStream)},
      {"unknown pseudo-field",
       http2::headers(1, {{":status", "200"}, {":x", "y"}}, http2::kEndStream)},
      {"pseudo-field of a request",
       http2::headers(1, {{":status", "200"}, {":path", "/"}}, http2::kEndStream)},
      {"line end in a value",
       http2::headers(1, {{":status", "200"}, {"a", "b\r\nc: d"}}, http2::kEndStream)},
      {"NUL in a value",
       http2::headers(1, {{":status", "200"}, {"a", std::string("b\0c", 3)}}, http2::kEndStream)},
      {"blank in a name", http2::headers(1, {{":status", "200"}, {"a b", "c"}}, http2::kEndStream)},
      {"pseudo-field in trailers", http2::headers(1, {{":status", "200"}}) +
                                       http2::headers(1, {{":status", "200"}}, http2::kEndStream)},
      {"trailers without an end",
       http2::headers(1, {{":status", "200"}}) + http2::headers(1, {{"a", "b"}})},
      {"an end with an interim response",
       http2::headers(1, {{":status", "103"}}, http2::kEndStream)},
  };
  for (const auto& [what, bytes] : kCases) {
    Conversation test;
    const Recorder reader = test.answered(bytes);
    EXPECT_FALSE(reader.is_complete()) << what;
    EXPECT_TRUE(reader.end == Http2End::failed) << what;
    EXPECT_THAT(reader.error, HasSubstr("malformed")) << what;
    EXPECT_TRUE(test.has_sent(Type::rst_stream, 1)) << what;
    EXPECT_TRUE(test.session_.accepts_requests()) << what << " concerns only the stream";
  }
}

TEST_F(Http2SessionTest, FailsWhenTheFramingIsBroken) {
  const std::string kCases[] = {
      std::string(200, 'x'),
      "HTTP/1.1 400 Bad Request\r\n\r\n",
      http2::frame(Type::settings, http2::kNone, 1, {}),
      http2::frame(Type::ping, http2::kNone, 0, "short"),
      http2::frame(Type::data, http2::kNone, 0, "x"),
      http2::frame(Type::headers, http2::kEndHeaders, 2, http2::hpack({{":status", "200"}})),
      http2::frame(Type::push_promise, http2::kEndHeaders, 1, http2::number(2, 4)),
      http2::frame(Type::continuation, http2::kEndHeaders, 1, {}),
      http2::frame(Type::headers, http2::kEndHeaders, 1, "\xff\xff\xff\xff\xff"),  // not HPACK
      http2::frame(Type::window_update, http2::kNone, 0, http2::number(0, 4)),
      http2::window_update(0, 0x7FFFFFFF),
      http2::data(99, "never opened"),
      http2::data(1, "before the head"),
  };
  int number = 0;
  for (const std::string& bytes : kCases) {
    SCOPED_TRACE(number++);
    Conversation test;
    Recorder reader;
    test.request(reader);
    const auto taken = test.receive(bytes);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error(), Errc::malformed);
    EXPECT_TRUE(test.has_sent(Type::goaway, 0));
    EXPECT_FALSE(test.session_.accepts_requests());
    test.session_.fail(taken.error());
    EXPECT_EQ(reader.end, Http2End::failed);
  }
}

TEST_F(Http2SessionTest, BoundsFramesWithoutProgress) {
  const std::string kFloods[] = {
      http2::ping(),
      http2::settings(),
      http2::window_update(0, 1),
      http2::data(1, {}),
      http2::frame(Type::data, http2::kPadded, 1, std::string(1, '\x05') + std::string(5, '\0')),
      http2::reset(3, Code::cancel),
      http2::frame(Type::unknown, http2::kNone, 0, std::string(16'000, 'x')),
      http2::goaway(0x7FFFFFFF, Code::no_error),
  };
  for (const std::string& flood : kFloods) {
    Conversation test;
    Recorder reader;
    Recorder second;
    test.request(reader);
    test.request(second);  // stream 3, which some of them reset
    ASSERT_TRUE(test.receive(http2::headers(1, {{":status", "200"}})));
    std::size_t frames = 0;
    auto taken = test.receive(flood);
    while (taken && frames++ < 5000) taken = test.receive(flood);
    ASSERT_FALSE(taken) << "type " << static_cast<int>(flood[3]);
    EXPECT_LE(frames, 1100u);
    test.session_.fail(taken.error());
    EXPECT_EQ(reader.end, Http2End::failed);
  }
}

TEST_F(Http2SessionTest, AllowsControlFramesBetweenProgress) {
  Recorder reader;
  request(reader);
  ASSERT_TRUE(receive(http2::headers(1, {{":status", "200"}})));
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(receive(http2::ping()));
    if (i % 500 == 0) ASSERT_TRUE(receive(http2::data(1, "x")));
  }
  EXPECT_EQ(reader.body.size(), 10u);
}

TEST_F(Http2SessionTest, BoundsInterimResponses) {
  Recorder reader;
  request(reader);
  std::size_t count = 0;
  while (!reader.end && count++ < 1000) {
    ASSERT_TRUE(receive(http2::headers(1, {{":status", "103"}})));
  }
  EXPECT_EQ(count, limits_.response.interim_max + 1);
  EXPECT_THAT(reader.error, HasSubstr("over_limit"));
  EXPECT_TRUE(has_sent(Type::rst_stream, 1));
}

TEST_F(Http2SessionTest, BoundsFieldsThatExpand) {
  Recorder reader;
  Recorder other;
  request(reader);
  request(other);
  // A field of 4,000 bytes enters the table; then one byte each repeats it.
  std::string block = http2::hpack({{":status", "200"}});
  block += '\x40' + http2::hpack_length(1) + "a" + http2::hpack_length(3900) +
           std::string(3900, 'x') + std::string(12'000, '\xbe');
  ASSERT_TRUE(receive(http2::frame(Type::headers, http2::kEndHeaders, 1, block)));
  EXPECT_EQ(reader.end, Http2End::failed);
  EXPECT_THAT(reader.error, HasSubstr("over_limit"));
  EXPECT_TRUE(has_sent(Type::rst_stream, 1));
  // The table is still in step.
  ASSERT_TRUE(receive(http2::frame(Type::headers, http2::kEndHeaders | http2::kEndStream, 3,
                                   http2::hpack({{":status", "200"}}) + "\xbe")));
  EXPECT_TRUE(other.is_complete()) << other.error;
  EXPECT_EQ(other.head.size(), std::string("HTTP/1.1 200 \r\na: \r\n\r\n").size() + 3900);
}

TEST_F(Http2SessionTest, BoundsContinuations) {
  Recorder reader;
  request(reader);
  std::size_t bytes = 0;
  auto taken = receive(http2::frame(Type::headers, http2::kNone, 1, http2::hpack({{"a", "b"}})));
  const std::string more = http2::frame(Type::continuation, http2::kNone, 1,
                                        http2::hpack({{"a", std::string(100, 'b')}}));
  while (taken && bytes < 10'000'000) {
    taken = receive(more);
    bytes += more.size();
  }
  EXPECT_FALSE(taken);
  EXPECT_LT(bytes, 1'000'000u);
}

TEST_F(Http2SessionTest, GivesTheConnectionsWindowBackOnArrival) {
  Recorder unread;
  Recorder page;
  request(unread);
  request(page);
  ASSERT_TRUE(receive(http2::headers(1, {{":status", "200"}})));
  // The reader of stream 1 consumes nothing: its window is used up, not that of the others.
  const std::string piece(16 * 1024, 'x');
  for (std::uint32_t bytes = 0; bytes < limits_.stream_window; bytes += piece.size()) {
    ASSERT_TRUE(receive(http2::data(1, piece)));
  }
  EXPECT_EQ(window_given(1), 0u);
  ASSERT_TRUE(receive(http2::response(3, "page")));
  EXPECT_TRUE(page.is_complete());
  session_.consume(1, limits_.stream_window);
  flush();
  EXPECT_EQ(window_given(1), limits_.stream_window);
  // More than the window is an error of the server.
  ASSERT_TRUE(receive(http2::data(1, piece)));
}

TEST_F(Http2SessionTest, GivesTheWindowOfCancelledStreamsBack) {
  const std::string piece(16 * 1024, 'x');
  std::size_t sent = 0;
  const std::size_t at_first = window_given(0);
  for (std::uint32_t stream = 1; stream < 2001; stream += 2) {
    Recorder reader;
    request(reader);
    ASSERT_TRUE(receive(http2::headers(stream, {{":status", "200"}}) + http2::data(stream, piece)));
    session_.cancel(static_cast<std::int32_t>(stream));
    flush();
    ASSERT_TRUE(receive(http2::data(stream, piece)));  // it was on its way
    sent += 2 * piece.size();
  }
  EXPECT_GT(window_given(0) - at_first + limits_.connection_window, sent);
}

TEST_F(Http2SessionTest, RepeatsWhatTheServerDidNotProcess) {
  Recorder first;
  Recorder second;
  Recorder third;
  request(first);
  request(second, "POST", "body");
  request(third, "POST", "body");
  ASSERT_TRUE(receive(http2::reset(5, Code::refused_stream)));
  EXPECT_EQ(third.end, Http2End::unprocessed);
  ASSERT_TRUE(receive(http2::goaway(1, Code::no_error)));
  EXPECT_EQ(second.end, Http2End::unprocessed);
  EXPECT_FALSE(first.end) << "it continues";
  EXPECT_FALSE(session_.accepts_requests());
  ASSERT_TRUE(receive(http2::response(1, "x")));
  EXPECT_TRUE(first.is_complete());
}

TEST_F(Http2SessionTest, RepeatsNothingForAnOverloadedServer) {
  Recorder first;
  Recorder second;
  request(first);
  request(second);
  ASSERT_TRUE(receive(http2::goaway(1, Code::enhance_your_calm)));
  EXPECT_EQ(second.end, Http2End::failed);
  EXPECT_THAT(second.error, HasSubstr("overloaded"));
  session_.cancel(1);
}

TEST_F(Http2SessionTest, AServerMayRequireHttp1WithItsGoodbye) {
  Recorder reader;
  request(reader);
  ASSERT_TRUE(receive(http2::goaway(0, Code::http_1_1_required)));
  EXPECT_EQ(reader.end, Http2End::http1_required);
}

TEST_F(Http2SessionTest, TakesTheRestOfABodyThatWasCutOff) {
  Recorder cut;
  Recorder reader;
  request(cut);
  request(reader);
  ASSERT_TRUE(receive(http2::headers(1, {{":status", "200"}})));
  session_.cancel(1);
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(receive(http2::data(1, "x")));
  ASSERT_TRUE(receive(http2::response(3, "x")));
  EXPECT_TRUE(reader.is_complete()) << reader.error;
}

TEST_F(Http2SessionTest, TellsWhyAStreamWasReset) {
  const struct {
    Code code;
    Http2End end;
    const char* error;
  } kCases[] = {
      {Code::http_1_1_required, Http2End::http1_required, "unsupported"},
      {Code::enhance_your_calm, Http2End::failed, "overloaded"},
      {Code::internal_error, Http2End::failed, "reset: the server reset the stream: INTERNAL"},
      {Code::protocol_error, Http2End::failed, "reset: the server reset the stream: PROTOCOL"},
  };
  for (const auto& [code, end, error] : kCases) {
    Conversation test;
    const Recorder reader = test.answered(http2::reset(1, code));
    EXPECT_EQ(reader.end, end);
    EXPECT_THAT(reader.error, HasSubstr(error));
  }
}

TEST_F(Http2SessionTest, WaitsWhileTheServerAcceptsNoStream) {
  ASSERT_TRUE(receive(http2::settings({{http2::kMaxConcurrentStreams, 1}})));
  Recorder first;
  Recorder second;
  Recorder third;
  request(first);
  request(second);
  request(third);
  EXPECT_GT(first.sent, 0u);
  EXPECT_EQ(second.sent, 0u);
  ASSERT_TRUE(receive(http2::response(1, "x")));
  EXPECT_GT(second.sent, 0u);
  EXPECT_EQ(third.sent, 0u);
  ASSERT_TRUE(receive(http2::goaway(3, Code::no_error)));
  EXPECT_EQ(third.end, Http2End::unprocessed) << "it was never sent";
  ASSERT_TRUE(receive(http2::response(3, "x")));
  EXPECT_TRUE(second.is_complete());
}

TEST_F(Http2SessionTest, SendsABodyAsTheWindowAllows) {
  ASSERT_TRUE(receive(http2::settings({{http2::kInitialWindowSize, 10}})));
  Recorder reader;
  const std::string body(25, 'b');
  request(reader, "POST", body);
  const auto sent = [&] {
    std::size_t bytes = 0;
    for (const Frame& frame : frames_) bytes += frame.type == Type::data ? frame.payload.size() : 0;
    return bytes;
  };
  EXPECT_EQ(sent(), 10u);
  ASSERT_TRUE(receive(http2::window_update(1, 10)));
  EXPECT_EQ(sent(), 20u);
  // The server can answer before it has everything.
  ASSERT_TRUE(receive(http2::response(1, "x")));
  EXPECT_TRUE(reader.is_complete());
  EXPECT_TRUE(has_sent(Type::rst_stream, 1));
}

TEST_F(Http2SessionTest, SendsNoFieldsOfHttp1) {
  const RequestField kFields[] = {
      {"Host", "b.example"}, {"Connection", "close"}, {"TE", "gzip"}, {"User-Agent", "x"}};
  Recorder reader;
  request(reader, "GET", {}, kFields);
  const auto place = std::ranges::find(frames_, Type::headers, &Frame::type);
  ASSERT_NE(place, frames_.end());
  EXPECT_TRUE(place->has(http2::kEndStream));
  // :method, :scheme, :path and user-agent have entries in the static table; the rest is short.
  EXPECT_LT(place->payload.size(), 60u);
  session_.cancel(1);
}

TEST_F(Http2SessionTest, NeverCallsTheReaderOfACancelledStream) {
  Recorder reader;
  request(reader);
  session_.cancel(1);
  session_.cancel(1);
  flush();
  EXPECT_TRUE(has_sent(Type::rst_stream, 1));
  ASSERT_TRUE(receive(http2::response(1, "late")));
  EXPECT_FALSE(reader.end);
  EXPECT_EQ(reader.body, "");
}

}  // namespace
}  // namespace gossamer::wire
