// Converts values to bytes for our tables and files. Small numbers take one byte, and texts have a
// length. Callers check for malformed bytes once, at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gossamer::store {

class Packer {
 public:
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  void number(std::uint64_t value);
  void signed_number(std::int64_t value) {
    number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void fixed64(std::uint64_t value);
  void text(std::string_view value);

  std::string take() && { return std::move(bytes_); }
  std::size_t size() const noexcept { return bytes_.size(); }

 private:
  std::string bytes_;
};

// BORROWS: the bytes; texts point into them.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) noexcept : rest_(bytes) {}

  std::uint64_t number();
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  std::uint64_t fixed64();
  std::string_view text();

  bool is_at_end() const noexcept { return rest_.empty(); }
  // True if everything so far was valid; invalid values are 0 or empty.
  bool is_good() const noexcept { return is_good_; }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace gossamer::store
