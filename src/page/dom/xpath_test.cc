#include "dom/xpath.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>

#include "base/errc.h"
#include "dom/parse.h"
#include "dom/xpath_numbers.h"

namespace gossamer::dom {
namespace {

std::string describe(const XPathNode& one) {
  if (one.attribute != nullptr) {
    return std::string("@")
        .append(one.attribute->name())
        .append("=")
        .append(one.attribute->value());
  }
  const Node& node = *one.node;
  if (node.kind() == Kind::document) return "/";
  if (node.is_text()) return std::string("'").append(node.text()).append("'");
  if (node.kind() == Kind::comment) return std::string("!").append(node.text());
  const Attribute* const id = node.find("id");
  return std::string(id == nullptr ? node.name() : id->value());
}

std::string describe(const XPathValue& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  if (const auto* const boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  if (const auto* const number = std::get_if<double>(&value)) return to_xpath_text(*number);
  std::string nodes;
  for (const XPathNode& node : std::get<XPathNodes>(value)) {
    nodes.append(nodes.empty() ? "" : " ").append(describe(node));
  }
  return nodes;
}

// A book as in the examples of the recommendation.
constexpr std::string_view kBook =
    "<!doctype html><title>T</title><body id=doc lang=en>"
    "<div id=c1 class=chapter><h2 id=t1>Introduction</h2><p id=p1 class=warning>one</p>"
    "<p id=p2>two</p></div>"
    "<div id=c2 class=chapter><h2 id=t2>Second</h2><p id=p3 lang=de-AT>drei</p>"
    "<ul id=list><li id=i1>1</li><li id=i2>2<b id=b2>x</b></li><li id=i3>10</li></ul>"
    "<p id=p4 class=warning title='a b'>four</p><p id=p5 class=warning>five</p><!--end--></div>"
    "<div id=a1 class=appendix><p id=p6></p><svg id=s><linearGradient id=g xlink:href='#x'/></svg>"
    "</div><template><p id=hidden></template>";

// The value of an expression for the element #c2.
std::string value_of(std::string_view expression) {
  const Document document = parse(kBook);
  const auto compiled = XPath::compile(expression);
  if (!compiled) return "error";
  const auto start = XPath::compile("//*[@id='c2']")->evaluate(document, document.root());
  const auto found = compiled->evaluate(document, *std::get<XPathNodes>(start.value)[0].node);
  EXPECT_TRUE(found.is_complete);
  EXPECT_EQ(std::holds_alternative<XPathNodes>(found.value), compiled->finds_nodes());
  return describe(found.value);
}

struct XPathCase {
  std::string_view expression;
  std::string_view value;

  friend void PrintTo(const XPathCase& one, std::ostream* out) { *out << one.expression; }
};

class XPathValueOf : public testing::TestWithParam<XPathCase> {};

TEST_P(XPathValueOf, IsWhatTheRecommendationSays) {
  EXPECT_EQ(value_of(GetParam().expression), GetParam().value);
}

// The examples of the recommendation, section 2, on this book.
constexpr XPathCase kLocations[] = {
    {"child::p", "p3 p4 p5"},
    {"child::*", "t2 p3 list p4 p5"},
    {"child::text()", ""},
    {"child::node()", "t2 p3 list p4 p5 !end"},
    {"attribute::id", "@id=c2"},
    {"attribute::*", "@id=c2 @class=chapter"},
    {"descendant::li", "i1 i2 i3"},
    {"ancestor::div", ""},
    {"ancestor-or-self::div", "c2"},
    {"descendant-or-self::div", "c2"},
    {"self::div", "c2"},
    {"self::p", ""},
    {"child::ul/descendant::b", "b2"},
    {"child::*/child::li", "i1 i2 i3"},
    {"/", "/"},
    {"/descendant::h2", "t1 t2"},
    {"/descendant::div/child::p", "p1 p2 p3 p4 p5 p6"},
    {"child::p[position()=1]", "p3"},
    {"child::p[position()=last()]", "p5"},
    {"child::p[position()=last()-1]", "p4"},
    {"child::p[position()>1]", "p4 p5"},
    {"following-sibling::div[position()=1]", "a1"},
    {"preceding-sibling::div[position()=1]", "c1"},
    {"/descendant::p[position()=4]", "p4"},
    {"/child::html/child::body/child::div[position()=2]/child::p[position()=2]", "p4"},
    {"child::p[attribute::class=\"warning\"]", "p4 p5"},
    {"child::p[attribute::class='warning'][position()=2]", "p5"},
    {"child::p[position()=2][attribute::class=\"warning\"]", "p4"},
    {"/descendant::div[child::h2='Introduction']", "c1"},
    {"/descendant::div[child::ul]", "c2"},
    {"child::*[self::h2 or self::ul]", "t2 list"},
    {"child::*[self::h2 or self::p][position()=last()]", "p5"},
    // short forms
    {"p", "p3 p4 p5"},
    {"*", "t2 p3 list p4 p5"},
    {"text()", ""},
    {"@id", "@id=c2"},
    {"@*", "@id=c2 @class=chapter"},
    {"p[1]", "p3"},
    {"p[last()]", "p5"},
    {"*/li", "i1 i2 i3"},
    {"/html/body/div[2]/p[2]", "p4"},
    {"ul//b", "b2"},
    {"//p", "p1 p2 p3 p4 p5 p6"},
    {"//ul/li", "i1 i2 i3"},
    {".", "c2"},
    {".//p", "p3 p4 p5"},
    {"..", "doc"},
    {"../@lang", "@lang=en"},
    {"p[@class='warning']", "p4 p5"},
    {"p[@class='warning'][2]", "p5"},
    {"p[2][@class='warning']", "p4"},
    {"//div[h2]", "c1 c2"},
    {"p[@class and @title]", "p4"},
    {"//p[1]", "p1 p3 p6"},
    {"/descendant::p[1]", "p1"},
    {"(//p)[1]", "p1"},
    {"//p[last()]", "p2 p5 p6"},
    {"(//p)[last()]", "p6"},
    // axes
    {"preceding::p", "p1 p2"},
    {"preceding::*[1]", "p2"},
    {"following::*", "a1 p6 s g template"},
    {"ul/following::p[1]", "p4"},
    {"ul/li/ancestor::*[1]", "list"},
    {"ul/li/ancestor::node()", "/ html doc c2 list"},
    {"ul/li/preceding-sibling::li", "i1 i2"},
    {"ul/li/following-sibling::li[1]", "i2 i3"},
    {"@id/..", "c2"},
    {"@id/following::h2", "t2"},
    {"@id/preceding::h2", "t1"},
    {"@id/ancestor::body", "doc"},
    {"@class/self::node()", "@class=chapter"},
    {"@class/child::node()", ""},
    {"namespace::*", ""},
    {"comment()", "!end"},
    {"//processing-instruction('x')", ""},
    {"//p/.. | ul/li[1]", "c1 c2 i1 a1"},
    {"p | h2 | p", "t2 p3 p4 p5"},
    {"(//ul | //li/@id)/descendant-or-self::node()[not(self::text())]",
     "list i1 @id=i1 i2 @id=i2 b2 i3 @id=i3"},
    {"//ul/li/ancestor-or-self::*/@class", "@class=chapter"},
    {"//div//*[@class]", "p1 p4 p5"},
    // names
    {"P", "p3 p4 p5"},
    {"@ID", "@id=c2"},
    {"//linearGradient/@xlink:href", "@xlink:href=#x"},
    {"//@xlink:*", "@xlink:href=#x"},
    {"//lineargradient", ""},
    {"//*[@id='hidden']", ""},
    {"//*[name() = 'svg']", "s"},
    // operators where an operand has ended, names elsewhere
    {"//div[@id = 'c2' or div or mod]", "c2"},
    {"2 * 3 div 2 mod 2", "1"},
    {"* | *", "t2 p3 list p4 p5"},
    {"count(*) * 2", "10"},
    {"count(p)-1", "2"},
    {"id('p4 i1  p1')", "p1 i1 p4"},
    {"id(//@title)/..", ""},
    {"id('list')/li[2]", "i2"},
};
INSTANTIATE_TEST_SUITE_P(Locations, XPathValueOf, testing::ValuesIn(kLocations));

// Sections 3 and 4.
constexpr XPathCase kValues[] = {
    {"1 = 1.0", "true"},
    {"'1' = 1", "true"},
    {"'a' != 'b'", "true"},
    {"true() = 'x'", "true"},
    {"3 > 2 > 1", "false"},
    {"(3 > 2) > 0", "true"},
    {"1 < 2 and 2 <= 2 and 3 >= 3 and not(1 > 2)", "true"},
    {"ul/li = 2", "false"},
    {"ul/li = 1", "true"},
    {"ul/li = '10'", "true"},
    {"ul/li != '10'", "true"},
    {"ul/li < 2", "true"},
    {"0 > ul/li", "false"},
    {"ul/li > 9", "true"},
    {"p = //p", "true"},
    {"p[1] != p[1]", "false"},
    {"p != p", "true"},
    {"ul/li < ul/li", "true"},
    {"ul/li[3] < ul/li[1]", "false"},
    {"nothing = ''", "false"},
    {"nothing != ''", "false"},
    {"nothing = false()", "true"},
    {"p = true()", "true"},
    {"nothing = nothing", "false"},
    {"0 div 0 = 0 div 0", "false"},
    {"-(2 + 3)", "-5"},
    {"--2", "2"},
    {"5 mod 2", "1"},
    {"5 mod -2", "1"},
    {"-5 mod 2", "-1"},
    {"-5 mod -2", "-1"},
    {"1.5 mod 0.5", "0"},
    {"1 div 0", "Infinity"},
    {"-1 div 0", "-Infinity"},
    {"number('x')", "NaN"},
    {"number(' -3.50 ')", "-3.5"},
    {"number('+1')", "NaN"},
    {"number('1e3')", "NaN"},
    {"number('1 2')", "NaN"},
    {"number(true())", "1"},
    {"number(ul/li)", "1"},
    {"0.1 + 0.2", "0.30000000000000004"},
    {"1000000 * 1000000 * 10000000000", "10000000000000000000000"},
    {".5", "0.5"},
    {"5.", "5"},
    {"-0", "0"},
    {"sum(ul/li[not(b)])", "11"},
    {"floor(2.6)", "2"},
    {"floor(-2.5)", "-3"},
    {"ceiling(2.2)", "3"},
    {"round(2.5)", "3"},
    {"round(-2.5)", "-2"},
    {"round(2.4)", "2"},
    {"count(//p)", "6"},
    {"last()", "1"},
    {"position()", "1"},
    {"string(p)", "drei"},
    {"string(nothing)", ""},
    {"string(ul)", "12x10"},
    {"string(@class)", "chapter"},
    {"concat('a', 1, true(), p)", "a1truedrei"},
    {"starts-with('abc', 'ab')", "true"},
    {"starts-with('abc', '')", "true"},
    {"contains('abc', 'bc')", "true"},
    {"contains('abc', 'd')", "false"},
    {"substring-before('1999/04/01', '/')", "1999"},
    {"substring-after('1999/04/01', '/')", "04/01"},
    {"substring-after('1999/04/01', '19')", "99/04/01"},
    {"substring-before('abc', 'x')", ""},
    {"substring('12345', 2, 3)", "234"},
    {"substring('12345', 2)", "2345"},
    {"substring('12345', 1.5, 2.6)", "234"},
    {"substring('12345', 0, 3)", "12"},
    {"substring('12345', 0 div 0, 3)", ""},
    {"substring('12345', 1, 0 div 0)", ""},
    {"substring('12345', -42, 1 div 0)", "12345"},
    {"substring('12345', -1 div 0, 1 div 0)", ""},
    {"substring('\xC3\xA4\xC3\xB6\xC3\xBC', 2, 1)", "\xC3\xB6"},
    {"string-length('\xC3\xA4\xC3\xB6')", "2"},
    {"string-length()", "23"},
    {"normalize-space('  a \n b ')", "a b"},
    {"translate('bar','abc','ABC')", "BAr"},
    {"translate('--aaa--','abc-','ABC')", "AAA"},
    {"translate('\xC3\xA4', '\xC3\xA4', 'a')", "a"},
    {"boolean(0 div 0)", "false"},
    {"boolean('false')", "true"},
    {"boolean(nothing)", "false"},
    {"not(p)", "false"},
    {"false() or p", "true"},
    {"lang('EN')", "true"},
    {"p[lang('de')]", "p3"},
    {"p[lang('d')]", ""},
    {"name()", "div"},
    {"local-name(//@xlink:href)", "href"},
    {"name(//@xlink:href)", "xlink:href"},
    {"namespace-uri(//*[name() = 'svg'])", "http://www.w3.org/2000/svg"},
    {"name(/)", ""},
    {"\"it's\"", "it's"},
};
INSTANTIATE_TEST_SUITE_P(Values, XPathValueOf, testing::ValuesIn(kValues));

constexpr XPathCase kWrong[] = {
    {"", "error"},          {"p[", "error"},          {"p]", "error"},      {"p[]", "error"},
    {"/html/", "error"},    {"//", "error"},          {"p p", "error"},     {"foo()", "error"},
    {"$x", "error"},        {"count(1)", "error"},    {"count()", "error"}, {"1[1]", "error"},
    {"'a'/b", "error"},     {"p | 1", "error"},       {"'a", "error"},      {"(p", "error"},
    {"child::", "error"},   {"nowhere::p", "error"},  {"@@a", "error"},     {"p/1", "error"},
    {"text('x')", "error"}, {"concat('a')", "error"}, {"1 +", "error"},     {"..p", "error"},
    {"p:", "error"},        {"\xFF\xFF(", "error"},   {"true(1)", "error"}, {"not()", "error"},
};
INSTANTIATE_TEST_SUITE_P(Wrong, XPathValueOf, testing::ValuesIn(kWrong));

TEST(XPath, SaysWhatIsWrongAndWhere) {
  const auto wrong = XPath::compile("//p[foo(.)]");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().detail(),
            "XPath, byte 8: there is no function of this name in XPath 1.0");
  EXPECT_EQ(wrong.error(), base::Errc::malformed);
}

TEST(XPath, LimitsExpressions) {
  const auto is_over_limit = [](const std::string& expression) {
    const auto compiled = XPath::compile(expression);
    return !compiled && compiled.error() == base::Errc::over_limit;
  };
  EXPECT_TRUE(is_over_limit("'" + std::string(70'000, 'x') + "'"));
  EXPECT_TRUE(is_over_limit(std::string(17, '(') + "1" + std::string(17, ')')));
  std::string nested = "p";
  for (int i = 0; i < 17; ++i) nested = "p[" + nested + "]";
  EXPECT_TRUE(is_over_limit(nested));
  std::string sum = "1";
  for (int i = 0; i < 2000; ++i) sum += "+1";
  EXPECT_TRUE(XPath::compile(sum)) << "a chain is not nested";
  for (int i = 0; i < 3000; ++i) sum += "+1";
  EXPECT_TRUE(is_over_limit(sum));
}

TEST(XPath, StopsAtAnyStep) {
  const Document document = parse(kBook);
  for (const std::string_view expression :
       {"//p[1]/.. | //li/ancestor::*[last()]", "sum(//li) > count(//p[. = //li])",
        "id('p1 i2')/following::*[position() mod 2 = 1]", "translate(string(/), 'o', '0')",
        "//li/preceding::node()[lang('en')]/@*", "concat(//p, normalize-space(/))"}) {
    const auto compiled = XPath::compile(expression);
    ASSERT_TRUE(compiled) << expression;
    const std::string all = describe(compiled->evaluate(document, document.root()).value);
    for (std::uint64_t steps = 1; steps < 2000; steps += 3) {
      const auto found = compiled->evaluate(document, document.root(), steps);
      if (found.is_complete) EXPECT_EQ(describe(found.value), all) << expression << ", " << steps;
    }
  }
}

// Without a limit, these take quadratic time or more.
TEST(XPath, BoundsItsWork) {
  std::string page;
  for (int i = 0; i < 400; ++i) page += "<div>";
  for (int i = 0; i < 20'000; ++i) page += "<i>text</i>";
  const Document document = parse(page);
  for (const std::string_view expression :
       {"//i[count(preceding::i) > count(following::i)]", "//*[contains(., 'zzz')]",
        "//div//div//div//i[last()]", "//i/preceding::i/following::i", "//div[. = //div]",
        "//i/ancestor::*/descendant::i[1]"}) {
    const auto compiled = XPath::compile(expression);
    ASSERT_TRUE(compiled) << expression;
    EXPECT_FALSE(compiled->evaluate(document, document.root(), 300'000).is_complete) << expression;
  }
}

TEST(XPath, DoesNotHoldLongTexts) {
  const std::string page = "<p>" + std::string(XPath::kTextBytesMax / 2, 'x') + "<p>" +
                           std::string(XPath::kTextBytesMax / 2, 'y') + "<p>z";
  const Document document = parse(page);
  const auto is_complete = [&](std::string_view expression) {
    return XPath::compile(expression)->evaluate(document, document.root()).is_complete;
  };
  EXPECT_TRUE(is_complete("string(//p)"));
  EXPECT_FALSE(is_complete("string(/)"));
  EXPECT_FALSE(is_complete("concat(//p, //p, //p)"));
  EXPECT_FALSE(is_complete("//p = //p"));
}

// Without a linear search, each place of the text is compared with most of the other one.
TEST(XPath, SearchesTextsInLinearTime) {
  const std::string page =
      "<i>" + std::string(2'500'000, 'a') + "</i><b>" + std::string(700'000, 'a') + "b</b>";
  const Document document = parse(page);
  const auto value = [&](std::string_view expression) {
    const auto found = XPath::compile(expression)->evaluate(document, document.root());
    EXPECT_TRUE(found.is_complete) << expression;
    return describe(found.value);
  };
  EXPECT_EQ(value("contains(//i, //b)"), "false");
  EXPECT_EQ(value("substring-before(//i, //b)"), "");
  EXPECT_EQ(value("substring-after(//i, //b)"), "");
  EXPECT_EQ(value("contains('abc', '')"), "true");
}

TEST(XPath, DoesNotHoldManyNodes) {
  std::string page;
  for (int i = 0; i < 50'000; ++i) page += "<p>";
  const Document document = parse(page);
  std::string join = "//p";
  for (int i = 0; i < 20; ++i) join += "|//p";
  EXPECT_TRUE(XPath::compile("//p|//p")->evaluate(document, document.root()).is_complete);
  EXPECT_FALSE(XPath::compile(join)->evaluate(document, document.root()).is_complete);
}

// Elements that are misnested are made in another order than that of the document.
TEST(XPath, SortsNodesOfMisnestedPages) {
  const Document document = parse("<table><tr><td id=cell>x</td></tr><b id=before>y</table>");
  const auto found = XPath::compile("//td | //b")->evaluate(document, document.root());
  EXPECT_EQ(describe(found.value), "before cell");
}

}  // namespace
}  // namespace gossamer::dom
