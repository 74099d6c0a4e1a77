#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "content/extracted.h"
#include "content/metadata.h"
#include "content/text_sketch.h"
#include "http/facts.h"
#include "record/rendering.h"
#include "record/skip_reason.h"

namespace gossamer::crawler {

// Failures outside of an exchange; other failures have the name of their Errc.
inline constexpr std::string_view kTooManyRedirects = "too_many_redirects";
inline constexpr std::string_view kRedirectLoop = "redirect_loop";
inline constexpr std::string_view kBadRedirect = "bad_redirect";
inline constexpr std::string_view kUnwantedType = "unwanted_type";

// The place of a response in an archive.
struct ArchivePlace {
  std::string file;  // its name, without folders
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  // compressed

  friend bool operator==(const ArchivePlace&, const ArchivePlace&) = default;
};

// A link of a page.
struct PageLink {
  std::string url;        // absolute
  std::string_view kind;  // the name of its html::LinkKind: "page", "image", ...
  std::string text;       // of the anchor
  std::string rel;        // as written
};
std::size_t bytes_of(const PageLink& link) noexcept;
std::string to_json(const std::vector<PageLink>& links);

// The record of one fetched URL. There is exactly one for each.
struct FetchRecord {
  WallTime ts;  // the time of the last request
  // When a server last confirmed that it is unchanged. Only in stored records.
  std::optional<WallTime> confirmed;
  std::string url;  // without fragment
  std::optional<int> status;
  std::string next_url;    // the target of a redirect
  std::string_view error;  // a short stable code; empty: none
  std::string error_detail;
  std::uint64_t bytes = 0;       // of the body, decoded
  std::uint64_t wire_bytes = 0;  // received: head and encoded body
  std::string mime;
  std::string charset;  // the encoding of the text
  std::uint32_t depth = 0;
  std::string via;
  std::uint32_t links_found = 0;  // distinct links of the crawl
  std::uint32_t links_new = 0;    // of these, new ones
  std::uint32_t tries = 1;
  std::optional<std::uint64_t> digest;  // of the decoded body
  // Of the visible text of a page; only with Settings::keeps_validators.
  std::optional<std::uint64_t> text_digest;
  std::string duplicate_of;  // the URL that had this body first
  std::string title;
  std::string etag;           // these two only with Settings::keeps_validators
  std::string last_modified;  // as the server sent it
  bool is_requisite = false;
  bool is_leaf = false;        // its links were not read
  bool is_guess = false;       // its URL is a string in a script (Settings::mines_scripts)
  bool needs_scripts = false;  // it shows little or nothing before its scripts have run
  bool is_truncated = false;   // a part of the body is missing; see truncation_of()
  // The fields of Settings::extract; empty if there are none, or if it is not a page.
  std::vector<content::ExtractedField> extracted;
  std::string text;      // the main text of a page; only with Settings::keeps_text
  std::string markdown;  // the same as Markdown; only with Settings::keeps_markdown
  // What a page states about itself; nullptr without Settings::keeps_metadata.
  std::shared_ptr<const content::Metadata> metadata;
  // What <meta name=robots> and X-Robots-Tag forbid: "noindex, noarchive". Empty: nothing.
  std::string robots;
  // Of the main text; only with Settings::finds_similar, nullptr if the text is short.
  std::shared_ptr<const content::TextSketch> sketch;
  std::string similar_to;               // the URL that had nearly this text first
  bool is_extract_truncated = false;    // the page is too large, so values may be missing
  http::ExchangeFacts facts;            // addresses and timings of the exchange, if there was one
  std::optional<ArchivePlace> archive;  // empty: it was not archived
  std::optional<Rendering> rendering;   // empty: no browser was used
  // All links of a page that was read, with repetitions; only with Settings::keeps_links.
  std::optional<std::vector<PageLink>> links;
  // The status line and the fields of the response, as received; only with Settings::keeps_heads.
  std::string head;
};

// A field of a response. Its name is in lower case.
using HeaderField = content::Metadata::Property;
// Returns the fields of FetchRecord::head, in their order.
std::vector<HeaderField> header_fields(std::string_view head);
// Returns the memory of its texts, links and head.
std::size_t contents_bytes(const FetchRecord& record) noexcept;

// The path of the sitemap if robots.txt names none.
inline constexpr std::string_view kGuessedSitemap = "/sitemap.xml";
// True for a guessed sitemap that does not exist, and for a failed URL of a script. They are not
// errors of the site.
bool is_wrong_guess(const FetchRecord& record) noexcept;

// Notes why there is no response, or only a part of its body.
void note_failure(FetchRecord& record, const Error& error);
// Returns why a part of the body is missing, as WARC-Truncated says it: "length" (one of our
// limits), "time", "disconnect" or "unspecified"; empty: nothing is missing.
std::string_view truncation_of(const FetchRecord& record) noexcept;
// True if one of our limits cut the body, which is not a failure of the server.
bool is_cut_by_limit(const FetchRecord& record) noexcept;

// A URL that was found but not fetched.
struct SkippedUrl {
  std::string_view url;
  SkipReason reason = SkipReason::none;
  std::string_view via;
  std::uint32_t depth = 0;
  std::string detail;  // for example the line of robots.txt
};

// Return one line of JSON, without the line feed.
std::string to_json(const FetchRecord& record);
std::string to_json(const SkippedUrl& skipped);

// "200 https://a.example/ 5120 text/html", for people.
std::string to_text(const FetchRecord& record);

}  // namespace gossamer::crawler
