#include "html/encoding/decoder.h"

#include <array>
#include <utility>

#include "html/encoding/block.h"
#include "html/encoding/utf8.h"

namespace gossamer::html {
namespace {

// Large enough to amortise the cost of a block, small enough for its buffer.
constexpr std::size_t kBlockBytes = 8 * 1024;

constexpr std::string_view kMark = "\xEF\xBB\xBF";

// https://encoding.spec.whatwg.org/#replacement-decoder
void decode_replacement(DecodedBlock& block) noexcept {
  if (!block.at_end() && std::exchange(block.state.mode, 1) == 0) block.put_error();
  block.in = block.end;
}

void decode_block(Encoding encoding, DecodedBlock& block) noexcept {
  switch (encoding) {
    case Encoding::utf_8: return decode_utf_8(block);
    case Encoding::utf_16be: return decode_utf_16be(block);
    case Encoding::utf_16le: return decode_utf_16le(block);
    case Encoding::gbk:
    case Encoding::gb18030: return decode_gb18030(block);
    case Encoding::big5: return decode_big5(block);
    case Encoding::euc_kr: return decode_euc_kr(block);
    case Encoding::euc_jp: return decode_euc_jp(block);
    case Encoding::shift_jis: return decode_shift_jis(block);
    case Encoding::iso_2022_jp: return decode_iso_2022_jp(block);
    case Encoding::replacement: return decode_replacement(block);
    default: return decode_single_byte(encoding, block);
  }
}

void decode_blocks(Encoding encoding, Decoder::State& state, std::string_view bytes,
                   std::string& out) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kBlockBytes);
    const std::size_t start = out.size();
    const auto run = [&](char* buffer, std::size_t) {
      const auto* in = reinterpret_cast<const std::uint8_t*>(piece.data());
      DecodedBlock block = {in, in + piece.size(), buffer + start, state};
      decode_block(encoding, block);
      return static_cast<std::size_t>(block.out - buffer);
    };
    out.resize_and_overwrite(start + 3 * piece.size() + kBlockSlackBytes, run);
    bytes.remove_prefix(piece.size());
  }
}

}  // namespace

Decoder::Decoder(Encoding encoding, ByteOrderMark mark) noexcept
    : encoding_(encoding),
      removes_mark_(mark == ByteOrderMark::removed &&
                    (encoding == Encoding::utf_8 || encoding == Encoding::utf_16be ||
                     encoding == Encoding::utf_16le)),
      expects_mark_(removes_mark_) {}

// In every encoding the mark is U+FEFF, so it is searched in the output.
std::string_view Decoder::without_mark(std::string_view text) noexcept {
  if (!expects_mark_ || text.empty()) return text;
  expects_mark_ = false;
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

bool Decoder::is_between_characters() const noexcept {
  return state_.bytes_needed == 0 && state_.first == 0;
}

std::string_view Decoder::decode(std::string_view bytes, std::string& scratch) {
  std::size_t copied_bytes = 0;  // bytes that are already UTF-8
  if (is_between_characters() && is_ascii_compatible(encoding_)) {
    copied_bytes = encoding_ == Encoding::utf_8 ? valid_utf8_prefix(bytes) : ascii_prefix(bytes);
    if (copied_bytes == bytes.size()) return without_mark(bytes);
  }
  scratch.clear();
  if (encoding_ == Encoding::utf_8) {
    // The rest is often only the first bytes of a character that continues in the next piece.
    decode_blocks(encoding_, state_, bytes.substr(copied_bytes), scratch);
    if (scratch.empty()) return without_mark(bytes.substr(0, copied_bytes));
    scratch.insert(0, bytes.substr(0, copied_bytes));
  } else {
    decode_blocks(encoding_, state_, bytes, scratch);
  }
  return without_mark(scratch);
}

void Decoder::decode_to(std::string_view bytes, std::string& out) {
  const std::size_t start = out.size();
  decode_blocks(encoding_, state_, bytes, out);
  const std::string_view text = std::string_view(out).substr(start);
  const std::size_t mark_bytes = text.size() - without_mark(text).size();
  if (mark_bytes > 0) out.erase(start, mark_bytes);
}

void Decoder::finish_to(std::string& out) {
  std::array<char, kBlockSlackBytes> buffer;
  DecodedBlock block = {nullptr, nullptr, buffer.data(), state_};
  if (encoding_ == Encoding::iso_2022_jp) {
    finish_iso_2022_jp(block);
  } else if (state_.bytes_needed > 0 || state_.first != 0 || state_.has_first ||
             (state_.code_point != 0 && encoding_ != Encoding::utf_8)) {
    block.put_error();
  }
  out.append(buffer.data(), static_cast<std::size_t>(block.out - buffer.data()));
  state_ = State{.errors = state_.errors};
  expects_mark_ = removes_mark_;
}

std::string_view Decoder::finish(std::string& scratch) {
  scratch.clear();
  finish_to(scratch);
  return scratch;
}

std::string decode(Encoding encoding, std::string_view bytes, ByteOrderMark mark) {
  Decoder decoder(encoding, mark);
  std::string text;
  decoder.decode_to(bytes, text);
  decoder.finish_to(text);
  return text;
}

}  // namespace gossamer::html
