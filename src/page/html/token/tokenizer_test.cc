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

struct Example {
  std::string_view document;
  std::vector<std::string> tokens;
};

// Reads each document as a whole and in pieces, which takes the slow path.
void expect_tokens(const std::vector<Example>& examples) {
  for (const auto& [document, expected] : examples) {
    EXPECT_EQ(tokens(document), expected) << document;
    EXPECT_EQ(tokenize(document, 1), expected) << document << " in pieces";
    EXPECT_EQ(tokens(std::string(document) + "<p>" + std::string(100, 'x')).front(),
              expected.empty() ? tokens("<p>").front() : expected.front())
        << document << " with more after it";
  }
}

// https://html.spec.whatwg.org/#comment-start-state and the states after it
TEST(Tokenizer, CommentsEndWhereTheStandardSays) {
  expect_tokens(
      {{"<!---->x", {"comment ", "text x"}},         {"<!-->x", {"comment ", "text x"}},
       {"<!--->x", {"comment ", "text x"}},          {"<!--a-->x", {"comment a", "text x"}},
       {"<!--a--!>x", {"comment a", "text x"}},      {"<!--a--!b-->x", {"comment a--!b", "text x"}},
       {"<!--a--!-->x", {"comment a--!", "text x"}}, {"<!--a--->x", {"comment a-", "text x"}},
       {"<!--a-b-->x", {"comment a-b", "text x"}},   {"<!--a--b-->x", {"comment a--b", "text x"}},
       {"<!--a>b-->x", {"comment a>b", "text x"}},   {"<!--<!---->x", {"comment <!--", "text x"}},
       {"<!--<!-->x", {"comment <!", "text x"}},     {"<!--<!-a-->x", {"comment <!-a", "text x"}},
       {"<!--<<!a-->x", {"comment <<!a", "text x"}}, {"<!-a>x", {"comment -a", "text x"}},
       {"<!a>x", {"comment a", "text x"}},           {"<!>x", {"comment ", "text x"}},
       {"<?a?>x", {"comment ?a?", "text x"}},        {"</ a>x", {"comment  a", "text x"}}});
}

TEST(Tokenizer, ACommentThatTheDocumentEndsInHasWhatCameOfIt) {
  const std::vector<Example> examples = {
      {"<!--", {"comment "}},       {"<!---", {"comment "}},    {"<!--a", {"comment a"}},
      {"<!--a-", {"comment a"}},    {"<!--a--", {"comment a"}}, {"<!--a--!", {"comment a"}},
      {"<!--a<!", {"comment a<!"}}, {"<!a", {"comment a"}},     {"<?a", {"comment ?a"}}};
  for (const auto& [document, expected] : examples) {
    EXPECT_EQ(tokens(document), expected) << document;
    EXPECT_EQ(tokenize(document, 1), expected) << document;
  }
}

TEST(Tokenizer, WhatBeginsNoTagIsText) {
  for (const std::string_view document : {"<", "</", "<3", "< a>", "a<", "<=", "<\xC3\xBC>"}) {
    EXPECT_EQ(tokens(document), std::vector<std::string>{"text " + std::string(document)});
  }
  EXPECT_THAT(tokens("</>a"), ElementsAre("text a"));
}

// https://html.spec.whatwg.org/#before-attribute-name-state and the states after it
TEST(Tokenizer, AttributesAreReadAsTheStandardSays) {
  expect_tokens({{"<svg /x>", {"<svg x=\"\">"}},
                 {"<a/b>", {"<a b=\"\">"}},
                 {"<a / b>", {"<a b=\"\">"}},
                 {"<br / >", {"<br>"}},
                 {"<br />", {"<br/>"}},
                 {"<br b/>", {"<br b=\"\"/>"}},
                 {"<br b='c'/>", {"<br b=\"c\"/>"}},
                 {"<a =b>", {"<a =b=\"\">"}},
                 {"<a b = c>", {"<a b=\"c\">"}},
                 {"<a b= 'c'd>", {"<a b=\"c\" d=\"\">"}},
                 {"<a b=>", {"<a b=\"\">"}},
                 {"<a b=''>", {"<a b=\"\">"}},
                 {"<a b=c'd\"e>", {"<a b=\"c'd\"e\">"}},
                 {"<a b='>'>", {"<a b=\">\">"}},
                 {"<a b=\"'\" c='\"'>", {"<a b=\"'\" c=\"\"\">"}},
                 {"<A B=C D>", {"<a b=\"C\" d=\"\">"}},
                 {"<a\tb\nc\fd>", {"<a b=\"\" c=\"\" d=\"\">"}},
                 {"<a b=&lt;>", {"<a b=\"<\">"}},
                 {"<a b\"c>", {"<a b\"c=\"\">"}}});
}

