// A record of an archive: what stands in front of its block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace gossamer::warc {

// WARC 1.1 section 5.5. ARC files have responses, and a header of the file at their front.
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
// Any case; `unknown` for all that we have no word for.
RecordType record_type_named(std::string_view name) noexcept;

// A date of a record: RFC 3339 as WARC writes it, with the precision that WARC 1.1 allows (a year
// at least, up to nine digits of a second), or the digits of ARC and CDX (20140216050221; missing
// ones at the end are zero). Nothing if it is neither or there is no such moment.
std::optional<WallTime> parse_record_date(std::string_view text) noexcept;
// The fourteen digits of indexes. REQUIRES: a year within 0000 to 9999.
std::string timestamp14(WallTime time);

// Named fields in their order, with the bytes they came with.
class Fields {
 public:
  struct Field {
    std::string name;
    std::string value;

    friend bool operator==(const Field&, const Field&) = default;
  };

  // Lines "name: value" without their ends, as they can be read in anybody's archive: blanks around
  // names and values are dropped, lines that begin with a blank go on with the value above, lines
  // without a colon are skipped.
  void append_line(std::string_view line);
  void append(std::string name, std::string value);

  // The value of the first field of that name, in any case.
  std::optional<std::string_view> find(std::string_view name) const noexcept;

  bool empty() const noexcept { return list_.empty(); }
  std::size_t size() const noexcept { return list_.size(); }
  const Field& operator[](std::size_t index) const noexcept { return list_[index]; }
  auto begin() const noexcept { return list_.begin(); }
  auto end() const noexcept { return list_.end(); }

 private:
  std::vector<Field> list_;
  bool is_skipping_ = false;  // the last line was no field, nor are those that go on with it
};

enum class RecordFormat : std::uint8_t { warc, arc };

struct RecordHead {
  RecordFormat format = RecordFormat::warc;
  std::string version;  // "WARC/1.1", "ARC/1"
  RecordType type = RecordType::unknown;
  // Those of an ARC record are called as warcio calls them: uri, ip-address, archive-date,
  // content-type, length, and of version 2 also result-code, checksum, location, offset, filename.
  Fields fields;
  std::uint64_t block_bytes = 0;  // what the head says
  std::string raw;                // the lines, with the empty one at their end

  // BORROWS, all of them: views look into the fields.

  // The address as it can be used: without the angle brackets that old writers put around it, with
  // its blanks escaped. Empty if there is none.
  std::string target_uri() const;
  std::optional<WallTime> date() const;
  std::string_view date_text() const noexcept;
  std::string_view record_id() const noexcept;
  std::string_view content_type() const noexcept;  // of the block
  // The block is an HTTP message, or should be.
  bool has_http() const;
};

}  // namespace gossamer::warc
