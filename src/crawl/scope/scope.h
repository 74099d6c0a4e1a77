// What belongs to the crawl: the rules of ScopeOptions applied to one URL after another.
//
//   Scope scope(options, url::PublicSuffixList::built_in());
//   scope.add_root(root);
//   if (const SkipReason reason = scope.judge(link, facts); reason != SkipReason::none) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "crawl/frontier/seen_set.h"
#include "crawl/host_options.h"
#include "crawl/scope/scope_options.h"
#include "crawl/scope/skip_reason.h"
#include "crawl/scope/url_pattern.h"
#include "url/public_suffix.h"
#include "url/url.h"

namespace gossamer::crawler {

// How a URL was come by.
struct LinkFacts {
  // Links from a root to here; a redirect is no link.
  std::uint32_t depth = 0;
  // A root, or where a root's redirects lead. (They do not widen the scope; call add_root() with
  // the target if they shall.)
  bool is_root = false;
  // An image, style, script, ... of a crawled page, or something that such a style imports.
  bool is_requisite = false;
};

// One loop's: judging remembers verdicts on hosts. There may be a million roots: each takes a few
// bytes in ScopeKind::page and prefix, and what its host or domain takes in the others.
class Scope {
 public:
  // Of single hosts their own patterns hold. REQUIRES: validate() was content with both.
  // BORROWS: the list, for as long as this object lives.
  Scope(ScopeOptions options, const url::PublicSuffixList& suffixes,
        const std::vector<HostOptions>& hosts = {});

  const ScopeOptions& options() const noexcept { return options_; }

  // Widens the scope by the host, folder or domain of this root. No effect for a URL that is not
  // http or https.
  void add_root(const url::Url& root);

  // SkipReason::none, or the first rule in the order of ScopeOptions that refuses the URL.
  // Allocates only for the first URLs of a host, and only in ScopeKind::domain.
  SkipReason judge(const url::Url& url, const LinkFacts& facts) const;
  // The user does not want it, whatever the other rules say.
  bool is_excluded(const url::Url& url) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return base::hash64(text); }
  };
  struct TextEqual {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const noexcept { return a == b; }
  };
  using Texts = std::unordered_set<std::string, TextHash, TextEqual>;
  struct HostVerdict {
    std::string hostname;
    bool inside = false;
  };

  // The patterns that hold for a host.
  struct Patterns {
    UrlPatterns include;
    UrlPatterns exclude;
  };
  const Patterns& patterns_of(const url::Url& url) const;

  bool in_kind(const url::Url& url) const;
  bool in_domain(const url::Url& url) const;
  bool is_skipped_extension(std::string_view path) const;
  void add_folder(const url::Url& root);
  bool in_folder(const url::Url& url) const;

  ScopeOptions options_;
  const url::PublicSuffixList& suffixes_;
  Patterns patterns_;
  HostTable hosts_;
  std::vector<Patterns> host_patterns_;  // by place in that table
  Texts extensions_;
  // ScopeKind::page and prefix: the roots or their folders, hashed. One URL or folder in 2^64 is
  // taken for one of them.
  std::unique_ptr<SeenSet> roots_;
  std::size_t folder_depth_max_ = 0;  // of these
  // ScopeKind::host and domain: host and port, without "www."
  Texts sites_;
  Texts domains_;
  // Finding the registrable domain is dear, and most links are of a few hosts. By hash.
  mutable std::vector<HostVerdict> verdicts_;
  mutable bool has_verdicts_ = false;
};

}  // namespace gossamer::crawler
