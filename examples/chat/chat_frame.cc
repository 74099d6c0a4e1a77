#include "examples/chat/chat_frame.h"

#include <utility>

#include "base/check.h"

namespace gossamer::sim {

namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kHeadBytes = 1 + 4 + 4 + 4;

void append_number(std::string& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((number >> shift) & 0xff);
}

std::uint32_t read_number(std::string_view text) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;) number = (number << 8) | static_cast<unsigned char>(text[i]);
  return number;
}

}  // namespace

std::string encode(const ChatFrame& frame) {
  std::string out;
  out.reserve(kLengthBytes + kHeadBytes + frame.text.size());
  append_number(out, static_cast<std::uint32_t>(kHeadBytes + frame.text.size()));
  out += static_cast<char>(frame.kind);
  append_number(out, frame.number);
  append_number(out, frame.client);
  append_number(out, frame.sequence);
  out += frame.text;
  return out;
}

void ChatFrameReader::feed(Bytes bytes) {
  const auto appended = buffer_.append(bytes);
  CHECK(appended.has_value(), "next() must return nothing before feed()");
}

Result<std::optional<ChatFrame>> ChatFrameReader::next() {
  const std::string_view all = buffer_.text();
  if (all.size() < kLengthBytes) return std::nullopt;
  const std::uint32_t length = read_number(all);
  if (length > kHeadBytes + kTextBytesMax) return fail(Errc::over_limit, "length of a frame");
  if (length < kHeadBytes) return fail(Errc::malformed, "length of a frame");
  if (all.size() < kLengthBytes + length) return std::nullopt;
  const std::string_view body = all.substr(kLengthBytes, length);
  const auto kind = static_cast<unsigned char>(body[0]);
  if (kind > static_cast<unsigned char>(ChatFrame::Kind::line)) {
    return fail(Errc::malformed, "kind of a frame");
  }
  ChatFrame frame = {.kind = static_cast<ChatFrame::Kind>(kind),
                     .number = read_number(body.substr(1)),
                     .client = read_number(body.substr(5)),
                     .sequence = read_number(body.substr(9)),
                     .text = std::string(body.substr(kHeadBytes))};
  buffer_.consume(kLengthBytes + length);
  return std::optional(std::move(frame));
}

}  // namespace gossamer::sim
