// Which URLs are archived, when, and where. It does no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "record/outcome.h"

namespace gossamer::captures {

// Where a record begins.
struct RecordPlace {
  std::uint32_t file = 0;     // a number of the collection
  std::uint32_t ordinal = 0;  // records before it in its compressed member
  std::uint64_t offset = 0;   // of the member, or of the record in an uncompressed file

  friend bool operator==(const RecordPlace&, const RecordPlace&) = default;
};

struct Capture {
  std::string url;  // as archived
  WallTime at;
  RecordPlace place;
  std::uint64_t bytes = 0;  // of the record's block
  std::uint32_t archive = 0;
  std::uint16_t status = 0;  // 0: not an HTTP response
  std::uint16_t type = 0;    // a number of CaptureIndex::type_name()
  bool is_revisit = false;
};

// All that is known about one URL.
struct UrlEntry {
  std::string url;                // of the first capture, or of the crawl
  std::vector<Capture> captures;  // in the order of time
  // Of a crawl directory.
  struct Fetched {
    std::string title;
    std::string error;  // a short code; empty: none
    std::uint32_t depth = 0;
    std::uint32_t archive = 0;
    std::uint16_t status = 0;
    crawler::Outcome outcome = crawler::Outcome::page;
  };
  std::optional<Fetched> fetched = {};
};

// The part of an entry that belongs to one archive; `archive` is empty for all of them. A
// robots.txt that was only read for its rules is none of its URLs.
struct EntryOf {
  EntryOf(const UrlEntry& entry, std::optional<std::uint32_t> archive);

  bool is_empty() const { return last == nullptr && fetched == nullptr; }
  // Returns the outcome of the fetch; without one, that of the capture. REQUIRES: !is_empty().
  crawler::Outcome outcome() const;

  const Capture* last = nullptr;               // nullptr: no capture
  const UrlEntry::Fetched* fetched = nullptr;  // nullptr: not known
};

class CaptureIndex {
 public:
  using Entries = std::map<std::string, UrlEntry, std::less<>>;

  // Returns the number of a type: "text/html".
  std::uint16_t type_number(std::string_view type);
  const std::string& type_name(std::uint16_t number) const { return types_[number]; }

  // `record` and `payload` are hashes of the record's ID and of its declared payload digest; 0:
  // none. REQUIRES: sort() is called after the last of a batch.
  void add(Capture capture, std::uint64_t record, std::uint64_t payload);
  // Puts the new captures into the order of time. BOUND: linear in the captures of their URLs.
  void sort();
  // A page as a browser had it. `page`: the capture that it belongs to, with the place of this.
  void add_rendered(const Capture& page);
  void add_fetched(const std::string& url, UrlEntry::Fetched fetched);

  // By warc::capture_key(): by host, then by path.
  const Entries& entries() const noexcept { return entries_; }
  const UrlEntry* find(std::string_view url) const;
  using Keep = std::move_only_function<bool(const Capture&) const>;
  // The captures of exactly this URL; if there are none, with any scheme; else those of spellings
  // that web archives treat as the same. The others do not count. In the order of time. Empty
  // `keep`: all captures. BORROWS: until the next change.
  std::vector<const Capture*> captures_of(std::string_view url, const Keep& keep = {}) const;
  // Returns the record of this archive with this ID or payload digest, whose hash is given.
  std::optional<RecordPlace> find_record(std::uint32_t archive, std::uint64_t hash) const;
  std::optional<RecordPlace> find_rendered(const Capture& page) const;
  std::uint64_t captures() const noexcept { return captures_; }

 private:
  UrlEntry& entry_for(const std::string& url);

  Entries entries_;
  // Where the captures of an entry are out of order, the number of those before them.
  std::unordered_map<UrlEntry*, std::size_t> unsorted_;
  std::unordered_map<std::uint64_t, RecordPlace> records_;   // by record_key()
  std::unordered_map<std::uint64_t, RecordPlace> rendered_;  // by rendered_key()
  std::vector<std::string> types_ = {""};
  std::unordered_map<std::string, std::uint16_t> type_numbers_ = {{"", 0}};
  std::uint64_t captures_ = 0;
};

// Returns the index of the capture that is nearest in time. REQUIRES: there is one.
std::size_t nearest_capture(const std::vector<const Capture*>& captures, WallTime at);

// Groups of types for lists: "html", "pdf", "image", "style", "script", "font", "media", "other".
std::string_view type_group(std::string_view type) noexcept;
// True for captures that people read: HTML and PDF with status 200.
bool is_page(std::string_view type, std::uint16_t status) noexcept;

}  // namespace gossamer::captures
