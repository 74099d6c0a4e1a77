// Header blocks of HTTP/2: the responses among the stories of hpack-test-case, as a session reads
// them.

#include <tests/support/http2_frames.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "support/gunzip.h"
#include "support/json.h"
#include "support/testdata.h"
#include "wire/http2_session.h"

namespace gossamer::conformance {
namespace {

constexpr std::size_t kTableBytes = 4096;  // ours; a larger one would be announced

class HeadReader final : public wire::Http2Reader {
 public:
  void on_sent(std::size_t) override {}
  void on_frame(std::size_t) override {}
  void on_begin() override {}
  void on_head(wire::ResponseHead arrived) override { head = std::move(arrived); }
  void on_body(Bytes) override {}
  void on_end(wire::Http2End how, std::optional<Error>) override { end = how; }

  std::optional<wire::ResponseHead> head;
  std::optional<wire::Http2End> end;
};

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

bool is_response(const Json& one) { return one["headers"].front().contains(":status"); }

// Returns whether HTTP/2 forbids a field of it; these are recordings of HTTP/1.1.
bool is_forbidden(const Json& one) {
  return std::ranges::any_of(one["headers"], [](const Json& field) {
    const std::string name = field.begin().key();
    return name == "connection" || name == "transfer-encoding" || name == "keep-alive" ||
           name == "proxy-connection" || name == "upgrade";
  });
}

bool has_our_table(const Json& one) {
  return one.value("header_table_size", kTableBytes) <= kTableBytes;
}

std::string text_of(const Json& one) {
  std::string text;
  for (const Json& field : one["headers"]) {
    const std::string name = field.begin().key();
    const std::string value = field.begin().value();
    text += name == ":status" ? "HTTP/1.1 " + value + " \r\n" : name + ": " + value + "\r\n";
  }
  return text + "\r\n";
}

void read_story(const Json& story, Score& score) {
  const wire::Http2Limits limits;
  wire::Http2Session session(limits);
  const url::Url url = *url::Url::parse("https://a.example/");
  std::string out;
  ASSERT_TRUE(session.receive(as_bytes(http2::settings())));
  for (const Json& one : story["cases"]) {
    HeadReader reader;
    const std::int32_t stream = session.request({.url = &url}, "https", {}, reader);
    out.clear();
    ASSERT_TRUE(session.take_output(out, 1 << 20));
    const std::string frame =
        http2::frame(http2::Type::headers, http2::kEndHeaders, static_cast<std::uint32_t>(stream),
                     from_hex(one["wire"].get<std::string>()));
    for (const char& byte : frame) ASSERT_TRUE(session.receive(as_bytes({&byte, 1})));
    const bool is_read = reader.head && reader.head->raw() == text_of(one);
    const bool is_as_expected = is_forbidden(one) ? !reader.head.has_value() : is_read;
    score.count(is_as_expected, [&] { return text_of(one); });
    session.cancel(stream);
  }
}

TEST(HpackSuite, ResponsesAreReadAsTheyWereWritten) {
  NEEDS_TESTDATA("hpack");
  Score score("hpack");
  for (const char* name : {"go-hpack", "haskell-http2-linear-huffman", "haskell-http2-naive",
                           "nghttp2", "nghttp2-change-table-size", "python-hpack"}) {
    const std::string lines = gunzip(read_testdata("hpack/" + std::string(name) + ".jsonl.gz"));
    for_each_line(lines, [&](std::string_view line) {
      const Json story = Json::parse(line);
      if (!std::ranges::all_of(story["cases"], is_response)) return;
      if (!std::ranges::all_of(story["cases"], has_our_table)) return;
      read_story(story, score);
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
