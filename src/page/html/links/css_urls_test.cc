#include "html/links/css_urls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace gossamer::html {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// In a heap block of exactly its size, so that a read beyond the end is seen.
std::vector<std::string> urls(std::string_view css) {
  const auto block = std::make_unique_for_overwrite<char[]>(css.size());
  css.copy(block.get(), css.size());
  CssUrls reader({block.get(), css.size()});
  std::vector<std::string> found;
  while (reader.next()) {
    found.push_back((reader.is_import() ? "@" : "") + std::string(reader.url()));
  }
  if (!found.empty()) {
    EXPECT_TRUE(CssUrls::may_have_urls(css));
  }
  return found;
}

TEST(CssUrls, AreFoundQuotedUnquotedAndImported) {
  EXPECT_THAT(urls("@import 'a'; @import url(b); c{d:url( e )} f{g:URL(\"h\")}"),
              ElementsAre("@a", "@b", "e", "h"));
}

TEST(CssUrls, HaveTheirEscapesReplaced) {
  EXPECT_THAT(urls("u\\72l(a\\)b) url('\\41\\\nx')"), ElementsAre("a)b", "Ax"));
}

TEST(CssUrls, HaveTheirPositions) {
  const std::string_view css = "@import /**/ 'a' b; c{d: URL( e ) u\\72l(\"f\" ) url(g";
  std::vector<std::string> places;
  for (CssUrls reader(css); reader.next();) {
    places.emplace_back(css.substr(reader.begin(), reader.end() - reader.begin()));
  }
  EXPECT_THAT(places, ElementsAre("'a'", "URL( e )", "u\\72l(\"f\" )", "url(g"));
}

TEST(CssUrls, AreNotFoundInCommentsStringsAndOtherNames) {
  EXPECT_THAT(urls("/* url(a) */ 'url(b)' myurl(c) 1url(d) #url(e) @url(f) -url(g)"), IsEmpty());
}

TEST(CssUrls, BrokenOnesAreNone) {
  EXPECT_THAT(urls("url(a b) url('c\n') url(d'e) url('f' g) url(h(i) url(j"), ElementsAre("j"));
}

TEST(CssUrls, AreFoundInCustomProperties) {
  EXPECT_THAT(urls("a{--b:url(c);d:url(e);--f:{x:url(g);}}h{i:url(j)}"),
              ElementsAre("c", "e", "g", "j"));
  EXPECT_THAT(urls("--a:url('#b');c:url(#d)"), ElementsAre("#d"));
  EXPECT_THAT(urls("--a:@import 'b';--c:@import url(d);--e:'f'}@import 'g'"),
              ElementsAre("d", "@g"));
}

TEST(CssUrls, AreTheStringsOfImageSets) {
  EXPECT_THAT(urls("a{b:image-set('c' 1x, url(d) 2x, 'e' type('image/avif') 3x)} f{g:'h'}"),
              ElementsAre("c", "d", "e"));
  EXPECT_THAT(urls("a{b:-webkit-IMAGE-SET(\"c\" 1x)} d{e:image-set 'f'}"), ElementsAre("c"));
  EXPECT_THAT(urls("a{b:image-set('c' 1x; d:'e'} f{g:'h'}"), ElementsAre("c")) << "not closed";
}

TEST(CssUrls, EveryPrefixEnds) {
  const std::string_view css =
      "@import \"a\\62\" ; b { c : url( 'd' ) , url(e\\\n) /* f */ 1.5e+3x";
  for (std::size_t size = 0; size <= css.size(); ++size) urls(css.substr(0, size));
}

}  // namespace
}  // namespace gossamer::html
