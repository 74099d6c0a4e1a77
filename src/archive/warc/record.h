// A record of an archive: the header before its block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace gossamer::warc {

// WARC 1.1 section 5.5. ARC files contain responses, and a file header at the start.
enum class RecordType : std::uint8_t {
  warcinfo,
  response,
  resource,
  request,
  metadata,
  revisit,
  conversion,
  continuation,
  arc_header,
  unknown,
};

std::string_view name(RecordType type) noexcept;
// Accepts any case; returns `unknown` for other types.
RecordType record_type_named(std::string_view name) noexcept;

// Parses the date of a record: RFC 3339 as WARC writes it, with the precision that WARC 1.1 allows
// (a year at least, up to nine digits of a second), or the digits of ARC and CDX (20140216050221;
// missing digits at the end are zero). Returns nothing for other texts and for dates that do not
// exist.
std::optional<WallTime> parse_record_date(std::string_view text) noexcept;
// Returns the fourteen digits of indexes. REQUIRES: the year is within 0000 to 9999.
std::string timestamp14(WallTime time);

// Named fields in their order, with their original bytes.
class Fields {
 public:
  struct Field {
    std::string name;
    std::string value;

    friend bool operator==(const Field&, const Field&) = default;
  };

  // Adds a line "name: value" without its end, leniently: blanks around names and values are
  // dropped, lines that begin with a blank continue the value above after one space, lines without
  // a colon are skipped.
  void append_line(std::string_view line);
  void append(std::string name, std::string value);

  // Returns the value of the first field of that name, in any case.
  std::optional<std::string_view> find(std::string_view name) const noexcept;

  bool empty() const noexcept { return list_.empty(); }
  std::size_t size() const noexcept { return list_.size(); }
  const Field& operator[](std::size_t index) const noexcept { return list_[index]; }
  auto begin() const noexcept { return list_.begin(); }
  auto end() const noexcept { return list_.end(); }

 private:
  std::vector<Field> list_;
  bool is_skipping_ =
      false;  // the last line was not a field, so its continuation lines are skipped too
};

enum class RecordFormat : std::uint8_t { warc, arc };

struct RecordHead {
  RecordFormat format = RecordFormat::warc;
  std::string version;  // "WARC/1.1", "ARC/1"
  RecordType type = RecordType::unknown;
  // The fields of an ARC record have warcio's names: uri, ip-address, archive-date, content-type,
  // length, and in version 2 also result-code, checksum, location, offset, filename.
  Fields fields;
  std::uint64_t block_bytes = 0;  // according to the header
  std::string raw;                // the lines, including the empty one at the end

  // BORROWS, all of them: the views point into the fields.

  // Returns the address in a usable form: without the angle brackets that old writers put around
  // it, and with escaped blanks. Empty if there is none.
  std::string target_uri() const;
  std::optional<WallTime> date() const;
  std::string_view date_text() const noexcept;
  std::string_view record_id() const noexcept;
  std::string_view content_type() const noexcept;  // of the block
  // Returns whether the block is, or should be, an HTTP message.
  bool has_http() const;
};

}  // namespace gossamer::warc
