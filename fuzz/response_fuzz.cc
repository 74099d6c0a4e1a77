// Responses of any bytes: the result does not depend on how they are divided, and never exceeds the
// input.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "wire/response_parser.h"

namespace gossamer {
namespace {

using wire::ResponseParser;
using Kind = ResponseParser::Step::Kind;

constexpr wire::ResponseLimits kLimits = {
    .head_bytes_max = 4096,
    .line_bytes_max = 512,
    .fields_max = 50,
    .interim_max = 4,
    .chunked = {.line_bytes_max = 64, .trailer_bytes_max = 128}};

struct Reading {
  std::string raw_head;
  std::string body;
  std::size_t consumed = 0;
  bool is_complete = false;
  bool is_reusable = false;
  std::optional<Errc> error;

  friend bool operator==(const Reading& a, const Reading& b) {
    return a.raw_head == b.raw_head && a.body == b.body && a.is_complete == b.is_complete &&
           a.is_reusable == b.is_reusable && a.error == b.error &&
           (a.error.has_value() || a.consumed == b.consumed);
  }
};

void check_head(const wire::ResponseHead& head) {
  CHECK(head.status() >= 0 && head.status() <= 999);
  CHECK_LE(head.size(), kLimits.fields_max);
  for (std::size_t i = 0; i < head.size(); ++i) {
    CHECK(!head[i].name.empty());
    CHECK(head[i].value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
    CHECK(head.find(head[i].name).has_value());
  }
  const auto again = wire::ResponseHead::parse(head.raw(), kLimits.fields_max);
  CHECK(again.has_value() && again->size() == head.size());
  CHECK(again->status() == head.status() && again->reason() == head.reason());
}

// Returns true when the response has ended, successfully or not.
bool feed(ResponseParser& parser, Bytes input, Reading& reading) {
  while (true) {
    const auto step = parser.feed(input);
    if (!step) {
      reading.error = step.error().code();
      return true;
    }
    CHECK_LE(step->consumed, input.size());
    CHECK(step->kind != Kind::need_more || step->consumed == input.size());
    input = input.subspan(step->consumed);
    reading.consumed += step->consumed;
    if (step->kind == Kind::need_more) return false;
    if (step->kind == Kind::complete) return true;
    if (step->kind == Kind::body) reading.body += as_text(step->body);
    if (step->kind != Kind::head) continue;
    const wire::ResponseHead head = parser.take_head();
    check_head(head);
    reading.raw_head = head.raw();
  }
}

Reading read(std::string_view bytes, std::size_t piece, wire::RequestKind kind) {
  Reading reading;
  ResponseParser parser(kind, kLimits);
  bool has_ended = false;
  for (std::size_t at = 0; at < bytes.size() && !has_ended; at += piece) {
    const std::string_view part = bytes.substr(at, piece);
    const std::vector<char> block(part.begin(), part.end());
    has_ended = feed(parser, as_bytes({block.data(), block.size()}), reading);
  }
  if (!reading.error) {
    reading.is_complete = parser.finish().has_value();
    CHECK_EQ(reading.is_complete, parser.is_complete());
    reading.is_reusable = parser.is_reusable();
  }
  CHECK_LE(reading.raw_head.size() + reading.body.size(), bytes.size());
  return reading;
}

}  // namespace
}  // namespace gossamer

// The first byte selects the kind of request and how the rest is divided.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const auto kind = static_cast<wire::RequestKind>(data[0] % 3);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Reading whole = read(bytes, size, kind);
  const Reading cut = read(bytes, 1 + data[0] / 3 % 16, kind);
  // If a head has several faults, another one may be found first; it is rejected in any case.
  if (whole.error && cut.error && whole.raw_head.empty() && cut.raw_head.empty()) return 0;
  CHECK(cut == whole);
  return 0;
}
