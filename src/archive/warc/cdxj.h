// CDXJ: the index of archives. One line per capture,
//
//   com,example)/ 20170306040206 {"url": "http://example.com/", "mime": "text/html", ...}
//
// sorted by bytes, so that the captures of a page and those of a site are adjacent, and a key can
// be found by binary search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warc/archive_reader.h"
#include "warc/record.h"
#include "warc/verifier.h"

namespace gossamer::warc {

// Returns the key of an address, as pywb, warcio and the Internet Archive make it: see
// url::cdx_key. A text that is not a URL is its own key, in lower case and without blanks.
std::string capture_key(std::string_view address);

struct CdxjEntry {
  std::string key;
  std::string timestamp;  // fourteen digits
  std::string url;
  // Empty ones are not written.
  std::string mime;
  std::string status;
  std::string digest;
  std::uint64_t length = 0;
  std::uint64_t offset = 0;
  std::string filename;

  // Without the line feed.
  std::string to_line() const;

  friend bool operator==(const CdxjEntry&, const CdxjEntry&) = default;
};

// Returns whether such records belong in an index: responses, revisits, resources, and metadata
// other than lists of fields; all of them with an address.
bool is_indexed(const RecordHead& head);

// Returns the line for a record that was read to its end.
// REQUIRES: is_indexed(head); the extent can be cut out; the verifier has finished.
CdxjEntry index_entry(const RecordHead& head, const Extent& extent, const Verifier& verifier,
                      std::string_view filename);

// Returns the lines in the order of the index, each with its line feed, without duplicates.
std::string sorted_lines(std::vector<std::string> lines);

}  // namespace gossamer::warc
