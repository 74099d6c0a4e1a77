#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::mirror {

// Which URL has a copy, and under which name. Spellings of one URL (url/crawl_identity.h) count as
// that URL.
class Pages {
 public:
  // False: it has a copy already, and keeps that.
  bool add_copy(const url::Url& url, std::string name);
  // Whoever asks for the one is sent to the other.
  void add_redirect(const url::Url& from, const url::Url& to);

  // The name of the copy of what is there, redirects followed; nothing if there is none.
  // BORROWS: until the next change.
  std::optional<std::string_view> find(const url::Url& url) const;

 private:
  // BOUND: longer ways lead in circles.
  static constexpr int kRedirectsMax = 20;

  mutable url::CrawlIdentity identity_;
  std::unordered_map<std::string, std::string> copies_;     // by normal form
  std::unordered_map<std::string, std::string> redirects_;  // normal form to normal form
};

}  // namespace gossamer::mirror
