#include "store/work_rows.h"

#include "store/tables.h"

namespace gossamer::store {

std::string origin_key(OriginRow kind, std::string_view name) {
  return std::string(1, static_cast<char>(kind)).append(name);
}

std::string name_key(std::uint32_t id) {
  std::string key = origin_key(OriginRow::name);
  append_big_endian(key, id, 4);
  return key;
}

std::string count_key(std::uint16_t site, const crawler::StoredCount& count) {
  std::string key = origin_key(OriginRow::count);
  append_big_endian(key, site, 2);
  key.push_back(static_cast<char>(count.what));
  append_big_endian(key, count.key);
  return key;
}

std::string ChunkKey::text() const {
  std::string key;
  append_big_endian(key, origin, 4);
  append_big_endian(key, place.rank, 4);
  append_big_endian(key, place.number);
  return key;
}

ChunkKey ChunkKey::read(std::string_view key) {
  return {.origin = static_cast<std::uint32_t>(read_big_endian(key, 4)),
          .place = {.rank = static_cast<std::uint32_t>(read_big_endian(key.substr(4), 4)),
                    .number = read_big_endian(key.substr(8))}};
}

}  // namespace gossamer::store
