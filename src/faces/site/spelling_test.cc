#include "site/spelling.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "html/page_reader.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::site {
namespace {

TEST(RelativeReferenceTest, LeadsFromOneFolderToAnother) {
  EXPECT_EQ(relative_reference("/", "/"), "./");
  EXPECT_EQ(relative_reference("/", "/a/b.html"), "a/b.html");
  EXPECT_EQ(relative_reference("/a/", "/a/b.html"), "b.html");
  EXPECT_EQ(relative_reference("/a/", "/b/c"), "../b/c");
  EXPECT_EQ(relative_reference("/a/b/", "/a/b/"), "./");
  EXPECT_EQ(relative_reference("/a/b/", "/a/b/?q"), "./?q");
  EXPECT_EQ(relative_reference("/a/b/", "/"), "../../");
  EXPECT_EQ(relative_reference("/a/", "/?x=/a/"), "../?x=/a/");
}

// Reads the target of an href.
class OneLink final : public html::PageConsumer {
 public:
  void link(const html::Link& link) override { url = link.url; }
  std::string url;
};

TEST(SpellTest, AlwaysMeansTheSame) {
  base::Random random(1);
  url::CrawlIdentity identity;
  std::set<std::string> spellings;
  for (const std::string target : {"/", "/a/b-1.html", "/a/view?lang=en&page=7", "/a/x-2/",
                                   "/a/b-caf%C3%A9-3", "/?view=print"}) {
    for (const std::string host : {"site.example", "127.0.0.1:8080", "other.example"}) {
      for (int i = 0; i < 300; ++i) {
        const SpellingPlace place = {
            .host = host == "other.example" ? "site.example" : std::string_view(host),
            .base = i % 2 == 0 ? "/" : "/a/x-2/",
            .odd_spellings = 0.7};
        const std::string spelled = spell(place, host, target, random);
        OneLink consumer;
        html::PageReader reader({.links = true}, consumer);
        reader.feed("<a href=\"" + spelled + "\">x</a>");
        reader.finish();
        const auto base = url::Url::parse("http://" + std::string(place.host) +
                                          std::string(place.base) + "here.html");
        const auto url = url::Url::parse(consumer.url, &*base);
        ASSERT_TRUE(url) << spelled;
        ASSERT_EQ(identity.normal_form(*url), "http://" + host + target) << spelled;
        spellings.insert(spelled);
      }
    }
  }
  EXPECT_GT(spellings.size(), 100u);
}

}  // namespace
}  // namespace gossamer::site
