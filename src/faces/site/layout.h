// The URLs of a site and the content of each, computed from the seed; nothing is stored.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "site/resource.h"
#include "site/site_options.h"

namespace gossamer::site {

enum class PageEncoding : std::uint8_t { utf_8, windows_1251, shift_jis, utf_16 };

// How a page asks crawlers not to follow its links.
enum class PageNofollow : std::uint8_t { none, meta, header };

// All random traits of one page.
struct PageTraits {
  std::uint32_t links = 0;
  std::uint32_t bytes = 0;
  std::uint8_t section = 0;
  std::uint8_t form = 0;  // of its URL
  bool is_disallowed = false;
  bool is_open = false;  // allowed although the subtree is disallowed
  bool has_copy = false;
  bool has_moved = false;
  bool has_base = false;  // <base href>
  bool is_gzipped = false;
  bool is_chunked = false;
  bool is_slow = false;
  bool is_cut_once = false;
  bool is_cut_always = false;
  bool declares_in_meta = false;  // the encoding, rather than in the header
  PageNofollow nofollow = PageNofollow::none;
  PageEncoding encoding = PageEncoding::utf_8;
};

// The result of fetching a resource.
struct Outcome {
  int status = 200;  // 0: no response
  // The first responses have this status instead, or are truncated if it is 0.
  std::uint32_t failures = 0;
  int failing_status = 0;
  // The target of a redirect: in the site, or on another one.
  std::optional<Resource> to = std::nullopt;
  std::string external = {};

  bool is_redirect() const { return to || !external.empty(); }
};

// REQUIRES: the options are valid.
class Layout {
 public:
  explicit Layout(SiteOptions options);

  const SiteOptions& options() const { return options_; }

  // Returns how many resources of a kind one host has; 0 for those without numbers (trap, nothing).
  // Copies and moved ones have the numbers of their pages, but not every page has one.
  std::uint64_t count(Kind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  bool exists(const Resource& resource) const;
  // The numbers [first, last) of a kind that page `page` links to: distributed evenly, so that
  // exactly one page links to each. REQUIRES: page < options().pages.
  struct Share {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  Share share(Kind kind, std::uint64_t page) const;

  // Returns path and query, normalised. REQUIRES: the resource exists, or is missing; not a trap.
  std::string target(const Resource& resource) const;
  // "http://site.example/guide/amber-7.html".
  std::string url(const Resource& resource) const;
  std::string origin(std::uint32_t host) const;
  // The inverse. `target` may have an unusual spelling and a fragment.
  Resource find(std::uint32_t host, std::string_view target) const;
  // Finds the host by the Host field of a request. A site of one host accepts every name.
  std::optional<std::uint32_t> find_host(std::string_view host) const;

  // REQUIRES: kind is page, copy or moved; the last two have the traits of their page.
  PageTraits traits(const Resource& resource) const;
  Outcome outcome(const Resource& resource) const;
  // Returns what the site's robots.txt says. True for robots.txt itself.
  bool is_allowed(const Resource& resource) const;

  // Returns the random numbers for one purpose and one resource.
  base::Random random(const Resource& resource, std::uint64_t purpose) const;
  bool is_orphan(const Resource& page) const { return page.number >= options_.pages; }

  static constexpr std::uint64_t kUrlsPerSitemap = 1000;
  static constexpr std::string_view kDisallowed = "/private/";
  static constexpr std::string_view kOpen = "/private/press/";

 private:
  std::string page_target(const Resource& page) const;
  Outcome redirect_outcome(const Resource& resource) const;
  Outcome error_outcome(const Resource& resource) const;
  Resource find_normal(std::uint32_t host, std::string_view target) const;

  SiteOptions options_;
  std::array<std::uint64_t, kKindCount> counts_ = {};
};

}  // namespace gossamer::site
