#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "crawl/page/record_fields.h"

namespace gossamer::crawler {

enum class CrawlFormat : std::uint8_t {
  jsonl,  // an object per record
  csv,    // RFC 4180, with a line of names at its head
  text,   // for people; the chosen fields with tabs between them
  urls,   // of pages that were fetched with success, and nothing else
  none,   // nothing: a crawl directory stores the records
};

// How records are written: the format and the fields that are wanted.
class RecordFormat {
 public:
  // No fields: all, or what the format shows by itself. REQUIRES: none for `urls`.
  explicit RecordFormat(CrawlFormat format, FieldChoice fields = {});

  // What stands before the first record. Lines come without their line feed.
  std::optional<std::string> header() const;
  // Nothing: the format leaves this record out.
  std::optional<std::string> line(const FetchRecord& record) const;

 private:
  std::string csv_line(const FetchRecord& record) const;
  std::string text_line(const FetchRecord& record) const;

  CrawlFormat format_;
  FieldChoice fields_;
};

// One cell. Text that came from outside and that a spreadsheet would take for a formula gets an
// apostrophe before it; control characters become blanks, so that a record is one line.
void append_csv_cell(std::string& line, std::string_view text, bool is_from_outside);

}  // namespace gossamer::crawler
