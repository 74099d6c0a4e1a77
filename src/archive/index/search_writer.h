// Writes a search index. The index is derived data: every page in it is also in an archive, so a
// damaged or outdated index is removed and built again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "index/index_lock.h"
#include "index/page_lengths.h"
#include "index/page_text.h"
#include "index/schema.h"
#include "store/row_position.h"

namespace gossamer::index {

// An archive that pages come from.
struct ArchiveName {
  std::string path;    // below the folder of the index: relative to it; else absolute
  std::string member;  // the archive in a package; empty: the file itself

  friend auto operator<=>(const ArchiveName&, const ArchiveName&) = default;
};

// Where a page was fetched, when, and where the archive has it.
struct PageOrigin {
  std::string url;
  WallTime captured;
  std::string mime;
  ArchiveName archive;
  std::uint64_t offset = 0;
};

// How far an archive was read. The path of an archive may later have another file.
struct ArchivePosition {
  std::uint64_t offset = 0;
  std::uint64_t fingerprint = 0;  // of what comes before the offset (archive_position())
};

// One thread, one connection. Other processes may read the index meanwhile, and even write it:
// every capture is stored once.
class SearchWriter {
 public:
  // Creates the index if there is none. A damaged or outdated one is replaced; `was_rebuilt()`
  // tells. Fails with Errc::exists if the file is something else, with Errc::unavailable if another
  // process builds it again, and with the error of the system.
  static Result<SearchWriter> open(const std::string& path);
  // Begins a new index that replaces the one at the path, if there is one. It has another name
  // until publish(), so that the old one can be searched meanwhile. Without publish(), it is
  // removed. Fails with Errc::unavailable if another process writes the index, and like open().
  static Result<SearchWriter> create(const std::string& path);

  ~SearchWriter();
  SearchWriter(SearchWriter&&) noexcept;
  SearchWriter& operator=(SearchWriter&&) = delete;

  bool was_rebuilt() const { return was_rebuilt_; }
  // The archives of the index that this one replaces, as far as it told them. Their pages are not
  // in this one until they are indexed again.
  const FormerArchives& former_archives() const { return former_archives_; }
  const std::string& path() const { return path_; }

  // Whether a capture is in the index.
  Result<bool> has(std::string_view url, WallTime captured);
  // Adds a capture. Returns false if it is there already.
  Result<bool> add(const PageOrigin& origin, const PageText& text);
  // Adds a capture with the text of another one, which a revisit record names. Returns false if
  // that is not in the index, or this one is.
  Result<bool> add_revisit(const PageOrigin& origin, std::string_view first_url,
                           WallTime first_captured);

  // Notes that a capture is not indexed: an image. A record that refers to it is not, either.
  Result<void> skip(std::string_view url, WallTime captured);
  Result<bool> is_skipped(std::string_view url, WallTime captured);

  // Everything before this offset of the archive is in the index: where the next run continues. It
  // is committed together with the pages.
  Result<void> set_position(const ArchiveName& archive, const ArchivePosition& position);
  Result<ArchivePosition> position(const ArchiveName& archive);

  // BOUND: commit when one of these is reached. More makes an index faster, and a lost batch
  // larger. Other processes cannot write meanwhile.
  static constexpr std::size_t kBatchPages = 1000;
  static constexpr std::size_t kBatchBytes = 16 * 1024 * 1024;
  static constexpr Duration kBatchTime = 1s;
  bool is_batch_full() const;
  bool has_batch() const;
  // Makes everything so far visible and lasting. Pages of an open batch are lost without it.
  Result<void> commit();

  // Commits, and gives an index of create() its name (replace_index()). Does nothing for other
  // ones. Fails with the error of the system.
  Result<void> publish();

  // Compares all texts with the index (IndexDatabase::check()).
  Result<void> check() { return index_->check(); }
  std::uint64_t added() const { return added_; }

 private:
  struct Statements;
  explicit SearchWriter(std::string path);

  Result<void> connect();
  void disconnect();
  Result<void> replace();
  Result<void> share_lock();
  Result<void> begin();
  Result<void> note_commits_from_here();
  Result<std::int64_t> source_id(const ArchiveName& archive);
  Result<std::optional<std::int64_t>> find(std::string_view url, WallTime captured);
  // The capture of the URL with the same text, if there is one.
  Result<std::optional<std::int64_t>> find_same(std::string_view url, std::uint64_t digest);
  Result<std::int64_t> insert_page(const PageOrigin& origin, const PageText& text,
                                   std::uint64_t digest, std::uint64_t text_bytes,
                                   std::optional<std::int64_t> same_as);
  Result<void> insert_sections(std::int64_t id, const std::vector<Section>& sections);
  Result<void> insert_text(std::int64_t id, const PageOrigin& origin, const PageText& text);

  std::string path_;
  std::string draft_;  // the name of the file until publish(); empty: it is at its path
  IndexLock lock_;
  std::unique_ptr<IndexDatabase> index_;
  std::unique_ptr<Statements> statements_;            // closed before the database
  std::unique_ptr<store::RowPositionFile> position_;  // none of a draft, or if it cannot be written
  TextPacker packer_;
  std::map<ArchiveName, std::int64_t> sources_;
  std::size_t batch_pages_ = 0;
  std::size_t batch_bytes_ = 0;
  std::vector<PageLength> batch_lengths_;
  std::uint64_t added_ = 0;
  Instant batch_begun_ = base::kNever;
  bool was_rebuilt_ = false;
  FormerArchives former_archives_;
};

}  // namespace gossamer::index
