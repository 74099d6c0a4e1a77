#include "base/packing.h"

namespace gossamer::store {

void Packer::number(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

void Packer::fixed64(std::uint64_t value) {
  for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
}

void Packer::text(std::string_view value) {
  number(value.size());
  bytes_.append(value);
}

std::uint64_t Unpacker::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  is_good_ = false;
  rest_ = {};
  return 0;
}

std::uint64_t Unpacker::fixed64() {
  if (rest_.size() < 8) {
    is_good_ = false;
    rest_ = {};
    return 0;
  }
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
  }
  rest_.remove_prefix(8);
  return value;
}

std::string_view Unpacker::text() {
  const std::uint64_t size = number();
  if (size > rest_.size()) {
    is_good_ = false;
    rest_ = {};
    return {};
  }
  const std::string_view value = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return value;
}

}  // namespace gossamer::store
