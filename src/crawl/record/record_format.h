#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/record_fields.h"

namespace gossamer::crawler {

enum class CrawlFormat : std::uint8_t {
  jsonl,  // an object per record
  csv,    // RFC 4180, with a line of names at its head
  text,   // for people; selected fields are separated by tabs
  urls,   // only the URLs of successful pages
  none,   // nothing: a crawl directory stores the records
};

// Writes records in a format with the selected fields.
class RecordFormat {
 public:
  // No fields: all, or the default of the format; with items, the URL and their fields. CSV needs
  // the contents for its columns.
  // REQUIRES: no fields for `urls`.
  explicit RecordFormat(CrawlFormat format, FieldChoice fields = {},
                        const CrawlContents& contents = {});

  // Returns the header before the first record. Lines have no line feed.
  std::optional<std::string> header() const;
  // Empty: the format omits this record.
  std::optional<std::string> line(const FetchRecord& record) const;
  // With items, there is a line for each of them; otherwise at most one.
  std::vector<std::string> lines(const FetchRecord& record) const;

 private:
  std::string csv_line(const FetchRecord& record) const;
  std::string text_line(const FetchRecord& record) const;

  CrawlFormat format_;
  FieldChoice fields_;
  bool has_items_;
};

// Formats one cell. External text that a spreadsheet would read as a formula gets a leading
// apostrophe; control characters become blanks, so that a record is one line.
void append_csv_cell(std::string& line, std::string_view text, bool is_from_outside);

}  // namespace gossamer::crawler
