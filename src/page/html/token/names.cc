#include "html/token/names.h"

#include <algorithm>

#include "html/token/ascii.h"
#include "html/token/name_table.h"

namespace gossamer::html {
namespace {

template <class Table, class Names>
std::uint8_t find(const Table& table, const Names& names, std::string_view name) noexcept {
  char lower[8];
  const std::size_t length = std::min(name.size(), sizeof(lower));
  for (std::size_t i = 0; i < length; ++i) lower[i] = to_lower(name[i]);
  std::uint8_t guess = table.find(name_key({lower, length}));
  while (guess != 0 && !equals_ignoring_case(name, names[guess])) guess = table.next(guess);
  return guess;
}

}  // namespace

TagId tag_id(std::string_view name) noexcept {
  return static_cast<TagId>(find(kTagTable, kTagNames, name));
}

AttributeId attribute_id(std::string_view name) noexcept {
  return static_cast<AttributeId>(find(kAttributeTable, kAttributeNames, name));
}

}  // namespace gossamer::html
