#include "site/truth.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>

#include "site/links.h"

namespace gossamer::site {
namespace {

constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

// Kinds that are found by following links.
constexpr std::array kFollowed = {Kind::page,     Kind::copy,    Kind::moved,
                                  Kind::redirect, Kind::missing, Kind::error,
                                  Kind::document, Kind::style,   Kind::image};

// Walks the site breadth first, as a crawl with these options would.
class Walk {
 public:
  Walk(const Layout& layout, const TruthOptions& options) : layout_(layout), options_(options) {
    std::size_t size = 0;
    for (const Kind kind : kFollowed) {
      offsets_[static_cast<std::size_t>(kind)] = size;
      size += layout.count(kind);
    }
    per_host_ = size;
    depths_.assign(per_host_ * layout.options().hosts.size(), kUnseen);
    done_.assign(depths_.size(), false);
    in_scope_.assign(layout.options().hosts.size(), options.crosses_hosts);
    for (const std::uint32_t host : options.roots) in_scope_[host] = true;
  }

  void run() {
    for (const std::uint32_t host : options_.roots) arrive({host, Kind::page, 0}, 0, false);
    if (options_.uses_sitemaps && layout_.options().has_sitemap) arrive_by_sitemaps();
    while (!waiting_.empty()) {
      const Resource resource = waiting_.front();
      waiting_.pop_front();
      if (depth(resource) != kUnseen && !is_done(resource)) leave(resource);
    }
  }

  std::uint32_t depth(const Resource& resource) const { return depths_[place(resource)]; }

 private:
  std::size_t place(const Resource& resource) const {
    return resource.host * per_host_ + offsets_[static_cast<std::size_t>(resource.kind)] +
           resource.number;
  }

  // Each resource is visited once, at its smallest depth, because nearer ones come first.
  bool is_done(const Resource& resource) {
    const bool was_done = done_[place(resource)];
    done_[place(resource)] = true;
    return was_done;
  }

  bool wants(const Resource& resource, bool is_requisite) const {
    if (!is_requisite && !in_scope_[resource.host]) return false;
    if (resource.kind == Kind::document && !options_.with_documents) return false;
    return !options_.obeys_robots || layout_.is_allowed(resource);
  }

  void arrive(const Resource& resource, std::uint32_t depth, bool is_requisite,
              bool is_next = false) {
    if (!wants(resource, is_requisite) || this->depth(resource) <= depth) return;
    depths_[place(resource)] = depth;
    is_next ? waiting_.push_front(resource) : waiting_.push_back(resource);
  }

  void arrive_by_sitemaps() {
    for (std::uint32_t host = 0; host < in_scope_.size(); ++host) {
      if (std::ranges::find(options_.roots, host) == options_.roots.end()) continue;
      for (std::uint64_t i = 0; i < layout_.count(Kind::page); ++i) {
        const Resource page = {host, Kind::page, i};
        if (layout_.is_allowed(page)) arrive(page, 0, false);
      }
    }
  }

  void leave(const Resource& resource) {
    const std::uint32_t here = depth(resource);
    const Outcome outcome = layout_.outcome(resource);
    if (outcome.to) return arrive(*outcome.to, here, false, true);
    if (outcome.status == 0) return;
    const bool is_page = resource.kind == Kind::page || resource.kind == Kind::copy;
    const bool is_nofollow = is_page && !options_.follows_nofollow &&
                             layout_.traits(resource).nofollow != PageNofollow::none;
    const bool is_deepest = options_.depth_max && here >= *options_.depth_max;
    for (const Link& link : links_of(layout_, resource)) {
      const bool is_requisite = link.role == LinkRole::style || link.role == LinkRole::image;
      if (is_requisite) {
        if (options_.with_assets) arrive(link.to, here + 1, true);
      } else if (link.role == LinkRole::anchor) {
        if (is_deepest || is_nofollow) continue;
        if (link.is_nofollow && !options_.follows_nofollow) continue;
        arrive(link.to, here + 1, false);
      }
    }
  }

  const Layout& layout_;
  const TruthOptions& options_;
  std::array<std::size_t, kKindCount> offsets_ = {};
  std::size_t per_host_ = 0;
  std::vector<std::uint32_t> depths_;  // by place()
  std::vector<bool> done_;             // parallel to it
  std::vector<bool> in_scope_;         // by host
  std::deque<Resource> waiting_;
};

// The options for everything that can be reached if all rules are ignored.
TruthOptions heedless(const TruthOptions& options) {
  TruthOptions all = options;
  all.obeys_robots = false;
  all.follows_nofollow = true;
  all.uses_sitemaps = false;
  all.with_assets = true;
  all.with_documents = true;
  all.depth_max.reset();
  return all;
}

TruthEntry entry_for(const Layout& layout, const Resource& resource) {
  const Outcome outcome = layout.outcome(resource);
  return {.url = layout.url(resource),
          .kind = resource.kind,
          .status = outcome.status,
          .failures = outcome.failures,
          .failing_status = outcome.failing_status,
          .next_url = outcome.to ? layout.url(*outcome.to) : outcome.external,
          .is_allowed = layout.is_allowed(resource)};
}

}  // namespace

std::vector<std::string> Truth::must_fetch() const {
  std::vector<std::string> urls;
  for (const TruthEntry& entry : entries) {
    if (entry.must_fetch) urls.push_back(entry.url);
  }
  return urls;
}

Truth find_truth(const Layout& layout, const TruthOptions& options) {
  Walk walk(layout, options);
  walk.run();
  const TruthOptions everything = heedless(options);
  Walk all(layout, everything);
  all.run();
  Truth truth;
  truth.has_traps = layout.options().has_traps;
  for (std::uint32_t host = 0; host < layout.options().hosts.size(); ++host) {
    for (const Kind kind : {Kind::robots, Kind::sitemap}) {
      for (std::uint64_t i = 0; i < layout.count(kind); ++i) {
        truth.entries.push_back(entry_for(layout, {host, kind, i}));
      }
    }
    for (const Kind kind : kFollowed) {
      for (std::uint64_t i = 0; i < layout.count(kind); ++i) {
        const Resource resource = {host, kind, i};
        if (kind != Kind::missing && !layout.exists(resource)) continue;
        TruthEntry entry = entry_for(layout, resource);
        const std::uint32_t depth = walk.depth(resource);
        entry.is_linked = all.depth(resource) != kUnseen;
        entry.must_fetch = depth != kUnseen;
        entry.depth = entry.must_fetch ? depth : 0;
        truth.entries.push_back(std::move(entry));
      }
    }
  }
  return truth;
}

}  // namespace gossamer::site
