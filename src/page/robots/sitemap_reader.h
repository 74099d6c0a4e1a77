// Reads a sitemap as it arrives.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "robots/sitemap.h"

namespace gossamer::robots {

// Receives the entries.
class SitemapSink {
 public:
  virtual void put(SitemapEntry entry) = 0;

 protected:
  ~SitemapSink() = default;
};

//   SitemapReader reader(options, sink);
//   while (...) reader.feed(piece);
//   reader.finish();
//
// BOUND: holds one entry, one piece of 64 KiB and the open elements, however long the sitemap is.
class SitemapReader {
 public:
  // BORROWS: the sink, as long as the reader lives.
  SitemapReader(const SitemapOptions& options, SitemapSink& sink);
  ~SitemapReader();
  SitemapReader(const SitemapReader&) = delete;
  SitemapReader& operator=(const SitemapReader&) = delete;

  // After the first trouble, the rest is ignored.
  void feed(std::string_view bytes);
  void finish();

  // The result so far; see Sitemap.
  SitemapKind kind() const;
  std::optional<WallTime> last_modified() const;
  std::size_t entry_count() const;
  std::size_t rejected() const;
  std::optional<Error>& trouble();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gossamer::robots
