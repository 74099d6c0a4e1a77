// Bytes of an HTTP/2 server: the session never gives a reader more than it was sent or than its
// limits allow, ends every stream once, and calls no response complete without its end.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "url/url.h"
#include "wire/http2_session.h"

namespace gossamer {
namespace {

class Reader final : public wire::Http2Reader {
 public:
  void on_sent(std::size_t) override { CHECK(!has_ended_); }
  void on_frame(std::size_t) override { CHECK(!has_ended_); }
  void on_begin() override { has_begun_ = true; }
  void on_head(wire::ResponseHead head) override {
    CHECK(has_begun_ && !has_head_ && !has_ended_);
    CHECK(head.status() >= 200 && head.status() <= 999);
    CHECK(wire::ResponseHead::parse(head.raw(), 5000).has_value());
    has_head_ = true;
  }
  void on_body(Bytes piece) override {
    CHECK(has_head_ && !has_ended_);
    bytes += piece.size();
  }
  void on_end(wire::Http2End how, std::optional<Error> error) override {
    CHECK(!has_ended_);
    CHECK(how != wire::Http2End::complete || has_head_);
    CHECK_EQ(how == wire::Http2End::complete, !error.has_value());
    has_ended_ = true;
  }
  bool has_ended() const { return has_ended_; }

  std::size_t bytes = 0;

 private:
  bool has_begun_ = false;
  bool has_head_ = false;
  bool has_ended_ = false;
};

void serve(std::string_view bytes, std::size_t piece) {
  static const url::Url url = *url::Url::parse("https://a.example/");
  const wire::Http2Limits limits = {.response = {.head_bytes_max = 4096, .interim_max = 4}};
  std::array<Reader, 3> readers;
  wire::Http2Session session(limits);
  std::string out;
  std::vector<std::int32_t> streams;
  for (Reader& reader : readers) {
    const bool has_body = &reader == &readers.back();
    wire::Request head = {.method = has_body ? "POST" : "GET", .url = &url};
    static const std::string body(100'000, 'b');
    if (has_body) head.body_bytes = body.size();
    streams.push_back(session.request(head, "https", has_body ? as_bytes(body) : Bytes(), reader));
  }
  Result<void> taken = session.take_output(out, 1 << 16);
  for (std::size_t at = 0; at < bytes.size() && taken; at += piece) {
    const std::string_view part = bytes.substr(at, piece);
    const std::vector<char> block(part.begin(), part.end());
    taken = session.receive(as_bytes({block.data(), block.size()}));
    out.clear();
    if (taken) taken = session.take_output(out, 1 << 16);
    if (at % 7 == 0) session.cancel(streams[1]);
  }
  session.fail(Error(Errc::peer_closed));
  CHECK_EQ(session.streams(), 0u);
  std::size_t received = 0;
  for (const Reader& reader : readers) received += reader.bytes;
  CHECK_LE(received, bytes.size());
  CHECK(readers[0].has_ended() && readers[2].has_ended());
}

}  // namespace
}  // namespace gossamer

// The first byte says how the rest is divided.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  gossamer::serve(bytes, size);
  gossamer::serve(bytes, 1 + data[0] % 64);
  return 0;
}
