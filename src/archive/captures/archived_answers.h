#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "captures/read_answer.h"
#include "record/record.h"
#include "warc/payload_reader.h"

namespace gossamer::captures {

// Reads single answers from the archive of a crawl directory.
class ArchivedAnswers {
 public:
  explicit ArchivedAnswers(std::string folder) : folder_(std::move(folder)) {}

  // Passes the decoded body to `sink`; a revisit gives the body of the record that it refers to.
  // Fails as read_answer() does, and with Errc::not_found if that record is not archived.
  Result<warc::Answer> read(const crawler::ArchivePlace& place, warc::PayloadSink& sink,
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
  RecordWalk record_at(std::string file, std::uint64_t offset) const;
  Result<RecordWalk> find_original(const warc::Answer& revisit);

  std::string folder_;
  std::optional<Index> index_;
};

}  // namespace gossamer::captures
