#include "site/layout.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "site/links.h"

namespace gossamer::site {
namespace {

SiteOptions everything() {
  SiteOptions options = SiteOptions::demo(3);
  options.hosts = {"a.example", "b.example"};
  return options;
}

TEST(LayoutTest, FindsEveryResourceAtItsAddress) {
  const Layout layout(everything());
  std::set<std::string> urls;
  for (std::uint32_t host = 0; host < 2; ++host) {
    for (std::size_t k = 0; k < kKindCount; ++k) {
      const Kind kind = static_cast<Kind>(k);
      for (std::uint64_t i = 0; i < layout.count(kind); ++i) {
        const Resource resource = {host, kind, i};
        if (kind != Kind::missing && !layout.exists(resource)) continue;
        EXPECT_EQ(layout.find(host, layout.target(resource)), resource) << layout.url(resource);
        EXPECT_TRUE(urls.insert(layout.url(resource)).second) << layout.url(resource);
      }
    }
  }
  EXPECT_GT(urls.size(), 900u);
}

TEST(LayoutTest, FindsNothingAtAddressesThatOnlyLookLikeIts) {
  const Layout layout(everything());
  const std::string page = layout.target({0, Kind::page, 5});
  for (const std::string& target :
       {"x" + page, page + "x", page + "Xview=print", std::string("/guide/5"), std::string("*"),
        std::string("/moved/99999999999999999999"), std::string("/go/x-1"), std::string(""),
        std::string("//"), std::string("/guide/amber-amber-1.html?view=print")}) {
    EXPECT_EQ(layout.find(0, target).kind, Kind::nothing) << target;
  }
}

TEST(LayoutTest, FindsAPageHoweverItsAddressIsSpelled) {
  const Layout layout(everything());
  const Resource page = {1, Kind::page, 5};
  const std::string target = layout.target(page);
  EXPECT_EQ(layout.find(1, "/./x/.." + target), page);
  EXPECT_EQ(layout.find(1, target + "#part"), page);
  const auto escaped =
      fmt::format("/%{:02x}{}", static_cast<unsigned>(target[1]), target.substr(2));
  EXPECT_EQ(layout.find(1, escaped), page) << escaped;
}

TEST(LayoutTest, DealsOutEverythingExactlyOnce) {
  const Layout layout(everything());
  std::uint64_t next = 0;
  for (std::uint64_t page = 0; page < layout.options().pages; ++page) {
    const auto [first, last] = layout.share(Kind::redirect, page);
    EXPECT_EQ(first, next);
    next = last;
  }
  EXPECT_EQ(next, layout.count(Kind::redirect));
}

TEST(LayoutTest, HasRedirectsThatMeetThatChainAndThatRunInCircles) {
  SiteOptions options;
  options.redirects = 0.1;
  const Layout layout(options);
  const auto to = [&](std::uint64_t number) {
    return layout.outcome({0, Kind::redirect, number}).to.value();
  };
  EXPECT_EQ(to(0), to(1));
  EXPECT_EQ(to(0).kind, Kind::page);
  EXPECT_EQ(to(2), (Resource{0, Kind::redirect, 3}));
  EXPECT_EQ(to(3), (Resource{0, Kind::redirect, 4}));
  EXPECT_EQ(to(4).kind, Kind::page);
  EXPECT_EQ(to(5), (Resource{0, Kind::redirect, 6}));
  EXPECT_EQ(to(6), (Resource{0, Kind::redirect, 5}));
}

TEST(LayoutTest, LinksEachPageFromItsParent) {
  SiteOptions options;
  options.pages = 100;
  const Layout layout(options);
  for (std::uint64_t i = 1; i < options.pages; ++i) {
    const auto links = links_of(layout, {0, Kind::page, (i - 1) / kChildren});
    const Resource child = {0, Kind::page, i};
    EXPECT_TRUE(std::ranges::any_of(links, [&](const Link& link) { return link.to == child; }));
  }
}

TEST(SiteOptionsTest, AreRejectedIfInvalid) {
  EXPECT_TRUE(validate(SiteOptions{}));
  SiteOptions options;
  options.pages = 0;
  EXPECT_FALSE(validate(options));
  options = {};
  options.hosts.clear();
  EXPECT_FALSE(validate(options));
  options = {};
  options.redirects = 1.5;
  EXPECT_FALSE(validate(options));
  options = {};
  options.links_min = options.links_max + 1;
  EXPECT_FALSE(validate(options));
}

}  // namespace
}  // namespace gossamer::site