// https://html.spec.whatwg.org/#doctype-state and the states after it
TEST(Tokenizer, DoctypesAreReadAsTheStandardSays) {
  expect_tokens({{"<!DOCTYPE>", {"doctype  quirks"}},
                 {"<!DOCTYPE >", {"doctype  quirks"}},
                 {"<!doctype HTML>", {"doctype html"}},
                 {"<!DOCTYPE  html >", {"doctype html"}},
                 {"<!DOCTYPEhtml>", {"doctype html"}},
                 {"<!DOCTYPE html x>", {"doctype html quirks"}},
                 {"<!DOCTYPE html PUBLIC>", {"doctype html quirks"}},
                 {"<!DOCTYPE html SYSTEM>", {"doctype html quirks"}},
                 {"<!DOCTYPE html public 'a'>", {"doctype html public a"}},
                 {"<!DOCTYPE html PUBLIC\"a\"'b'>", {"doctype html public a system b"}},
                 {"<!DOCTYPE html PUBLIC 'a' \"b\" >", {"doctype html public a system b"}},
                 {"<!DOCTYPE html PUBLIC 'a' x>", {"doctype html public a quirks"}},
                 {"<!DOCTYPE html PUBLIC 'a>", {"doctype html public a quirks"}},
                 {"<!DOCTYPE html PUBLIC x>", {"doctype html quirks"}},
                 {"<!DOCTYPE html system \"b\">", {"doctype html system b"}},
                 {"<!DOCTYPE html SYSTEM 'b' x>", {"doctype html system b"}},
                 {"<!DOCTYPE html SYSTEM 'b>", {"doctype html system b quirks"}},
                 {"<!DOCTYPE html SYSTEM x>", {"doctype html quirks"}}});
  EXPECT_THAT(tokens("<!DOCTYPE"), ElementsAre("doctype  quirks"));
  EXPECT_THAT(tokens("<!DOCTYPE html"), ElementsAre("doctype html quirks"));
  EXPECT_THAT(tokens("<!DOCTYPE html PUBLIC 'a'"), ElementsAre("doctype html public a quirks"));
}

// https://html.spec.whatwg.org/#script-data-state and the states after it
TEST(Tokenizer, TheTextOfAnElementEndsAtItsEndTag) {
  const auto text_of = [](std::string_view document) {
    const auto all = tokens(document);
    EXPECT_EQ(tokenize(document, 1), all) << document;
    return all.size() > 1 && all[1].starts_with("text ") ? all[1].substr(5) : "";
  };
  EXPECT_EQ(text_of("<script>a</scriptx>b</SCRIPT >c"), "a</scriptx>b");
  EXPECT_EQ(text_of("<script>a</script/>b"), "a");
  EXPECT_EQ(text_of("<script><!--</script>-->"), "<!--");
  EXPECT_EQ(text_of("<script><!--<script></script>a--></script>b"), "<!--<script></script>a-->");
  EXPECT_EQ(text_of("<script><!--<script>--></script>b"), "<!--<script>-->");
  EXPECT_EQ(text_of("<script><!--<script></script></script>b"), "<!--<script></script>");
  EXPECT_EQ(text_of("<script><!--<scripty></script>b"), "<!--<scripty>");
  EXPECT_EQ(text_of("<script><!--><script></script>b"), "<!--><script>");
  EXPECT_EQ(text_of("<script><!-<script></script>b"), "<!-<script>");
  EXPECT_EQ(text_of("<style><!--</style>-->"), "<!--");
  EXPECT_EQ(text_of("<style>&lt;</style>"), "&lt;");
  EXPECT_EQ(text_of("<title>&lt;</titlex></title>"), "<</titlex>");
  EXPECT_EQ(text_of("<textarea>a<b></textarea>"), "a<b>");
  EXPECT_EQ(text_of("<plaintext>a</plaintext>"), "a</plaintext>");
}

TEST(Tokenizer, KeepsAsMuchAsEachLimitAllows) {
  const auto limited = [](std::string_view document, const TokenizerLimits& limits) {
    TokenList list;
    Tokenizer<TokenList> tokenizer(list, limits);
    tokenizer.feed(document);
    tokenizer.finish();
    TokenList pieces;
    Tokenizer<TokenList> slow(pieces, limits);
    for (const char c : document) slow.feed({&c, 1});
    slow.finish();
    EXPECT_EQ(pieces.tokens(), list.tokens()) << document;
    return list.tokens();
  };
  EXPECT_THAT(limited("<a b c>", {.attributes_max = 2}), ElementsAre("<a b=\"\" c=\"\">"));
  EXPECT_THAT(limited("<a b c d>", {.attributes_max = 2}), ElementsAre("<a b=\"\" c=\"\">"));
  EXPECT_THAT(limited("<a b=1 c=2 d=3>", {.attributes_max = 2}),
              ElementsAre("<a b=\"1\" c=\"2\">"));
  EXPECT_THAT(limited("<!--abcde-->", {.comment_bytes_max = 5}), ElementsAre("comment abcde"));
  EXPECT_THAT(limited("<!--abcdef-->", {.comment_bytes_max = 5}), ElementsAre("comment abcde"));
  const std::string longest(256, 'x');
  EXPECT_THAT(limited("<" + longest + ">", {}), ElementsAre("<" + longest + ">"));
  EXPECT_THAT(limited("<" + longest + "x>", {}), ElementsAre("<" + longest + ">"));
}

}  // namespace
}  // namespace gossamer::html
