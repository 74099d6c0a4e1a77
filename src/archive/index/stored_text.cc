#include "index/stored_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace gossamer::index {
namespace {

Result<bool> has_sections(store::Database& database) {
  auto statement = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'section'");
  if (!statement) return fail(std::move(statement).error());
  return statement->step();
}

}  // namespace

Result<StoredText> read_stored_text(IndexDatabase& index, std::int64_t id) {
  auto known = has_sections(index.database());
  if (!known) return fail(std::move(known).error());
  std::string sql = "SELECT content.main_bytes, content.text, ";
  sql += *known ? "(SELECT list FROM section WHERE section.id = content.id)" : "NULL";
  sql +=
      " FROM page JOIN content ON content.id = coalesce(page.same_as, page.id) WHERE page.id = ?";
  auto statement = index.database().prepare(sql);
  if (!statement) return fail(std::move(statement).error());
  auto row = statement->number(id).step();
  if (!row) return fail(std::move(row).error());
  if (!*row) return fail(Errc::not_found, "the index has no such page");
  auto text = index.unpacker().unpack(statement->blob_at(1));
  if (!text) return fail(std::move(text).error());
  StoredText stored = {.text = std::move(*text)};
  stored.main_bytes =
      std::min(static_cast<std::size_t>(statement->number_at(0)), stored.text.size());
  const std::string_view list = statement->blob_at(2);
  if (list.empty()) return stored;
  auto places = index.unpacker().unpack(list);
  if (!places) return fail(std::move(places).error());
  stored.sections = parse_sections(*places, stored.main_bytes);
  return stored;
}

}  // namespace gossamer::index
