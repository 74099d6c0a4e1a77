// Which pages of a mixed site a browser renders, and what that finds. The truth is known: each
// section of the site says what its scripts add.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/support/browser_model.h>
#include <tests/support/suite.h>
#include <tests/support/test_web.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace gossamer::crawler {
namespace {

using support::BrowserModel;

// Pages of each section. Together with the root and what scripts lead to, there are 2,000.
constexpr int kManuals = 1000;  // text, links and a script that only counts visitors
constexpr int kProducts = 400;  // the same with a framework: scripts take over what is there
constexpr int kAppPages = 389;  // nothing without scripts
constexpr int kAlbums = 10;     // of these,
constexpr int kPhotos = 12;     // each with little text, and scripts that add nothing
constexpr int kSearches = 30;   // text that requires JavaScript; scripts add a link
constexpr int kOverviews = 10;  // text and links, and scripts add one more: nothing shows that
constexpr int kMixedPages =
    1 + kManuals + kProducts + kAppPages + kAlbums * kPhotos + kSearches * 2 + kOverviews * 3;
static_assert(kMixedPages == 2000);

constexpr std::string_view kHost = "http://a.example";
constexpr std::string_view kBundle = "<script src=/bundle.js></script>\n";

std::string url_of(std::string_view section, int number) {
  return fmt::format("{}/{}/{}", kHost, section, number);
}

std::string words(int seed) {
  std::string text = "<p>";
  for (int i = 0; i < 300; ++i) text += fmt::format("word{} ", (seed * 7919 + i * 104'729) % 5000);
  return text + "</p>\n";
}

// A chain within a section, so that each page is found by the one before.
std::string next_link(std::string_view section, int number, int count) {
  return number == count ? "" : fmt::format("<a href=/{}/{}>next</a>\n", section, number + 1);
}

class MixedSite {
 public:
  MixedSite() {
    Reply root{.body = "<h1>A mixed site</h1>" + words(0)};
    for (const char* section : {"manual", "product", "app", "search"}) {
      root.body += fmt::format("<a href=/{}/1>{}</a>\n", section, section);
    }
    for (int album = 1; album <= kAlbums; ++album) {
      root.body += fmt::format("<a href=/album-{}/1>photos</a>\n", album);
      add_photos(fmt::format("album-{}", album));
    }
    for (int i = 1; i <= kOverviews; ++i)
      root.body += fmt::format("<a href=/overview/{}>o</a>\n", i);
    web.at(kRoot, std::move(root));
    add_chain("manual", kManuals, "<script>count()</script>\n");
    add_chain("product", kProducts, "<div id=app>hydrated</div>" + std::string(kBundle));
    add_app();
    add_searches();
    add_overviews();
  }

  TestWeb web;

 private:
  void add_chain(std::string_view section, int count, const std::string& scripts) {
    for (int i = 1; i <= count; ++i) {
      web.at(url_of(section, i), Reply{.body = words(i) + next_link(section, i, count) + scripts});
    }
  }

  void add_photos(const std::string& album) {
    for (int i = 1; i <= kPhotos; ++i) {
      web.at(url_of(album, i), Reply{.body = "<img src=/x.jpg alt=photo>" +
                                             next_link(album, i, kPhotos) + std::string(kBundle)});
    }
  }

  void add_app() {
    for (int i = 1; i <= kAppPages; ++i) {
      std::string body = "<div id=root></div>" + std::string(kBundle);
      if (i < kAppPages) body += "link " + url_of("app", i + 1) + "\n";
      web.at(url_of("app", i), Reply{.body = body});
    }
  }

  void add_searches() {
    for (int i = 1; i <= kSearches; ++i) {
      web.at(url_of("search", i),
             Reply{.body = "<p>You need to enable JavaScript to see the results.</p>\n" +
                           next_link("search", i, kSearches) + std::string(kBundle) + "link " +
                           url_of("result", i) + "\n"});
      web.at(url_of("result", i), Reply{.body = words(i)});
    }
  }

  // Of its three pages, one has a link that only a script makes.
  void add_overviews() {
    for (int i = 1; i <= kOverviews; ++i) {
      web.at(url_of("overview", i),
             Reply{.body = words(i) + fmt::format("<a href=/part/{}>p</a>\n", i) +
                           std::string(kBundle) + "link " + url_of("more", i) + "\n"});
      web.at(url_of("part", i), Reply{.body = words(i)});
      web.at(url_of("more", i), Reply{.body = words(i)});
    }
  }
};

struct MixedCrawl {
  std::set<std::string> found;
  std::size_t rendered = 0;
  std::size_t in_vain = 0;
};

MixedCrawl crawl_mixed(RenderMode mode) {
  MixedSite site;
  BrowserModel browsers;
  site.web.browsers = &browsers;
  Options options = from_root();
  options.renders = mode;
  const Crawled crawled = site.web.crawl(std::move(options));
  MixedCrawl result;
  for (const FetchRecord& record : crawled.records) {
    result.found.insert(record.url);
    if (!record.rendering) continue;
    EXPECT_EQ(record.rendering->error, "") << record.url;
    ++result.rendered;
    if (!record.rendering->has_gained) ++result.in_vain;
  }
  return result;
}

TEST(MixedSite, AutoFindsNearlyAllThatAlwaysFindsAndRendersLittleInVain) {
  const MixedCrawl always = crawl_mixed(RenderMode::always);
  const MixedCrawl automatic = crawl_mixed(RenderMode::automatic);
  fmt::print("always: {} found, {} rendered, {} in vain; auto: {} found, {} rendered, {} in vain\n",
             always.found.size(), always.rendered, always.in_vain, automatic.found.size(),
             automatic.rendered, automatic.in_vain);
  EXPECT_EQ(always.found.size(), static_cast<std::size_t>(kMixedPages));
  EXPECT_GE(static_cast<double>(automatic.found.size()), 0.99 * kMixedPages);
  EXPECT_LE(static_cast<double>(automatic.in_vain), 0.3 * static_cast<double>(automatic.rendered));
  EXPECT_LT(automatic.rendered, always.rendered / 4);
}

}  // namespace
}  // namespace gossamer::crawler
