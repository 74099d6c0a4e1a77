#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "crawl/scope/skip_reason.h"
#include "http/facts.h"

namespace gossamer::crawler {

// Failures that are none of one exchange; the others are called as their Errc is.
inline constexpr std::string_view kTooManyRedirects = "too_many_redirects";
inline constexpr std::string_view kRedirectLoop = "redirect_loop";
inline constexpr std::string_view kBadRedirect = "bad_redirect";
inline constexpr std::string_view kUnwantedType = "unwanted_type";

// Where the answer stands in an archive.
struct ArchivePlace {
  std::string file;  // its name, without folders
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // as it is stored, compressed

  friend bool operator==(const ArchivePlace&, const ArchivePlace&) = default;
};

// What became of one URL that was asked for. There is exactly one for each.
struct FetchRecord {
  WallTime ts;  // when it was asked for, the last time
  // When a server said last that it is still so. Kept records only.
  std::optional<WallTime> confirmed;
  std::string url;  // without fragment
  std::optional<int> status;
  std::string next_url;    // where a redirect leads
  std::string_view error;  // a short stable code; empty: none
  std::string error_detail;
  std::uint64_t bytes = 0;       // of the body, decoded
  std::uint64_t wire_bytes = 0;  // on the connection: head and coded body
  std::string mime;
  std::string charset;  // the encoding that it was read in
  std::uint32_t depth = 0;
  std::string via;
  std::uint32_t links_found = 0;  // distinct ones that belong to the crawl
  std::uint32_t links_new = 0;    // of these, met for the first time
  std::uint32_t tries = 1;
  std::optional<std::uint64_t> digest;  // of the decoded body
  // Of the visible text of a page; only with Settings::keeps_validators.
  std::optional<std::uint64_t> text_digest;
  std::string duplicate_of;  // the URL that had this body first
  std::string title;
  std::string etag;           // these two only with Settings::keeps_validators
  std::string last_modified;  // as the server says it
  bool is_requisite = false;
  bool is_leaf = false;                 // it was asked for, and not looked through for links
  bool is_truncated = false;            // the body goes on beyond what was read
  http::ExchangeFacts facts;            // addresses and timings of the exchange, if there was one
  std::optional<ArchivePlace> archive;  // nothing: it was not archived
};

// Where a sitemap is looked for if robots.txt names none.
inline constexpr std::string_view kGuessedSitemap = "/sitemap.xml";
// A sitemap that nobody named and that is not there. That is not an error.
bool is_wrong_guess(const FetchRecord& record) noexcept;

// A URL that was found and not asked for.
struct SkippedUrl {
  std::string_view url;
  SkipReason reason = SkipReason::none;
  std::string_view via;
  std::uint32_t depth = 0;
  std::string detail;  // the line of robots.txt, say
};

// One line of JSON each, without the line feed.
std::string to_json(const FetchRecord& record);
std::string to_json(const SkippedUrl& skipped);

// "200 https://a.example/ 5120 text/html", for people.
std::string to_text(const FetchRecord& record);

}  // namespace gossamer::crawler
