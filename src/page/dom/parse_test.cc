#include "dom/parse.h"

#include <gtest/gtest.h>
#include <tests/support/tree_text.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::dom {
namespace {

const Node* first(const Document& document, TagId tag) {
  const Node& root = document.root();
  for (const Node* node = &root; node != nullptr; node = next_in(root, *node)) {
    if (node->is(tag)) return node;
  }
  return nullptr;
}

std::string body_text(const Document& document) {
  const Node& body = *first(document, TagId::body);
  std::string text;
  for (const Node* node = &body; node != nullptr; node = next_in(body, *node)) {
    if (node->is_text()) text += node->text();
  }
  return text;
}

TEST(Parse, PageWithoutTagsGetsHtmlHeadAndBody) {
  const Document document = parse("Hello");
  EXPECT_EQ(tree_text(document), "| <html>\n|   <head>\n|   <body>\n|     \"Hello\"\n");
}

TEST(Parse, EmptyPageHasHtmlHeadAndBody) {
  EXPECT_EQ(tree_text(parse("")), "| <html>\n|   <head>\n|   <body>\n");
}

TEST(Parse, NodesAreLinkedBothWays) {
  const Document document = parse("<body><p>one</p><p>two</p><p>three</p>");
  const Node& body = *first(document, TagId::body);
  std::vector<const Node*> forward;
  for (const Node* node = body.first_child(); node != nullptr; node = node->next()) {
    EXPECT_EQ(node->parent(), &body);
    forward.push_back(node);
  }
  ASSERT_EQ(forward.size(), 3u);
  std::size_t count = forward.size();
  for (const Node* node = body.last_child(); node != nullptr; node = node->previous()) {
    EXPECT_EQ(node, forward[--count]);
  }
  EXPECT_EQ(count, 0u);
}

TEST(Parse, TextAndValuesAreNotCopied) {
  const std::string page = "<body><p title='a value' data-other='b'>some text</p>";
  const auto is_in_page = [&page](std::string_view text) {
    return text.data() >= page.data() && text.data() < page.data() + page.size();
  };
  const Document document = parse(page);
  const Node& p = *first(document, TagId::p);
  EXPECT_TRUE(is_in_page(p.first_child()->text()));
  EXPECT_TRUE(is_in_page(p.value(AttributeId::title)));
  ASSERT_NE(p.find("data-other"), nullptr);
  EXPECT_TRUE(is_in_page(p.find("data-other")->name()));
}

TEST(Parse, TextOutlivesTheTokenizer) {
  const Document document = parse("<body title='x&amp;y'>a&amp;b<DATA-LIST Some-Name=1>&lt;");
  EXPECT_EQ(tree_text(document),
            "| <html>\n|   <head>\n|   <body>\n|     title=\"x&y\"\n|     \"a&b\"\n"
            "|     <data-list>\n|       some-name=\"1\"\n|       \"<\"\n");
}

TEST(Parse, MovedDocumentKeepsItsNodes) {
  Document document = parse("<body><p>text");
  const Node* const root = &document.root();
  const Document moved = std::move(document);
  EXPECT_EQ(&moved.root(), root);
  EXPECT_EQ(body_text(moved), "text");
}

TEST(Parse, FindsAttributesByNumberAndByName) {
  const Document document = parse("<a href=/x data-id=7>");
  const Node& link = *first(document, TagId::a);
  EXPECT_EQ(link.value(AttributeId::href), "/x");
  EXPECT_EQ(link.find("data-id")->value(), "7");
  EXPECT_EQ(link.find("href"), link.find(AttributeId::href));
  EXPECT_EQ(link.find("absent"), nullptr);
  EXPECT_EQ(link.value(AttributeId::title), "");
}

TEST(Parse, ContentOfTemplatesIsNotPartOfThePage) {
  const Document document = parse("<body>a<template>b<p>c</p></template>d");
  EXPECT_EQ(body_text(document), "ad");
  const Node& content = *first(document, TagId::template_)->first_child();
  EXPECT_EQ(content.kind(), Kind::content);
  EXPECT_EQ(content.first_child()->text(), "b");
}

TEST(Parse, ScriptingDecidesWhatNoscriptContains) {
  const std::string_view page = "<body><noscript><p>x</p></noscript>";
  EXPECT_NE(first(parse(page), TagId::p), nullptr);
  EXPECT_EQ(first(parse(page, {.scripting = true}), TagId::p), nullptr);
}

TEST(Parse, DoctypeDecidesAboutQuirks) {
  EXPECT_EQ(parse("<!doctype html>").quirks(), Quirks::none);
  EXPECT_EQ(parse("<p>").quirks(), Quirks::full);
  EXPECT_EQ(parse("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2//EN'>").quirks(), Quirks::full);
  constexpr std::string_view kTransitional =
      "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'";
  const std::string without_system = std::string(kTransitional) + ">";
  EXPECT_EQ(parse(without_system).quirks(), Quirks::full);
  const std::string with_system = std::string(kTransitional) + " 'http://x/'>";
  EXPECT_EQ(parse(with_system).quirks(), Quirks::limited);
}

TEST(Parse, DoctypeIsStored) {
  const Document document = parse("<!DOCTYPE html SYSTEM 'about:legacy-compat'>");
  EXPECT_EQ(document.doctype().name, "html");
  EXPECT_EQ(document.doctype().system_id, "about:legacy-compat");
  EXPECT_EQ(document.root().first_child()->kind(), Kind::doctype);
}

TEST(Parse, NamesOfSvgHaveTheirOwnCase) {
  const Document document = parse("<svg viewbox='0 0 1 1'><foreignobject><p>x");
  const Node& svg = *first(document, TagId::body)->first_child();
  EXPECT_EQ(svg.space(), Space::svg);
  EXPECT_EQ(svg.attributes().front().name(), "viewBox");
  EXPECT_EQ(svg.first_child()->name(), "foreignObject");
  EXPECT_EQ(svg.first_child()->tag(), TagId::foreignobject);
  EXPECT_FALSE(svg.first_child()->is(TagId::foreignobject)) << "it is not HTML";
  EXPECT_TRUE(svg.first_child()->first_child()->is(TagId::p));
}

TEST(Parse, EqualNamesWithoutANumberAreStoredOnce) {
  const Document document = parse("<x-one></x-one><x-two></x-two><x-one></x-one>");
  const Node* const one = first(document, TagId::body)->first_child();
  const Node* const last = one->next()->next();
  EXPECT_EQ(one->name(), "x-one");
  EXPECT_EQ(one->name().data(), last->name().data());
}

TEST(Parse, FragmentDependsOnItsContext) {
  const std::string_view page = "<tr><td>x";
  EXPECT_EQ(tree_text(parse_fragment(page, {.name = "div"}), true), "| \"x\"\n");
  EXPECT_EQ(tree_text(parse_fragment(page, {.name = "tbody"}), true),
            "| <tr>\n|   <td>\n|     \"x\"\n");
  EXPECT_EQ(tree_text(parse_fragment("<b>", {.name = "textarea"}), true), "| \"<b>\"\n");
}

// Only the end tag of a start tag that was read ends such text.
TEST(Parse, FragmentOfAScriptIsTextToItsEnd) {
  for (const char* name : {"script", "style", "textarea", "title", "xmp"}) {
    const std::string page = "a</" + std::string(name) + "><b>c";
    EXPECT_EQ(tree_text(parse_fragment(page, {.name = name}), true), "| \"" + page + "\"\n");
  }
}

TEST(Parse, FragmentOfAnAnnotationDependsOnItsEncoding) {
  const auto space_of_child = [](std::string_view encoding) {
    const Document document = parse_fragment(
        "<a>x", {.space = Space::math, .name = "annotation-xml", .encoding = encoding});
    return document.root().first_child()->first_child()->space();
  };
  EXPECT_EQ(space_of_child(""), Space::math);
  EXPECT_EQ(space_of_child("text/HTML"), Space::html);
}

TEST(Parse, TextInATableGoesBeforeIt) {
  const Document document = parse("<table>a<tr>b&amp;<td>c</table>");
  const Node& body = *first(document, TagId::body);
  EXPECT_EQ(body.first_child()->text(), "ab&");
  EXPECT_TRUE(body.last_child()->is(TagId::table));
}

TEST(Parse, BytesThatAreNotUtf8PassThrough) {
  EXPECT_EQ(body_text(parse("<body>\xFF\xC3(")), "\xFF\xC3(");
}

TEST(NextAfter, SkipsWhatIsBelowANode) {
  const Document document = parse("<body><div><p>a</p></div><b>c</b>");
  const Node& body = *first(document, TagId::body);
  EXPECT_TRUE(next_after(body, *first(document, TagId::div))->is(TagId::b));
  EXPECT_EQ(next_after(body, body), nullptr);
}

TEST(Parse, OnlyThreeEqualFormattingElementsAreReopened) {
  const auto reopened = [](std::string_view page) {
    const Document document = parse(page);
    const Node* node = document.root().first_child()->last_child()->last_child();
    int count = 0;
    for (node = node->first_child(); node->is(TagId::b); node = node->first_child()) ++count;
    return count;
  };
  EXPECT_EQ(reopened("<p><b c=1 d=2><b c=1 d=2><b c=1 d=2><b c=1 d=2><p>x"), 3);
  EXPECT_EQ(reopened("<p><b c=1 d=2><b d=2 c=1><b c=1 d=2><b d=2 c=1><p>x"), 3);
  EXPECT_EQ(reopened("<p><b c=1 d=2><b c=2 d=1><b c=1 d=2><b d=2 c=1><p>x"), 4);
}

TEST(ParseDeathTest, AWalkFromOutsideOfItsRootIsABug) {
  const Document document = parse("<p>a<p>b");
  const Node& body = *document.root().first_child()->last_child();
  EXPECT_DEATH(next_after(*body.first_child(), *body.last_child()), "not below the root");
}

TEST(PageParser, MakesTheSameTreeInStepsOfAnySize) {
  const std::string page =
      "<!doctype html><title>a &amp; b</title><p class='x y'>One<b>two<p>three</b>&notin;f\r\n"
      "<table>x<tr><td>caf\xC3\xA9</table><svg viewBox=1><g/></svg><!-- c --><template><i>t"
      "</template><script>if (a < b) '</p>'</script><pre>\n\nz";
  const std::string whole = tree_text(parse(page));
  for (std::size_t bytes = 1; bytes <= page.size(); ++bytes) {
    PageParser parser(page);
    std::size_t steps = 1;
    while (!parser.parse_some(bytes)) ++steps;
    EXPECT_EQ(steps, (page.size() + bytes - 1) / bytes);
    ASSERT_EQ(tree_text(parser.take()), whole) << bytes;
  }
  PageParser nothing("");
  EXPECT_TRUE(nothing.parse_some(1));
  EXPECT_EQ(tree_text(nothing.take()), tree_text(parse(std::string_view())));
}

}  // namespace
}  // namespace gossamer::dom
