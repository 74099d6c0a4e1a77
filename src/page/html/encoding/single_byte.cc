// https://encoding.spec.whatwg.org/#single-byte-decoder and #x-user-defined-decoder

#include <array>

#include "html/encoding/block.h"

namespace gossamer::html {
namespace {

using SingleByteIndex = std::array<std::uint16_t, 128>;

#include "html/encoding/single_byte.inc"

// A byte's character as UTF-8. All four bytes are always written; `length` of them count.
struct Utf8Entry {
  std::array<char, 3> bytes;
  std::uint8_t length : 7;
  std::uint8_t is_error : 1;
};
static_assert(sizeof(Utf8Entry) == 4);

using Utf8Table = std::array<Utf8Entry, 256>;

constexpr Utf8Entry utf8_entry(std::uint32_t code_point, bool is_error) {
  const auto tail = [](std::uint32_t bits) { return static_cast<char>(0x80 | (bits & 0x3F)); };
  if (code_point < 0x80) return {{static_cast<char>(code_point), 0, 0}, 1, is_error};
  if (code_point < 0x800) {
    return {{static_cast<char>(0xC0 | code_point >> 6), tail(code_point), 0}, 2, is_error};
  }
  return {{static_cast<char>(0xE0 | code_point >> 12), tail(code_point >> 6), tail(code_point)},
          3,
          is_error};
}

constexpr std::size_t kUserDefined = kIndexes.size();

constexpr std::uint32_t code_point_of(std::size_t table, std::uint32_t byte) {
  if (byte < 0x80) return byte;
  return table == kUserDefined ? 0xF780 + (byte - 0x80) : kIndexes[table][byte - 0x80];
}

constexpr auto kTables = [] {
  std::array<Utf8Table, kIndexes.size() + 1> tables = {};
  for (std::size_t table = 0; table < tables.size(); ++table) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t code_point = code_point_of(table, byte);
      const bool is_error = code_point == 0 && byte != 0;
      tables[table][byte] = utf8_entry(is_error ? 0xFFFD : code_point, is_error);
    }
  }
  return tables;
}();

// The single-byte encodings are adjacent in the enumeration, in the order of kIndexes.
static_assert(kIndexes.size() == static_cast<std::size_t>(Encoding::x_mac_cyrillic) -
                                     static_cast<std::size_t>(Encoding::ibm866) + 1);

std::size_t table_of(Encoding encoding) {
  if (encoding == Encoding::x_user_defined) return kUserDefined;
  return static_cast<std::size_t>(encoding) - static_cast<std::size_t>(Encoding::ibm866);
}

}  // namespace

std::uint32_t single_byte_code_point(Encoding encoding, std::uint8_t byte) noexcept {
  return code_point_of(table_of(encoding), byte);
}

void decode_single_byte(Encoding encoding, DecodedBlock& block) noexcept {
  const Utf8Table& table = kTables[table_of(encoding)];
  const std::uint8_t* in = block.in;
  char* out = block.out;
  std::uint64_t errors = 0;
  const auto put = [&](std::uint8_t byte) {
    const Utf8Entry& entry = table[byte];
    std::memcpy(out, &entry, sizeof entry);
    out += entry.length;
    errors += entry.is_error;
  };
  while (block.end - in >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, in, sizeof word);
    if ((word & 0x8080808080808080) == 0) {
      std::memcpy(out, &word, sizeof word);
      out += 8;
    } else {
      for (int i = 0; i < 8; ++i) put(in[i]);
    }
    in += 8;
  }
  while (in != block.end) put(*in++);
  block.in = in;
  block.out = out;
  block.state.errors += errors;
}

}  // namespace gossamer::html
