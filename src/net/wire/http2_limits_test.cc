// Tests the session of HTTP/2 at its limits, and the fields that it sends.

#include <gtest/gtest.h>
#include <nghttp2/nghttp2.h>
#include <tests/support/http2_frames.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "wire/http2_session.h"

namespace gossamer::wire {
namespace {

using http2::Frame;
using http2::Type;

class LastCall final : public Http2Reader {
 public:
  void on_sent(std::size_t) override {}
  void on_frame(std::size_t) override {}
  void on_begin() override {}
  void on_head(ResponseHead head) override { status = head.status(); }
  void on_body(Bytes) override {}
  void on_end(Http2End how, std::optional<Error> why) override {
    end = how;
    if (why) error = why->code();
  }

  int status = 0;
  std::optional<Http2End> end;
  std::optional<Errc> error;
};

class Http2LimitsTest : public testing::Test {
 protected:
  // Begins a session with one request, which is stream 1.
  void begin(std::span<const RequestField> fields = {}) {
    session.emplace(limits);
    const url::Url url = *url::Url::parse("https://a.example:8443/path?query");
    session->request({.url = &url, .fields = fields}, "https", {}, reader);
    flush();
  }
  bool receive(const std::string& bytes) {
    const bool is_taken = session->receive(as_bytes(bytes)).has_value();
    flush();
    return is_taken;
  }
  void flush() {
    CHECK(session->take_output(out, 1 << 20));
    for (Frame& frame : http2::take_frames(out)) frames.push_back(std::move(frame));
  }
  std::size_t sent(Type type) const {
    return static_cast<std::size_t>(std::ranges::count(frames, type, &Frame::type));
  }

  Http2Limits limits;
  LastCall reader;
  std::optional<Http2Session> session;
  std::string out;
  std::vector<Frame> frames;
};

// RFC 7541, as another program reads it.
std::vector<std::string> fields_in(const std::string& block) {
  nghttp2_hd_inflater* inflater = nullptr;
  CHECK(nghttp2_hd_inflate_new(&inflater) == 0);
  const std::unique_ptr<nghttp2_hd_inflater, void (*)(nghttp2_hd_inflater*)> owner(
      inflater, nghttp2_hd_inflate_del);
  std::vector<std::string> fields;
  const auto* at = reinterpret_cast<const std::uint8_t*>(block.data());
  const auto* const end = at + block.size();
  int flags = 0;
  while ((flags & NGHTTP2_HD_INFLATE_FINAL) == 0) {
    nghttp2_nv field = {};
    const ssize_t used =
        nghttp2_hd_inflate_hd2(inflater, &field, &flags, at, static_cast<std::size_t>(end - at), 1);
    CHECK(used >= 0);
    at += used;
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) == 0) continue;
    const auto text = [](const std::uint8_t* data, std::size_t size) {
      return std::string(reinterpret_cast<const char*>(data), size);
    };
    fields.push_back(text(field.name, field.namelen) + "=" + text(field.value, field.valuelen));
  }
  return fields;
}

// RFC 9113 section 8.3.1: pseudo-fields come first; names are in lower case.
TEST_F(Http2LimitsTest, SendsTheFieldsOfTheRequest) {
  const RequestField fields[] = {{"User-Agent", " x "}, {"Accept", "*/*"}};
  begin(fields);
  const auto head = std::ranges::find(frames, Type::headers, &Frame::type);
  ASSERT_NE(head, frames.end());
  EXPECT_EQ(fields_in(head->payload),
            (std::vector<std::string>{":method=GET", ":scheme=https", ":authority=a.example:8443",
                                      ":path=/path?query", "user-agent=x", "accept=*/*"}));
  session->cancel(1);
}

TEST_F(Http2LimitsTest, NamesTheHostOfTheCaller) {
  const RequestField fields[] = {{"Host", "b.example"}};
  begin(fields);
  const auto head = std::ranges::find(frames, Type::headers, &Frame::type);
  ASSERT_NE(head, frames.end());
  EXPECT_EQ(fields_in(head->payload).at(2), ":authority=b.example");
  session->cancel(1);
}

TEST_F(Http2LimitsTest, ResetsACancelledStreamOnce) {
  begin();
  session->cancel(1);
  flush();
  EXPECT_EQ(sent(Type::rst_stream), 1U);
  session->cancel(1);
  flush();
  EXPECT_EQ(sent(Type::rst_stream), 1U);
}

TEST_F(Http2LimitsTest, HasOutputUntilItIsTaken) {
  begin();
  EXPECT_FALSE(session->has_output());
  ASSERT_TRUE(session->receive(as_bytes(http2::settings())));
  EXPECT_TRUE(session->has_output()) << "the server expects an answer";
  flush();
  EXPECT_FALSE(session->has_output());
  session->cancel(1);
}

// Each head has the limits for itself.
TEST_F(Http2LimitsTest, CountsTheFieldsOfEachHeadAlone) {
  limits.response.fields_max = 5;
  limits.response.head_bytes_max = 100;
  const auto head_of = [](std::string_view status) {
    return http2::Fields{{":status", std::string(status)}, {"a", "b"}, {"c", "d"}, {"e", "f"}};
  };
  begin();
  ASSERT_TRUE(receive(http2::settings() + http2::settings_ack()));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(receive(http2::headers(1, head_of("103"))));
  ASSERT_TRUE(receive(http2::headers(1, head_of("200"), http2::kEndStream)));
  EXPECT_EQ(reader.end, Http2End::complete);
  EXPECT_EQ(reader.status, 200);
}

TEST_F(Http2LimitsTest, BoundsTheFieldsOfAHeadAtTheirLimits) {
  limits.response.fields_max = 3;
  limits.response.line_bytes_max = 30;
  limits.response.head_bytes_max = 60;
  // A field costs its name, its value and four bytes; ":status" with "200" costs 14.
  const auto end_with = [this](http2::Fields fields) {
    reader = LastCall();
    fields.insert(fields.begin(), {":status", "200"});
    begin();
    EXPECT_TRUE(receive(http2::settings() + http2::settings_ack() +
                        http2::headers(1, fields, http2::kEndStream)));
    return reader.end == Http2End::complete ? std::nullopt : reader.error;
  };
  EXPECT_EQ(end_with({{"a", std::string(25, 'x')}}), std::nullopt);
  EXPECT_EQ(end_with({{"a", std::string(26, 'x')}}), Errc::over_limit) << "a long line";
  EXPECT_EQ(end_with({{"a", std::string(18, 'x')}, {"b", std::string(18, 'x')}}), std::nullopt);
  EXPECT_EQ(end_with({{"a", std::string(19, 'x')}, {"b", std::string(18, 'x')}}), Errc::over_limit)
      << "a long head";
  EXPECT_EQ(end_with({{"a", ""}, {"b", ""}, {"c", ""}}), Errc::over_limit) << "many fields";
}

TEST_F(Http2LimitsTest, AllowsExactlyTheBytesWithoutProgress) {
  const std::string first = http2::settings() + http2::settings_ack();
  limits.idle_bytes_max = first.size() + 100;
  for (const std::size_t more : {0U, 1U}) {
    begin();
    ASSERT_TRUE(receive(first));
    const std::string flood = http2::frame(Type::unknown, http2::kNone, 0,
                                           std::string(100 - http2::kFrameHeaderBytes + more, 'x'));
    EXPECT_EQ(receive(flood), more == 0) << more;
    session->cancel(1);
  }
}

}  // namespace
}  // namespace gossamer::wire
