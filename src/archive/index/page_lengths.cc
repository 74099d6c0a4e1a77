#include "index/page_lengths.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace gossamer::index {
namespace {

// The blob of a block has two bytes for each of these pages, the lower one first.
constexpr std::size_t kBlockPages = 1024;
constexpr std::size_t kBlockBytes = 2 * kBlockPages;
// BOUND: of the memory that a damaged index can demand.
constexpr std::int64_t kBlocksMax = 1 << 20;

std::vector<std::uint16_t> unpacked(std::string_view blob) {
  std::vector<std::uint16_t> block(kBlockPages);
  for (std::size_t i = 0; i < kBlockPages; ++i) {
    const auto low = static_cast<unsigned char>(blob[2 * i]);
    const auto high = static_cast<unsigned char>(blob[2 * i + 1]);
    block[i] = static_cast<std::uint16_t>(low | high << 8);
  }
  return block;
}

// FTS5 has a number for each column, seven bits per byte, the higher ones first.
std::size_t counted_by_fts(std::string_view columns) {
  std::size_t words = 0;
  std::size_t number = 0;
  for (const char c : columns) {
    const auto byte = static_cast<unsigned char>(c);
    number = number << 7 | (byte & 0x7F);
    if ((byte & 0x80) != 0) continue;
    words += std::exchange(number, 0);
  }
  return words;
}

}  // namespace

std::size_t PageLengths::of(std::int64_t id) const noexcept {
  const auto place = static_cast<std::uint64_t>(id);
  if (place / kBlockPages >= blocks_.size()) return 0;
  const std::vector<std::uint16_t>& block = blocks_[place / kBlockPages];
  return block.empty() ? 0 : block[place % kBlockPages];
}

Result<void> PageLengths::update(store::Database& database) {
  auto rows = database.prepare("SELECT block, words FROM length WHERE block >= ? ORDER BY block");
  if (!rows) return fail(std::move(rows).error());
  // Ids grow, so only the last block may have changed.
  rows->number(std::max<std::int64_t>(std::ssize(blocks_) - 1, 0));
  while (true) {
    auto row = rows->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return {};
    const std::int64_t at = rows->number_at(0);
    const std::string_view blob = rows->blob_at(1);
    if (at >= kBlocksMax || blob.size() != kBlockBytes) {
      return fail(Errc::malformed, "the lengths in the index are damaged");
    }
    if (at >= std::ssize(blocks_)) blocks_.resize(static_cast<std::size_t>(at) + 1);
    std::vector<std::uint16_t>& block = blocks_[static_cast<std::size_t>(at)];
    for (const std::uint16_t words : block) {
      words_ -= words;
      pages_ -= words > 0 ? 1 : 0;
    }
    block = unpacked(blob);
    for (const std::uint16_t words : block) {
      words_ += words;
      pages_ += words > 0 ? 1 : 0;
    }
  }
}

Result<void> add_lengths(store::Database& database, const std::vector<PageLength>& lengths) {
  auto read = database.prepare("SELECT words FROM length WHERE block = ?");
  if (!read) return fail(std::move(read).error());
  auto write = database.prepare("REPLACE INTO length(block, words) VALUES(?, ?)");
  if (!write) return fail(std::move(write).error());
  for (std::size_t at = 0; at < lengths.size();) {
    const auto block_of = [&](std::size_t place) {
      return lengths[place].first / static_cast<std::int64_t>(kBlockPages);
    };
    const std::int64_t block = block_of(at);
    auto row = read->number(block).step();
    if (!row) return fail(std::move(row).error());
    std::string blob(*row ? read->blob_at(0) : std::string_view());
    read->reset();
    blob.resize(kBlockBytes);
    for (; at < lengths.size() && block_of(at) == block; ++at) {
      const std::size_t place = static_cast<std::uint64_t>(lengths[at].first) % kBlockPages;
      const std::size_t words = std::min(lengths[at].second, PageLengths::kWordsMax);
      blob[2 * place] = static_cast<char>(words & 0xFF);
      blob[2 * place + 1] = static_cast<char>(words >> 8);
    }
    if (auto done = write->number(block).blob(blob).run(); !done) return done;
  }
  return {};
}

Result<void> check_lengths(store::Database& database) {
  PageLengths lengths;
  if (auto read = lengths.update(database); !read) return read;
  auto rows = database.prepare("SELECT id, sz FROM fts_docsize");
  if (!rows) return fail(std::move(rows).error());
  while (true) {
    auto row = rows->step();
    if (!row) return fail(std::move(row).error());
    if (!*row) return {};
    const std::int64_t id = rows->number_at(0);
    const std::size_t words = counted_by_fts(rows->blob_at(1));
    if (lengths.of(id) != std::min(words, PageLengths::kWordsMax)) {
      return fail(Errc::malformed, "the index has a wrong length of page " + std::to_string(id));
    }
  }
}

}  // namespace gossamer::index
