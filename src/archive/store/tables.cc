#include "store/tables.h"

#include <array>

#include "base/check.h"

namespace gossamer::store {

std::string_view name(Table table) noexcept {
  static constexpr std::array<std::string_view, kTables> kNames = {
      "meta", "origins", "waiting", "seen", "pages", "archived", "skipped", "payloads", "changes"};
  return kNames[static_cast<std::size_t>(table)];
}

void append_big_endian(std::string& key, std::uint64_t number, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) key.push_back(static_cast<char>(number >> (8 * i) & 0xFF));
}

std::uint64_t read_big_endian(std::string_view key, int bytes) {
  CHECK(key.size() >= static_cast<std::size_t>(bytes));
  std::uint64_t number = 0;
  for (int i = 0; i < bytes; ++i) {
    number = number << 8 | static_cast<unsigned char>(key[static_cast<std::size_t>(i)]);
  }
  return number;
}

}  // namespace gossamer::store
