// Decides when two URLs are the same page. A crawl visits each page once, so it needs a normal form
// in which equal pages have equal spelling, and a fingerprint of that form.
//
// Always applied: what the URL parser does (case of scheme and host, default port, dot segments,
// missing escapes), no fragment, no empty query, escapes in upper case, and no escapes of
// unreserved characters (RFC 3986 section 6.2.2; not in file URLs, where drive letters are
// special). None of this changes the page.
// The other rules are guesses, so they are off by default.
//
// The normal form is only for comparing; the crawler fetches the URL as it was found.
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
  // Orders the query by name. Wrong where order matters; parts of the same name keep their order.
  bool sort_query = false;
  // Treats /a/index.html (and index.php, default.aspx, ...) as /a/. Wrong on a few servers.
  bool collapse_index = false;
  // Treats www.example.com as example.com. Wrong where they are two sites.
  bool strip_www = false;

  friend bool operator==(const IdentityRules&, const IdentityRules&) = default;
};

// Reuses its buffers, so that it allocates nothing once they have grown. The rules apply to http
// and https only.
class CrawlIdentity {
 public:
  explicit CrawlIdentity(const IdentityRules& rules = {}) noexcept : rules_(rules) {}

  const IdentityRules& rules() const noexcept { return rules_; }

  // BORROWS: the result views the URL or this object, until either changes.
  std::string_view normal_form(const Url& url);

  // Depends only on the normal form and never changes: files contain it.
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
