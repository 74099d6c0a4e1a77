#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/record.h"

namespace gossamer::report {

// One line that a crawl wrote as JSON, read again: a record, or a URL that was skipped, as far as
// it is written there. Neither: the line is something else.
class ResultLine {
 public:
  explicit ResultLine(std::string_view line);
  // What was read looks into this.
  ResultLine(const ResultLine&) = delete;
  ResultLine& operator=(const ResultLine&) = delete;

  const std::optional<crawler::FetchRecord>& record() const { return record_; }
  const std::optional<crawler::SkippedUrl>& skipped() const { return skipped_; }

 private:
  std::string url_;
  std::string via_;
  std::optional<crawler::FetchRecord> record_;
  std::optional<crawler::SkippedUrl> skipped_;
};

}  // namespace gossamer::report
