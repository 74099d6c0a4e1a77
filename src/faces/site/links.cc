#include "site/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "site/words.h"

namespace gossamer::site {
namespace {

constexpr std::uint64_t kLinks = 100;  // the purpose of our draws

class LinkList {
 public:
  LinkList(const Layout& layout, const Resource& page)
      : layout_(layout),
        page_(page),
        traits_(layout.traits(page)),
        random_(layout.random(page, kLinks)) {}

  std::vector<Link> make() && {
    links_.reserve(traits_.links + 2);
    if (layout_.count(Kind::style) > 0) {
      links_.push_back({.role = LinkRole::style, .to = at(Kind::style, style())});
    }
    links_.push_back({.to = at(Kind::page, 0)});
    if (!layout_.is_orphan(page_)) {
      add_children();
      for (const Kind kind : {Kind::redirect, Kind::missing, Kind::error, Kind::document}) {
        add_share(kind, LinkRole::anchor);
      }
      // It is disputed whether a crawler should fetch images of a page with nofollow.
      if (traits_.nofollow == PageNofollow::none) add_share(Kind::image, LinkRole::image);
    }
    if (traits_.has_copy) add_anchor(at(Kind::copy, page_.number));
    if (page_.number == 0) add_ways_out_of_the_root();
    add_others();
    while (links_.size() < traits_.links) {
      add_anchor(at(Kind::page, random_.below(layout_.options().pages)));
    }
    return std::move(links_);
  }

 private:
  Resource at(Kind kind, std::uint64_t number) const { return {page_.host, kind, number}; }

  std::uint64_t style() const {
    return traits_.nofollow == PageNofollow::none ? page_.number % layout_.count(Kind::style) : 0;
  }

  void add_anchor(const Resource& to) {
    const bool is_nofollow = random_.chance(layout_.options().nofollow_links);
    links_.push_back({.is_nofollow = is_nofollow, .to = to});
  }

  void add_children() {
    const std::uint64_t pages = layout_.options().pages;
    const std::uint64_t first = page_.number * kChildren + 1;
    for (std::uint64_t child = first; child < std::min(first + kChildren, pages); ++child) {
      const Resource page = at(Kind::page, child);
      add_anchor(layout_.traits(page).has_moved ? at(Kind::moved, child) : page);
    }
  }

  void add_share(Kind kind, LinkRole role) {
    const auto [first, last] = layout_.share(kind, page_.number);
    for (std::uint64_t number = first; number < last; ++number) {
      if (role == LinkRole::anchor) {
        add_anchor(at(kind, number));
      } else {
        links_.push_back({.role = role, .to = at(kind, number)});
      }
    }
  }

  void add_ways_out_of_the_root() {
    const auto hosts = static_cast<std::uint32_t>(layout_.options().hosts.size());
    for (std::uint32_t host = 0; host < hosts; ++host) {
      if (host != page_.host) links_.push_back({.to = {host, Kind::page, 0}});
    }
    // The images that the style sheets use.
    if (layout_.count(Kind::image) > 0) {
      links_.push_back({.role = LinkRole::image, .to = at(Kind::image, 0)});
    }
    if (!layout_.options().has_traps) return;
    for (const char* const way : {"/calendar/2024/05/", "/maze/left/", "/shop/?item=1"}) {
      links_.push_back({.role = LinkRole::trap, .to = {}, .other = way});
    }
  }

  void add_others() {
    const SiteOptions& options = layout_.options();
    if (random_.chance(options.offsite_links)) {
      add_external(fmt::format("http://elsewhere.example/{}", slug(random_.next())));
    }
    if (random_.chance(options.odd_links)) {
      add_external(random_.chance(0.5) ? "mailto:someone@site.example"
                                       : "javascript:window.print()");
    }
    if (options.hosts.size() > 1 && random_.chance(0.1)) {
      const auto host = static_cast<std::uint32_t>(random_.below(options.hosts.size()));
      add_anchor({host, Kind::page, random_.below(options.pages)});
    }
  }

  void add_external(std::string address) {
    links_.push_back({.role = LinkRole::external, .to = {}, .other = std::move(address)});
  }

  const Layout& layout_;
  const Resource page_;
  const PageTraits traits_;
  base::Random random_;
  std::vector<Link> links_;
};

}  // namespace

std::vector<Link> links_of(const Layout& layout, const Resource& resource) {
  switch (resource.kind) {
    case Kind::page: return LinkList(layout, resource).make();
    case Kind::copy: return LinkList(layout, {resource.host, Kind::page, resource.number}).make();
    case Kind::missing:
    case Kind::error:
    case Kind::nothing: return {{.to = {resource.host, Kind::page, 0}}};
    default: return {};
  }
}

Layout::Share sitemap_pages(const Layout& layout, std::uint64_t number) {
  const std::uint64_t first = (number - 1) * Layout::kUrlsPerSitemap;
  return {.first = first,
          .last = std::min(first + Layout::kUrlsPerSitemap, layout.count(Kind::page))};
}

}  // namespace gossamer::site
