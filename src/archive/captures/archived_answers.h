#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "record/record.h"
#include "warc/payload_reader.h"

namespace gossamer::store {

// Reads single responses from the archive of a crawl directory.
class ArchivedAnswers {
 public:
  explicit ArchivedAnswers(std::string folder) : folder_(std::move(folder)) {}

  // Passes the decoded payload to `sink`; a revisit gives the payload of the record that it refers
  // to. Returns whether it is complete: neither damaged nor marked WARC-Truncated, nor larger than
  // `bytes_max`. Fails with the error of the system, and with Errc::malformed if there is no
  // response at that place.
  Result<bool> read(const crawler::ArchivePlace& place, warc::PayloadSink& sink,
                    std::uint64_t bytes_max = kDecodedBytes);
  static constexpr std::uint64_t kDecodedBytes = 64 * 1024 * 1024;

 private:
  // The places of responses that others may refer to. It is made for the first reference, since it
  // requires reading all files.
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
