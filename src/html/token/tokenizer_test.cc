#include "html/token/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/token_list.h>

#include <memory>
#include <string>
#include <vector>

namespace gossamer::html {
namespace {

using testing::ElementsAre;

std::vector<std::string> tokens(std::string_view document) {
  return tokenize(document, document.size());
}

TEST(Tokenizer, HandsOutTagsTextAndComments) {
  EXPECT_THAT(tokens("<!DOCTYPE html><p class=a>Hi<!-- x --></P>"),
              ElementsAre("doctype html", "<p class=\"a\">", "text Hi", "comment  x ", "</p>"));
}

TEST(Tokenizer, TheFirstOfTwoAttributesOfOneNameCounts) {
  EXPECT_THAT(tokens("<a href=1 HREF=2 x=3 X=4>"), ElementsAre("<a href=\"1\" x=\"3\">"));
}

TEST(Tokenizer, ReplacesReferencesInTextAndValues) {
  EXPECT_THAT(tokens("<a t='&lt;&copy=1&copy;'>&notit;&#65;&amp"),
              ElementsAre("<a t=\"<&copy=1\xC2\xA9\">", "text \xC2\xACit;A&"));
}

TEST(Tokenizer, AnUnquotedSlashBelongsToTheValue) {
  EXPECT_THAT(tokens("<a href=b/><br/>"), ElementsAre("<a href=\"b/\">", "<br/>"));
}

TEST(Tokenizer, DropsATagThatTheDocumentEndsIn) {
  EXPECT_THAT(tokens("a<b href='x"), ElementsAre("text a"));
}

TEST(Tokenizer, CarriageReturnsAreLineFeeds) {
  EXPECT_THAT(tokens("a\r\nb\rc<a\r\nt='x\ry'>"), ElementsAre("text a\nb\nc", "<a t=\"x\ny\">"));
}

// A document means the same, however it is divided.
TEST(Tokenizer, PiecesOfAnySizeGiveTheSameTokens) {
  const std::string_view documents[] = {
      "<!DOCTYPE html PUBLIC \"-//W3C//DTD\" 'x'><A HREF=\"a&amp;b\" x>T&eacute;xt</A\n>",
      "<script><!--<script></script>--></script><b>&notin;</b>&#x41;&#x;&",
      "<title>a&lt;</b></title><style>b<</style ><textarea></textarea x>c",
      "<![CDATA[x]]><!doctype><!--a--!>b<!-->c<?pi?></ x></>d<a = b =c \"='>",
      "a\r\nb\r\r\nc\r<a b='\r\n'>\r\n",
      "<a\0b c\0=d\0>\0",
      "<p/ / x / =y/>",
      "<x-y:z data-long-name-here=1 aVeryLongAttributeName='2'><verylongelementname>",
  };
  for (const std::string_view document : documents) {
    const auto whole = tokens(document);
    for (std::size_t size = 1; size < document.size(); ++size) {
      EXPECT_EQ(tokenize(document, size), whole) << document << " in pieces of " << size;
    }
  }
}

TEST(Tokenizer, ReadsNothingBeyondItsInput) {
  const std::string_view document = "<p class=\"a\">text &amp; <a href='x'>y</a></p><b>";
  for (std::size_t size = 0; size <= document.size(); ++size) {
    const auto block = std::make_unique_for_overwrite<char[]>(size);
    document.copy(block.get(), size);
    tokens({block.get(), size});
  }
}

TEST(Tokenizer, AnAttributeBeyondTheLimitIsLeftOut) {
  TokenList list;
  Tokenizer<TokenList> tokenizer(list, {.value_bytes_max = 90, .tag_bytes_max = 120});
  const std::string longer(91, 'x');
  const std::string shorter(70, 'y');
  tokenizer.feed("<a a=" + longer + " b=" + shorter + " c=" + shorter + " d=1>");
  tokenizer.finish();
  EXPECT_THAT(list.tokens(), ElementsAre("<a b=\"" + shorter + "\" d=\"1\">"));
}

}  // namespace
}  // namespace gossamer::html
