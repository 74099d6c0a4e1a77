#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "crawl/page/record.h"
#include "warc/payload_reader.h"

namespace gossamer::store {

// What the archive of a crawl directory has, one answer at a time.
class ArchivedAnswers {
 public:
  explicit ArchivedAnswers(std::string folder) : folder_(std::move(folder)) {}

  // Hands the payload over, content codings undone; that of the record that it refers to, if it is
  // the same. Gives whether all of it was there. Fails with what the system says, and with
  // Errc::malformed if there is no answer at that place.
  Result<bool> read(const crawler::ArchivePlace& place, warc::PayloadSink& sink);

 private:
  // Where answers stand that others may refer to. Made when the first one does, since all files
  // must be read for it.
  struct Index {
    struct Place {
      std::uint32_t file = 0;
      std::uint64_t offset = 0;
    };
    std::vector<std::string> files;
    std::unordered_map<std::uint64_t, Place> places;  // by the hash of the record's id
  };
  class IndexVisitor;

  Result<void> make_index();

  std::string folder_;
  std::optional<Index> index_;
};

}  // namespace gossamer::store
