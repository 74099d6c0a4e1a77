// When are two URLs one page? A crawl visits each page once, so it needs a normal form in which
// equal pages are spelled equally, and a fingerprint of that.
//
// Always: what the URL parser does (case of scheme and host, default port, dot segments, escapes
// that are missing), no fragment, no empty query, escapes in upper case and none where the
// character may stand for itself (RFC 3986 section 6.2.2; not in file URLs, where drive letters
// are special). All of this leaves the page the same.
// The rules beyond that guess, so they are off unless asked for.
//
// The normal form is for comparing; what is fetched is the URL as it was found.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "url/url.h"

namespace gossamer::url {

struct IdentityRules {
  // Drops jsessionid, PHPSESSID, ASP.NET sessions and the like from path and query.
  bool drop_sessions = false;
  // Drops utm_*, gclid, fbclid and the like from the query.
  bool drop_tracking = false;
  // Orders the query by name. Wrong where order matters; parts of one name keep theirs.
  bool sort_query = false;
  // Takes /a/index.html (and index.php, default.aspx, ...) for /a/. Wrong on a few servers.
  bool collapse_index = false;
  // Takes www.example.com for example.com. Wrong where they are two sites.
  bool strip_www = false;

  friend bool operator==(const IdentityRules&, const IdentityRules&) = default;
};

// Keeps its buffers, so that nothing is allocated once they have grown. The rules apply to
// http and https only.
class CrawlIdentity {
 public:
  explicit CrawlIdentity(const IdentityRules& rules = {}) noexcept : rules_(rules) {}

  const IdentityRules& rules() const noexcept { return rules_; }

  // BORROWS: from the URL or from this object; good until either changes.
  std::string_view normal_form(const Url& url);

  // Depends on the normal form alone and never changes: it is kept in files.
  std::uint64_t fingerprint(const Url& url);

 private:
  bool is_beyond_rules(const Url& url) const;
  void write_origin(const Url& url);
  void write_path(std::string_view path);
  void write_query(std::string_view query);
  void write_filtered_query(std::string_view query);

  IdentityRules rules_;
  std::string text_;
  std::string query_;
  std::vector<std::string_view> parameters_;
};

}  // namespace gossamer::url
