// The part of Archive::open() that repairs the files of an earlier run.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "store/archive.h"
#include "store/archive_bodies.h"
#include "store/beneath.h"
#include "warc/whole_tail.h"

namespace gossamer::store {
namespace {

constexpr std::string_view kSuffix = ".warc.gz";

}  // namespace

std::string Archive::name_of(std::uint32_t number) const {
  return fmt::format("{}-{:05}{}", options_.name, number, kSuffix);
}

// Returns the number in NAME-00001.warc.gz; empty for other names.
std::optional<std::uint32_t> Archive::number_of(std::string_view name) const {
  if (!name.starts_with(options_.name) || !name.ends_with(kSuffix)) return std::nullopt;
  name.remove_prefix(options_.name.size());
  if (!name.starts_with('-')) return std::nullopt;
  name = name.substr(1, name.size() - 1 - kSuffix.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || name.size() < 5) {
    return std::nullopt;
  }
  return number;
}

async::Task<Result<void>> Archive::look_after() {
  auto listed = co_await pool_.run([this] { return files_.list(); });
  if (!listed) co_return fail(std::move(listed).error());
  std::vector<std::string> left_open;
  for (const ArchiveFiles::Listed& file : *listed) {
    std::string_view name = file.name;
    const bool is_open = name.ends_with(kOpenSuffix);
    if (is_open) name.remove_suffix(kOpenSuffix.size());
    if (ArchiveBodies::is_left_over(name, options_.name)) {
      auto removed = co_await pool_.run([&] { return files_.remove(file.name); });
      if (!removed) co_return removed;
    }
    const auto number = number_of(name);
    if (!number) continue;
    if (file.is_link) co_return fail(refusal_of_link(files_.path_of(file.name)));
    next_number_ = std::max(next_number_, *number + 1);
    if (is_open) {
      left_open.emplace_back(name);
    } else {
      lengths_.emplace(name, file.bytes);
    }
  }
  for (const std::string& name : left_open) {
    if (lengths_.contains(name)) {
      co_return fail(Errc::exists, fmt::format("both {} and {}{} exist", name, name, kOpenSuffix));
    }
    if (auto repaired = co_await repair(name); !repaired) {
      co_return fail(std::move(repaired).error().with_context("while repairing " + name));
    }
  }
  co_return {};
}

async::Task<Result<void>> Archive::repair(const std::string& name) {
  const std::string open_name = name + std::string(kOpenSuffix);
  std::uint64_t whole = 0;
  {
    auto file = co_await open_file(files_, open_name, async::OpenMode::read_write);
    if (!file) co_return fail(std::move(file).error());
    auto found = co_await whole_bytes(*file);
    if (!found) co_return fail(std::move(found).error());
    whole = *found;
    auto cut = co_await pool_.run([&] { return files_.truncate(open_name, whole); });
    if (!cut) co_return cut;
    if (auto synced = co_await file->sync(); !synced) co_return synced;
  }
  auto named = co_await pool_.run([&]() -> Result<void> {
    auto done = whole == 0 ? files_.remove(open_name) : files_.rename(open_name, name);
    if (!done) return done;
    return files_.sync_names();
  });
  if (named && whole > 0) lengths_.emplace(name, whole);
  co_return named;
}

async::Task<Result<std::uint64_t>> Archive::whole_bytes(async::File& file) {
  constexpr std::size_t kPiece = 256 * 1024;
  std::vector<std::byte> piece(kPiece);
  warc::WholeTail tail;
  for (std::uint64_t offset = 0;;) {
    auto read = co_await file.read_at(offset, piece);
    if (!read) co_return fail(std::move(read).error());
    if (*read == 0) co_return tail.finish();
    tail.feed(Bytes(piece).first(*read));
    offset += *read;
  }
}

}  // namespace gossamer::store
