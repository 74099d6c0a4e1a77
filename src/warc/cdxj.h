// CDXJ: the index of archives. One line per capture,
//
//   com,example)/ 20170306040206 {"url": "http://example.com/", "mime": "text/html", ...}
//
// sorted by bytes, so that the captures of a page stand together, those of a site are neighbours,
// and a key is found by halving.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "warc/archive_reader.h"
#include "warc/record.h"
#include "warc/verifier.h"

namespace gossamer::warc {

// The key of an address, as pywb, warcio and the Internet Archive make it: see url::cdx_key. What
// is no URL is its own key, in lower case and without blanks.
std::string capture_key(std::string_view address);

struct CdxjEntry {
  std::string key;
  std::string timestamp;  // fourteen digits
  std::string url;
  // Those that are empty are not written.
  std::string mime;
  std::string status;
  std::string digest;
  std::uint64_t length = 0;
  std::uint64_t offset = 0;
  std::string filename;

  // Without the line feed.
  std::string to_line() const;
  // Fails with Errc::malformed. Members that we have no word for are passed over.
  static Result<CdxjEntry> parse(std::string_view line);

  friend bool operator==(const CdxjEntry&, const CdxjEntry&) = default;
};

// Whether indexes have such records: responses, revisits, resources, and metadata that is no list
// of fields; all of them with an address.
bool is_indexed(const RecordHead& head);

// The line for a record that has been read to its end.
// REQUIRES: is_indexed(head); the extent can be cut out; the verifier has finished.
CdxjEntry index_entry(const RecordHead& head, const Extent& extent, const Verifier& verifier,
                      std::string_view filename);

// Lines in the order of the index, each with its line feed, without those that are there twice.
std::string sorted_lines(std::vector<std::string> lines);

// A sorted index in memory, or mapped into it. BORROWS: the text.
class CdxjIndex {
 public:
  explicit CdxjIndex(std::string_view text) noexcept : text_(text) {}

  // The lines of that key, as one piece of the index; empty if there are none.
  std::string_view find(std::string_view key) const noexcept;
  // Those whose keys begin so: "com,example," is all below a domain.
  std::string_view find_prefix(std::string_view prefix) const noexcept;

 private:
  // Where the first line begins that is not before `wanted`.
  std::size_t lower_bound(std::string_view wanted) const noexcept;

  std::string_view text_;
};

}  // namespace gossamer::warc
