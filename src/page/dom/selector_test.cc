#include "dom/selector.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "base/errc.h"
#include "dom/parse.h"
#include "dom/selector_parser.h"

namespace gossamer::dom {
namespace {

// Returns the ids of the elements that match, or "error".
std::string ids_of(std::string_view page, std::string_view selector) {
  const Document document = parse(page);
  const auto compiled = Selector::compile(selector);
  if (!compiled) return "error";
  std::string ids;
  for (const Node* element : compiled->find_all(document).elements) {
    EXPECT_TRUE(compiled->matches(document, *element).is_match);
    const Attribute* const id = element->find("id");
    ids.append(ids.empty() ? "" : " ").append(id == nullptr ? "?" : id->value());
  }
  return ids;
}

constexpr std::string_view kPage =
    "<!doctype html><body id=body>"
    "<div id=d1 class='note big' lang=de-AT><p id=p1>a<p id=p2 class=Note title='one two'>b</div>"
    "<div id=d2 data-x='A-b'><p id=p3><a id=a1 href='https://x.example/a.pdf'>c</a>"
    "<a id=a2 name=n>d</a></p><span id=s1></span><p id=p4><!-- c --></p></div>"
    "<ul id=ul><li id=l1>1<li id=l2 class=x>2<li id=l3>3<li id=l4 class=x>4<li id=l5 class=x>5</ul>"
    "<form id=f><fieldset id=fs disabled><legend id=lg><input id=i1></legend><input "
    "id=i2></fieldset>"
    "<input id=i3 type=CHECKBOX checked><select id=se><option id=o1 selected><option id=o2>"
    "</select></form><svg id=svg viewBox=x><linearGradient id=lin /></svg>"
    "<template><p id=hidden></template>";

struct Case {
  std::string_view selector;
  std::string_view ids;

