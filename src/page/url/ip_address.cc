#include "url/ip_address.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "url/code_points.h"

namespace gossamer::url {
namespace {

// Larger than any 32-bit number; all larger numbers are replaced by it.
constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 33;

// https://url.spec.whatwg.org/#ipv4-number-parser
std::optional<std::uint64_t> parse_ipv4_number(std::string_view text) noexcept {
  if (text.empty()) return std::nullopt;
  unsigned base = 10;
  if (text.size() >= 2 && text[0] == '0') {
    const bool is_hex = to_lower(text[1]) == 'x';
    base = is_hex ? 16 : 8;
    text.remove_prefix(is_hex ? 2 : 1);
  }
  std::uint64_t value = 0;
  for (const char c : text) {
    const int digit = hex_value(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= base) return std::nullopt;
    value = std::min(value * base + static_cast<unsigned>(digit), kTooLarge);
  }
  return value;
}

// Reads an IPv6 address from left to right: https://url.spec.whatwg.org/#concept-ipv6-parser
class Ipv6Reader {
 public:
  explicit Ipv6Reader(std::string_view text) noexcept : text_(text) {}

  std::optional<Ipv6Pieces> read() noexcept {
    if (starts_with(':') && !skip_compression()) return std::nullopt;
    while (!text_.empty()) {
      if (count_ == pieces_.size()) return std::nullopt;
      if (starts_with(':')) {
        if (!skip_colon_of_compression()) return std::nullopt;
        continue;
      }
      if (!read_piece()) return std::nullopt;
      if (ended_with_ipv4_) break;
    }
    return finish();
  }

 private:
  bool starts_with(char c) const noexcept { return !text_.empty() && text_[0] == c; }

  bool skip_compression() noexcept {
    if (!text_.starts_with("::")) return false;
    text_.remove_prefix(2);
    compress_at_ = ++count_;
    return true;
  }

  bool skip_colon_of_compression() noexcept {
    if (compress_at_ != 0) return false;
    text_.remove_prefix(1);
    compress_at_ = ++count_;
    return true;
  }

  bool read_piece() noexcept {
    unsigned value = 0;
    std::size_t length = 0;
    while (length < 4 && length < text_.size() && hex_value(text_[length]) >= 0) {
      value = value * 16 + static_cast<unsigned>(hex_value(text_[length]));
      ++length;
    }
    if (length < text_.size() && text_[length] == '.') {
      return length > 0 && count_ <= 6 && read_ipv4_tail();
    }
    text_.remove_prefix(length);
    if (starts_with(':')) {
      text_.remove_prefix(1);
      if (text_.empty()) return false;
    } else if (!text_.empty()) {
      return false;
    }
    pieces_[count_++] = static_cast<std::uint16_t>(value);
    return true;
  }

  // Reads four decimal numbers without leading zeros, which end the address.
  bool read_ipv4_tail() noexcept {
    for (unsigned seen = 0; seen < 4; ++seen) {
      if (seen > 0) {
        if (!starts_with('.')) return false;
        text_.remove_prefix(1);
      }
      unsigned value = 0;
      std::size_t length = 0;
      while (length < text_.size() && is_digit(text_[length])) {
        if (length > 0 && value == 0) return false;
        value = value * 10 + static_cast<unsigned>(text_[length] - '0');
        if (value > 255) return false;
        ++length;
      }
      if (length == 0) return false;
      text_.remove_prefix(length);
      auto& piece = pieces_[count_ + seen / 2];
      piece = static_cast<std::uint16_t>(piece * 256 + value);
    }
    count_ += 2;
    ended_with_ipv4_ = true;
    return text_.empty();
  }

  std::optional<Ipv6Pieces> finish() noexcept {
    if (compress_at_ != 0) {
      // The pieces after "::" move to the end.
      std::size_t moved = count_ - compress_at_;
      for (std::size_t to = 7; to > 0 && moved > 0; --to, --moved) {
        std::swap(pieces_[to], pieces_[compress_at_ + moved - 1]);
      }
      return pieces_;
    }
    if (count_ != pieces_.size()) return std::nullopt;
    return pieces_;
  }

  std::string_view text_;
  Ipv6Pieces pieces_ = {};
  std::size_t count_ = 0;
  std::size_t compress_at_ = 0;  // 0: no "::" yet
  bool ended_with_ipv4_ = false;
};

template <class Number>
void write_number(Number number, int base, Writer& out) noexcept {
  char digits[8];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, base).ptr;
  out.put(std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

// The first longest run of at least two zero pieces: [begin, begin + length).
struct ZeroRun {
  std::size_t begin = 8;
  std::size_t length = 1;
};

ZeroRun longest_zero_run(const Ipv6Pieces& pieces) noexcept {
  ZeroRun best;
  for (std::size_t i = 0; i < pieces.size();) {
    std::size_t end = i;
    while (end < pieces.size() && pieces[end] == 0) ++end;
    if (end - i > best.length) best = {.begin = i, .length = end - i};
    i = end + 1;
  }
  return best;
}

}  // namespace

bool ends_in_a_number(std::string_view domain) noexcept {
  if (domain.ends_with('.')) domain.remove_suffix(1);
  const std::size_t dot = domain.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? domain : domain.substr(dot + 1);
  if (last.empty() || !is_digit(last[0])) return false;
  std::size_t digits = 0;
  while (digits < last.size() && is_digit(last[digits])) ++digits;
  return digits == last.size() || parse_ipv4_number(last).has_value();
}

std::optional<std::uint32_t> parse_ipv4(std::string_view text) noexcept {
  if (text.ends_with('.')) text.remove_suffix(1);
  std::uint64_t address = 0;
  for (unsigned part = 0; part < 4; ++part) {
    const std::size_t dot = text.find('.');
    const auto number = parse_ipv4_number(text.substr(0, dot));
    if (!number) return std::nullopt;
    if (dot == std::string_view::npos) {
      // The last number fills all remaining bytes.
      if (*number >= std::uint64_t{1} << (8 * (4 - part))) return std::nullopt;
      return static_cast<std::uint32_t>(address + *number);
    }
    if (*number > 255) return std::nullopt;
    address += *number << (8 * (3 - part));
    text.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

std::optional<Ipv6Pieces> parse_ipv6(std::string_view text) noexcept {
  return Ipv6Reader(text).read();
}

void write_ipv4(std::uint32_t address, Writer& out) noexcept {
  for (int shift = 24; shift >= 0; shift -= 8) {
    write_number((address >> shift) & 255, 10, out);
    if (shift > 0) out.put('.');
  }
}

// https://url.spec.whatwg.org/#concept-ipv6-serializer
void write_ipv6(const Ipv6Pieces& pieces, Writer& out) noexcept {
  const ZeroRun run = longest_zero_run(pieces);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i == run.begin) {
      out.put(i == 0 ? "::" : ":");
      i += run.length - 1;
      continue;
    }
    write_number(pieces[i], 16, out);
    if (i != 7) out.put(':');
  }
}

}  // namespace gossamer::url
