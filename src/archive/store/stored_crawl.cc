#include "store/stored_crawl.h"

#include <map>
#include <optional>
#include <utility>

#include "base/packing.h"
#include "store/page_table.h"
#include "store/work_chunk.h"
#include "url/crawl_identity.h"

namespace gossamer::store {
namespace {

using store::Table;

}  // namespace

Result<StoredCrawl> StoredCrawl::open(const std::string& path) {
  auto folder = store::JobFolder::open(path, store::JobFolder::Access::read);
  if (!folder) return fail(std::move(folder).error());
  auto archive_damage = folder->check();
  if (!archive_damage) return fail(std::move(archive_damage).error());
  auto tables = store::RocksTables::open(folder->tables(), {.is_read_only = true});
  if (!tables) return fail(std::move(tables).error());
  return StoredCrawl(std::move(*folder), std::move(*tables), std::move(*archive_damage));
}

Result<crawler::Statistics> StoredCrawl::store_statistics() const {
  return store::stored_statistics(*tables_);
}

std::string StoredCrawl::state() const {
  if (folder_.is_busy()) return "running";
  const auto state = tables_->get(Table::meta, "state");
  if (!state) return "damaged";
  return state->value_or("interrupted");
}

std::string StoredCrawl::end() const {
  const std::string now = state();
  if (now != "stopped") return now == "finished" || now == "incomplete" ? now : std::string();
  const auto end = tables_->get(Table::meta, "end");
  return end ? end->value_or(std::string()) : std::string();
}

Result<std::size_t> StoredCrawl::waiting() const {
  std::size_t count = 0;
  auto read = for_each_waiting([&count](const crawler::Target&) {
    ++count;
    return true;
  });
  if (!read) return fail(std::move(read).error());
  return count;
}

Result<void> StoredCrawl::for_each_page(
    std::move_only_function<bool(const crawler::FetchRecord&)> use) const {
  std::optional<Error> failure;
  auto read = tables_->scan(Table::pages, {}, [&](std::string_view, std::string_view row) {
    auto record = store::unpack_page(row);
    if (!record) failure = std::move(record).error();
    return record && use(*record);
  });
  if (failure) return fail(std::move(*failure));
  return read;
}

Result<void> StoredCrawl::for_each_skip(
    std::move_only_function<bool(const store::StoredSkip&)> use) const {
  std::optional<Error> failure;
  auto read = tables_->scan(Table::skipped, {}, [&](std::string_view, std::string_view row) {
    auto skips = store::unpack_skips(row);
    if (!skips) {
      failure = std::move(skips).error();
      return false;
    }
    for (const store::StoredSkip& skip : *skips) {
      if (!use(skip)) return false;
    }
    return true;
  });
  if (failure) return fail(std::move(*failure));
  return read;
}

Result<void> StoredCrawl::for_each_waiting(
    std::move_only_function<bool(const crawler::Target&)> use) const {
  // URLs in transfer between loops have no origin, so they are stored completely.
  std::map<std::uint32_t, std::string> names = {{0, ""}};
  auto named = tables_->scan(Table::origins, "o", [&](std::string_view key, std::string_view row) {
    if (key.front() != 'o') return false;
    store::Unpacker from(row);
    names.emplace(static_cast<std::uint32_t>(from.number()), key.substr(1));
    return true;
  });
  if (!named) return named;
  std::optional<Error> failure;
  auto read = tables_->scan(Table::waiting, {}, [&](std::string_view key, std::string_view row) {
    const auto name = names.find(static_cast<std::uint32_t>(store::read_big_endian(key, 4)));
    if (name == names.end()) {
      failure = Error(Errc::malformed, "the tables contain URLs of an unknown origin");
      return true;
    }
    const auto targets = store::read_chunk(row, name->second);
    if (!targets) {
      failure = targets.error().copy();
      return true;
    }
    for (const store::ChunkedTarget& kept : *targets) {
      // Finished targets of a chunk are in the table of pages.
      if (kept.fingerprint) {
        const auto page = tables_->get(Table::pages, store::page_key(*kept.fingerprint));
        if (!page) failure = page.error().copy();
        if (!page) return false;
        if (*page) continue;
      }
      if (!use(kept.target)) return false;
    }
    return true;
  });
  if (failure) return fail(std::move(*failure));
  return read;
}

}  // namespace gossamer::store
