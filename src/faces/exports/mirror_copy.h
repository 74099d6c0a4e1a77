#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace gossamer::exports {

// A folder with an offline copy of a site and the crawl that it was made from.
class MirrorCopy {
 public:
  explicit MirrorCopy(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string crawl() const { return inside(".crawl"); }  // the crawl directory
  std::string next() const { return inside(".new"); }     // a copy that is not complete

  // True if there was a crawl for this copy before.
  bool has_crawl() const;
  // True if an earlier run completed a copy.
  bool has_copy() const;
  // Accepts a mirror or a folder that may become one. Fails with Errc::exists, and with
  // Errc::io_failed if its crawl directory is a link.
  Result<void> check() const;
  // Deletes what an earlier run left in next().
  void clear_next() const;
  // True if next() has a copy.
  bool has_next() const;
  // Replaces the folders of the old copy with those of next(). After a crash between two of them,
  // each folder is either old or new; the next run replaces them all.
  Result<void> replace() const;

 private:
  std::string inside(std::string_view name) const { return path_ + "/" + std::string(name); }

  std::string path_;
};

}  // namespace gossamer::exports
