// Decides which URLs belong to the crawl, by the rules of ScopeOptions.
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
#include "base/result.h"
#include "record/skip_reason.h"
#include "scope/host_options.h"
#include "scope/link_rule.h"
#include "scope/scope_options.h"
#include "scope/seen_set.h"
#include "scope/url_pattern.h"
#include "url/public_suffix.h"
#include "url/url.h"

namespace gossamer::crawler {

// Belongs to one loop, because it caches verdicts on hosts. There may be a million roots: each
// takes a few bytes in ScopeKind::page and prefix, and the size of its host or domain in the
// others.
class Scope {
 public:
  // Patterns of single hosts replace the general ones. REQUIRES: validate() succeeded for both.
  // BORROWS: the list, for the life of this object.
  Scope(ScopeOptions options, const url::PublicSuffixList& suffixes,
        const std::vector<HostOptions>& hosts = {});

  const ScopeOptions& options() const noexcept { return options_; }

  // Widens the scope by the host, folder or domain of this root. No effect for a URL that is not
  // http or https.
  void add_root(const url::Url& root);

  // Returns SkipReason::none, or the first rule of ScopeOptions that rejects the URL.
  // Allocates only for the first URLs of a host, and only in ScopeKind::domain.
  SkipReason judge(const url::Url& url, const LinkFacts& facts) const;
  // BOUND: patterns of exclude().
  static constexpr std::size_t kLaterExcludesMax = 100;
  // From now on, URLs of all hosts that match this pattern are excluded. Fails with
  // Errc::invalid_argument and names the error of the pattern, and with Errc::over_limit.
  Result<void> exclude(const std::string& pattern);
  // Undoes exclude(). Fails with Errc::not_found if it was not called with this pattern.
  Result<void> unexclude(const std::string& pattern);
  // True if a pattern of exclude() matches.
  bool is_excluded_later(const url::Url& url) const;

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

  // The patterns of a host.
  struct Patterns {
    UrlPatterns include;
    UrlPatterns exclude;
  };
  const Patterns& patterns_of(const url::Url& url) const;
  bool is_excluded(const url::Url& url, const Patterns& patterns) const;

  bool in_kind(const url::Url& url) const;
  bool in_domain(const url::Url& url) const;
  bool is_skipped_extension(std::string_view path) const;
  void add_folder(const url::Url& root);
  bool in_folder(const url::Url& url) const;

  ScopeOptions options_;
  const url::PublicSuffixList& suffixes_;
  Patterns patterns_;
  HostTable hosts_;
  std::vector<Patterns> host_patterns_;  // by index in that table
  std::vector<std::string> later_;       // of exclude()
  UrlPatterns later_patterns_;
  Texts extensions_;
  // ScopeKind::page and prefix: hashes of the roots or their folders. The chance of a collision is
  // 1 in 2^64.
  std::unique_ptr<SeenSet> roots_;
  std::size_t folder_depth_max_ = 0;  // of these
  // ScopeKind::host and domain: host and port, without "www."
  Texts sites_;
  Texts domains_;
  // A cache by hash: finding the registrable domain is slow, and most links lead to a few hosts.
  mutable std::vector<HostVerdict> verdicts_;
  mutable bool has_verdicts_ = false;
};

}  // namespace gossamer::crawler
