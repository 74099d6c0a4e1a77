#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::mirror {

// Knows which URLs have a copy, and its name. Spellings of one URL (url/crawl_identity.h) count as
// that URL.
class Pages {
 public:
  // Returns false if the URL already has a copy, which is kept.
  bool add_copy(const url::Url& url, std::string name);
  // The URL has no copy after all.
  void remove_copy(const url::Url& url);
  // Records that one URL redirects to the other.
  void add_redirect(const url::Url& from, const url::Url& to);

  // Returns the name of the URL's copy, following redirects; nothing if there is none.
  // BORROWS: until the next change.
  std::optional<std::string_view> find(const url::Url& url) const;

 private:
  // BOUND: longer chains are treated as loops.
  static constexpr int kRedirectsMax = 20;

  mutable url::CrawlIdentity identity_;
  std::unordered_map<std::string, std::string> copies_;     // by normal form
  std::unordered_map<std::string, std::string> redirects_;  // normal form to normal form
};

}  // namespace gossamer::mirror
