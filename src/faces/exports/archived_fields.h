// The fields of records that crawl directories do not store, but their archives have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "captures/archived_answers.h"
#include "captures/archived_links.h"
#include "record/record.h"
#include "record/record_fields.h"
#include "store/job_folder.h"

namespace gossamer::exports {

class ArchivedFields {
 public:
  // Reads only what these fields have, from the archive of that crawl.
  ArchivedFields(const store::JobFolder& folder, std::span<const crawler::ChosenField> fields);

  // Returns the record with its links and its head, as the crawl does. A page that cannot be read
  // has neither, and is counted. BORROWS: the record, and until the next call.
  const crawler::FetchRecord& complete(const crawler::FetchRecord& stored);

  std::uint64_t missing() const { return missing_; }
  // The first of these, and why.
  const std::string& first_missing() const { return first_missing_; }

 private:
  Result<void> read();
  Result<void> read_links();

  captures::ArchivedAnswers answers_;
  captures::ArchivedLinks links_;
  crawler::FetchRecord record_;
  std::size_t url_bytes_max_;
  bool wants_links_ = false;
  bool wants_head_ = false;
  std::uint64_t missing_ = 0;
  std::string first_missing_;
};

}  // namespace gossamer::exports