  friend void PrintTo(const Case& one, std::ostream* out) { *out << one.selector; }
};

class SelectorCase : public testing::TestWithParam<Case> {};

TEST_P(SelectorCase, FindsTheElements) {
  EXPECT_EQ(ids_of(kPage, GetParam().selector), GetParam().ids);
}

constexpr Case kCases[] = {
    // names, ids, classes
    {"p", "p1 p2 p3 p4"},
    {"P", "p1 p2 p3 p4"},
    {"#d1", "d1"},
    {"#D1", ""},
    {".note", "d1"},
    {".Note", "p2"},
    {".note.big", "d1"},
    {"div.note", "d1"},
    {"*|div", "d1 d2"},
    {"svg *", "lin"},
    {"linearGradient", "lin"},
    {"lineargradient", ""},
    {"#\\64 1", "d1"},
    {"span, #p1 , a", "p1 a1 a2 s1"},
    // attributes
    {"[href]", "a1"},
    {"[HREF]", "a1"},
    {"[title='one two']", "p2"},
    {"[title~=two]", "p2"},
    {"[title~='one two']", ""},
    {"[lang|=de]", "d1"},
    {"[lang|=d]", ""},
    {"[href^='https:']", "a1"},
    {"[href$='.pdf']", "a1"},
    {"[href*=example]", "a1"},
    {"[href*='']", ""},
    {"[href*='pss']", ""},
    {"[href*='X.EX' i]", "a1"},
    {"[href*='.pdf']", "a1"},
    {"[title*='e t']", "p2"},
    {"[data-x='a-b']", ""},
    {"[data-x='a-b' i]", "d2"},
    {"[type=checkbox]", "i3"},
    {"[type=checkbox s]", ""},
    {"[viewBox]", "svg"},
    // combinators
    {"div p", "p1 p2 p3 p4"},
    {"body > p", ""},
    {"div > p > a", "a1 a2"},
    {"p+p", "p2"},
    {"a + a", "a2"},
    {"p ~ p", "p2 p4"},
    {"span + p", "p4"},
    {"#d1 ~ ul > li + li", "l2 l3 l4 l5"},
    {"body/**/div/**/ > p#p1", "error"},
    {"body div /**/ > p/**/#p1", "p1"},
    // positions
    {"li:first-child", "l1"},
    {"li:last-child", "l5"},
    {"li:nth-child(2n+1)", "l1 l3 l5"},
    {"li:nth-child(odd)", "l1 l3 l5"},
    {"li:nth-child(EVEN)", "l2 l4"},
    {"li:nth-child( -n + 2 )", "l1 l2"},
    {"li:nth-child(3)", "l3"},
    {"li:nth-child(n)", "l1 l2 l3 l4 l5"},
    {"li:nth-child(0n+0)", ""},
    {"li:nth-last-child(2)", "l4"},
    {"li:nth-child(2 of .x)", "l4"},
    {"li:nth-last-child(2 of .x)", "l4"},
    {"li:nth-child(odd of .x, #l1)", "l1 l4"},
    {"#d2 > p:first-of-type", "p3"},
    {"#d2 > p:nth-of-type(2)", "p4"},
    {"#d2 > :last-of-type", "s1 p4"},
    {"#d2 > :only-of-type", "s1"},
    {"#d2 > :nth-last-of-type(1)", "s1 p4"},
    {":root > body", "body"},
    {"p:empty, span:empty", "s1 p4"},
    // lists in conditions
    {"li:not(.x)", "l1 l3"},
    {"li:not(.x, :first-child)", "l3"},
    {":is(ul, div) > .x", "l2 l4 l5"},
    {":where(#d1, ::nonsense, #d2) > p", "p1 p2 p3 p4"},
    {":is()", ""},
    {":is(:not(, b), ul)", "ul"},
    {":is(!\\", ""},
    {":is(!\\), ul)", "ul"},
    {":is(!'\\", ""},
    {":is(!')', ul", "ul"},
    {"div:has(a)", "d2"},
    {"div:has(> a)", ""},
    {"p:has(+ p)", "p1"},
    {"p:has(~ span)", "p3"},
    {"div:has(p > a, .nothing)", "d2"},
    {"body:has(+ x)", ""},
    {"div:not(:has(a))", "d1"},
    {"div:has(~ ul .x)", "d1 d2"},
    {"div:has(body p)", ""},
    {"div:has(div p)", ""},
    {"p:has(> a + a)", "p3"},
    {"p:has(+ span + p)", "p3"},
    {"p:has(p ~ span)", ""},
    {"p:has(~ p ~ p)", ""},
    {"li:has(~ .x ~ .x + .x)", "l1"},
    {"li:has(+ .x ~ .x)", "l1 l3"},
    {"div:has(> p > a)", "d2"},
    {"body > div ~ ul > li", "l1 l2 l3 l4 l5"},
    // states
    {":link", "a1"},
    {"a:not(:any-link)", "a2"},
    {":lang(de) > .Note", "p2"},
    {":lang(DE-at) > .Note", "p2"},
    {":lang(en)", ""},
    {":checked", "i3 o1"},
    {":disabled", "fs i2"},
    {"input:enabled", "i1 i3"},
    {"a:hover, a:visited", ""},
    // mistakes
    {"", "error"},
    {"p,", "error"},
    {"> p", "error"},
    {"p >", "error"},
    {"p > > p", "error"},
    {"p::before", "error"},
    {"p:unknown", "error"},
    {"p:nth-child(n of)", "error"},
    {"p:nth-child(2x)", "error"},
    {"p:nth-child(- n)", "error"},
    {"svg|a", "error"},
    {"[a=]", "error"},
    {".1", "error"},
    {"#1a", "error"},
    {"#-1", "error"},
    {"#", "error"},
    {"|p", "error"},
    {"|*", "error"},
    {"p)", "error"},
    {":not()", "error"},
    {":has()", "error"},
    {":has(:has(a))", "error"},
    {"p:not(a", "p1 p2 p3 p4"},
};

INSTANTIATE_TEST_SUITE_P(Cases, SelectorCase, testing::ValuesIn(kCases));

TEST(Selector, IgnoresCaseOfClassesAndIdsOnlyInQuirks) {
  EXPECT_EQ(ids_of("<p id=One class=Two>", ".tWO#oNE"), "One");
  EXPECT_EQ(ids_of("<!doctype html><p id=One class=Two>", ".tWO#oNE"), "");
}

TEST(Selector, LanguageOfXmlNeedsItsNamespace) {
  EXPECT_EQ(ids_of("<p id=a xml:lang=de>", ":lang(de)"), "");
  EXPECT_EQ(ids_of("<p id=a xml:lang=de lang=en>", ":lang(en)"), "a");
  EXPECT_EQ(ids_of("<svg id=a xml:lang=de lang=en>", ":lang(de)"), "a");
}

TEST(Selector, LeavesOutTheContentOfTemplates) { EXPECT_EQ(ids_of(kPage, "#hidden"), ""); }

TEST(Selector, SearchesBelowANode) {
  const Document document = parse(kPage);
  const Node* const root = Selector::compile("#d2")->find_first(document).element;
  const auto children = Selector::compile(":scope > p")->find_all(document, *root);
  ASSERT_EQ(children.elements.size(), 2u);
  EXPECT_EQ(children.elements[0]->find("id")->value(), "p3");
  EXPECT_TRUE(Selector::compile("#d1")->find_all(document, *root).elements.empty());
}

TEST(Selector, FindsTheFirst) {
  const Document document = parse(kPage);
  EXPECT_EQ(Selector::compile(".x")->find_first(document).element->find("id")->value(), "l2");
  EXPECT_EQ(Selector::compile(".absent")->find_first(document).element, nullptr);
}

TEST(Selector, ErrorsSayWhatIsWrongAndWhere) {
  const auto text_of = [](std::string_view selector) {
    const auto compiled = Selector::compile(selector);
    return compiled ? "none" : compiled.error().to_string();
  };
  for (const auto& [selector, part] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"p::before", "byte 3: the name of a pseudo-class must follow ':'"},
           {"\xC3\xA4#1", "byte 4: an id must follow '#'"},
           {"p:unknown", "byte 10: this pseudo-class is not known"},
           {"p:unknown(1)", "byte 11: this function is not known"},
           {"p > ", "byte 5: a name or a condition is missing"},
           {"p)", "byte 2: nothing can follow here"},
           {"[a=]", "byte 4: a value must follow '='"},
           {":has(:has(a))", "byte 11: :has() cannot contain :has()"},
           {":is(!), p)", "byte 10: nothing can follow here"},
       }) {
    EXPECT_TRUE(text_of(selector).contains(part)) << selector << ": " << text_of(selector);
  }
}

