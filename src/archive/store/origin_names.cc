#include "store/origin_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/packing.h"
#include "store/work_rows.h"

namespace gossamer::store {
namespace {

constexpr std::size_t kNamesAtOnce = 4096;  // in one batch

}  // namespace

Result<void> OriginNames::take_over() {
  std::size_t origins = 0;
  std::size_t names = 0;
  auto read = journal_.tables().scan(
      Table::origins, origin_key(OriginRow::id), [&](std::string_view key, std::string_view value) {
        if (!is_key_of(OriginRow::id, key)) return false;
        const auto id = static_cast<std::uint32_t>(Unpacker(value).number());
        next_id_ = std::max(next_id_, id + 1);
        ++origins;
        return true;
      });
  if (!read) return read;
  has_old_names_ = origins > 0;
  read = journal_.tables().scan(Table::origins, origin_key(OriginRow::name),
                                [&](std::string_view key, std::string_view) {
                                  if (!is_key_of(OriginRow::name, key)) return false;
                                  ++names;
                                  return true;
                                });
  if (!read || names == origins) return read;
  return write_names();
}

// Earlier versions did not write them. They bypass the journal, whose pending changes belong
// together.
Result<void> OriginNames::write_names() {
  Batch batch;
  Result<void> written;
  auto read = journal_.tables().scan(
      Table::origins, origin_key(OriginRow::id), [&](std::string_view key, std::string_view value) {
        if (!is_key_of(OriginRow::id, key)) return false;
        const auto id = static_cast<std::uint32_t>(Unpacker(value).number());
        batch.put(Table::origins, name_key(id), std::string(key.substr(1)));
        if (batch.changes.size() < kNamesAtOnce) return true;
        written = journal_.tables().write(batch);
        batch.clear();
        return written.has_value();
      });
  if (read && written && !batch.empty()) written = journal_.tables().write(batch);
  return read ? std::move(written) : std::move(read);
}

std::uint32_t OriginNames::id_of(std::string_view name) {
  if (has_old_names_) {
    auto row = journal_.tables().get(Table::origins, origin_key(OriginRow::id, name));
    if (!row) journal_.fail_with(std::move(row).error());
    if (row && *row) return static_cast<std::uint32_t>(Unpacker(**row).number());
  }
  const std::uint32_t id = next_id_++;
  Packer row;
  row.number(id);
  journal_.pending().put(Table::origins, origin_key(OriginRow::id, name), std::move(row).take());
  journal_.pending().put(Table::origins, name_key(id), std::string(name));
  return id;
}

std::string OriginNames::name_of(std::uint32_t id) {
  auto row = journal_.tables().get(Table::origins, name_key(id));
  if (!row) journal_.fail_with(std::move(row).error());
  return row && *row ? std::move(**row) : std::string();
}

}  // namespace gossamer::store
