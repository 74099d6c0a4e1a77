#include "html/links/manifest_urls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/random.h"

namespace gossamer::html {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts_of(std::string_view json) {
  std::vector<std::string> texts;
  for (const ManifestUrl& found : manifest_urls(json)) {
    texts.push_back((found.is_page ? "page " : "image ") + found.url);
  }
  return texts;
}

constexpr std::string_view kManifest = R"({
  "name": "A \"shop\"", "start_url": "/?app", "scope": "/", "display": "standalone",
  "icons": [{"src": "icon.png", "sizes": "48x48"}, {"sizes": "any", "src" : "\/i\u002dl.svg"}],
  "screenshots": [{"src": "wide.webp", "label": "src"}],
  "shortcuts": [{"name": "Cart", "url": "/cart", "icons": [{"src": "cart.png"}]}],
  "related_applications": [{"platform": "play", "url": "https://play.example/a"}]
})";

TEST(ManifestUrls, AreImagesAndPages) {
  EXPECT_THAT(texts_of(kManifest), ElementsAre("page /?app", "image icon.png", "image /i-l.svg",
                                               "image wide.webp", "page /cart", "image cart.png"));
}

TEST(ManifestUrls, SayWhereTheyAre) {
  for (const ManifestUrl& found : manifest_urls(kManifest)) {
    const std::string_view text = kManifest.substr(found.begin, found.end - found.begin);
    EXPECT_TRUE(text.starts_with('"') && text.ends_with('"')) << text;
    EXPECT_GE(text.size(), found.url.size() + 2) << text;
  }
}

TEST(ManifestUrls, AreNotInOtherJson) {
  for (const std::string_view json : {
           R"({"start_url": "/a", "icons": [{"src": "a.png"}]})",       // no name
           R"({"name": "x", "start_url": "/a"})",                       // no icons
           R"([{"name": "x", "icons": [{"src": "a.png"}]}])",           // a list
           R"({"name": "x", "icons": {"src": "a.png"}})",               // not a list
           R"({"name": "x", "icons": ["a.png", {"href": "src"}]})",     //
           R"({"name": "x", "player": [{"src": "a.mp4"}]})", "", "\"",  // other members
       }) {
    EXPECT_THAT(texts_of(json), IsEmpty()) << json;
  }
}

TEST(ManifestUrls, AreBounded) {
  std::string json = R"({"name": "x", "icons": [)";
  for (int i = 0; i < 2000; ++i) json += R"({"src": "a.png"},)";
  EXPECT_EQ(manifest_urls(json).size(), kManifestUrlsMax);
  EXPECT_THAT(manifest_urls(std::string(1'000'000, '[')), IsEmpty());
}

TEST(ManifestUrls, AcceptAnyText) {
  base::Random random(1);
  constexpr std::string_view kPieces[] = {"{",        "}",         "[", "]",       "\"",
                                          "\\",       ":",         ",", "\"src\"", "\"icons\"",
                                          "\"name\"", "\"a.png\"", " "};
  for (int round = 0; round < 2000; ++round) {
    std::string json = "{";
    for (int i = 0; i < 40; ++i) json += kPieces[random.below(std::size(kPieces))];
    for (const ManifestUrl& found : manifest_urls(json)) EXPECT_LE(found.end, json.size()) << json;
  }
}

}  // namespace
}  // namespace gossamer::html