TEST(Selector, MatchesNothingAfterAMove) {
  const Document document = parse(kPage);
  auto selector = Selector::compile("p");
  const Selector taken = std::move(*selector);
  EXPECT_EQ(taken.find_all(document).elements.size(), 4u);
  // NOLINTNEXTLINE(bugprone-use-after-move): that is the subject.
  EXPECT_TRUE(selector->find_all(document).elements.empty());
  EXPECT_EQ(selector->find_first(document).element, nullptr);
}

TEST(Selector, TooLongOrTooDeepIsOverALimit) {
  const auto code_of = [](const std::string& text) {
    const auto compiled = Selector::compile(text);
    return compiled ? base::Errc::malformed : compiled.error().code();
  };
  EXPECT_EQ(code_of(std::string(kSelectorBytesMax + 1, 'a')), base::Errc::over_limit);
  std::string nested;
  for (int i = 0; i < 1000; ++i) nested += ":not(";
  EXPECT_EQ(code_of(nested), base::Errc::over_limit);
  std::string wide = "a";
  for (int i = 0; i < 1000; ++i) wide += " a";
  EXPECT_EQ(code_of(wide), base::Errc::over_limit);
  std::string conditions;
  for (std::size_t i = 0; i < kSimplesMax; ++i) conditions += ".a";
  EXPECT_TRUE(Selector::compile(conditions));
  EXPECT_EQ(code_of(conditions + ".a"), base::Errc::over_limit);
  EXPECT_EQ(code_of(conditions + ":lang(de)"), base::Errc::over_limit);
}

TEST(Selector, ManyDescendantsOfOneNameTakeLinearTime) {
  std::string page;
  for (int i = 0; i < 500; ++i) page += "<div>";
  std::string selector = "b";
  for (int i = 0; i < 100; ++i) selector += " div";
  const Document document = parse(page);
  const auto compiled = Selector::compile(selector);
  const auto found = compiled->find_all(document, document.root(), 1'000'000);
  EXPECT_TRUE(found.is_complete);
  EXPECT_TRUE(found.elements.empty());
}

TEST(Selector, PositionsAmongManySiblingsTakeLinearTime) {
  constexpr std::size_t kItems = 50'000;
  std::string page = "<ul>";
  for (std::size_t i = 0; i < kItems; ++i) page += "<li><b>x</b>";
  const Document document = parse(page);
  for (const std::string_view selector :
       {"li:nth-child(2n)", "li:nth-last-child(2n)", "li:nth-of-type(2n)",
        "li:nth-last-of-type(2n)", "li:nth-child(2n of li)"}) {
    const auto found =
        Selector::compile(selector)->find_all(document, document.root(), 40 * kItems);
    EXPECT_TRUE(found.is_complete) << selector;
    EXPECT_EQ(found.elements.size(), kItems / 2) << selector;
  }
}

TEST(Selector, SearchEndsAtItsLimit) {
  std::string page;
  for (int i = 0; i < 10'000; ++i) page += "<i></i>";
  const Document document = parse(page);
  const auto found = Selector::compile("b ~ i")->find_all(document, document.root(), 100'000);
  EXPECT_FALSE(found.is_complete);
}

}  // namespace
}  // namespace gossamer::dom
