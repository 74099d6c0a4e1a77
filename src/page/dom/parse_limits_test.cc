// Pages that were made to hurt take linear time and bounded memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "dom/parse.h"

namespace gossamer::dom {
namespace {

// Returns the number of levels below the root.
std::size_t depth_of(const Document& document) {
  const Node& root = document.root();
  std::size_t depth = 0;
  std::size_t deepest = 0;
  const Node* node = &root;
  while (true) {
    if (node->first_child() != nullptr) {
      node = node->first_child();
      deepest = std::max(deepest, ++depth);
      continue;
    }
    for (; node != &root && node->next() == nullptr; --depth) node = node->parent();
    if (node == &root) return deepest;
    node = node->next();
  }
}

struct Shape {
  std::string_view name;
  std::string_view before;
  std::string_view unit;  // '#' is replaced by a number
  std::string_view between = {};
  std::string_view second_unit = {};  // follows the first ones, as often

  friend void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }
};

void append_units(std::string& page, std::string_view unit, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    for (const char c : unit) {
      if (c == '#') {
        page += std::to_string(i);
      } else {
        page += c;
      }
    }
  }
}

std::string page_of(const Shape& shape, std::size_t units) {
  std::string page(shape.before);
  append_units(page, shape.unit, units);
  page += shape.between;
  append_units(page, shape.second_unit, units);
  return page;
}

// One tag can search the stack a few times, and reopen every formatting element.
constexpr std::size_t kStepsPerTagMax = 3 * 512 + 128;

void expect_linear(const Shape& shape, std::size_t units) {
  const std::string page = page_of(shape, units);
  const ParseOptions options;
  const Document document = parse(page, options);
  const auto tags = static_cast<std::size_t>(std::ranges::count(page, '<'));
  EXPECT_LE(document.steps(), kStepsPerTagMax * tags);
  EXPECT_LE(document.node_count(), options.nodes_max + 1000);
  EXPECT_LE(document.bytes_used(), options.bytes_max + page.size() * 3);
  EXPECT_LE(depth_of(document), kLevelsMax);
}

class HostilePage : public testing::TestWithParam<Shape> {};

// With so many elements, quadratic time would need far more steps per tag.
TEST_P(HostilePage, TakesLinearTimeAndBoundedMemory) { expect_linear(GetParam(), 20'000); }

constexpr Shape kShapes[] = {
    {"Siblings", "", "<p>x"},
    {"Nested", "", "<div>"},
    {"NestedInline", "", "<span>"},
    {"NestedAndClosed", "", "<div>", "", "</div>"},
    {"NestedLists", "", "<ul><li>"},
    {"NestedTables", "", "<table><tr><td>"},
    {"NestedTemplates", "", "<template>"},
    {"NestedSvg", "<svg>", "<g>", "", "</g>"},
    {"NestedForeignHtml", "", "<svg><foreignObject>"},
    {"NestedObjects", "", "<object>"},
    {"NestedFramesets", "", "<frameset>"},
    {"ItemsFarBelowAList", "<li><object>", "<span>", "", "<li></li>"},
    {"ParagraphsFarBelowAParagraph", "<p><object>", "<span>", "", "</p>"},
    {"TablesFarBelow", "", "<span>", "", "<table></table>"},
    {"EndTagsOfNothing", "", "<span>", "", "</b></i></x>"},
    {"EndTagsInSvg", "<svg>", "<g>", "", "</x>"},
    {"FormattingWithoutEnd", "", "<b id=#>"},
    {"FormattingInParagraphs", "", "<p><b id=#>x"},
    {"EqualFormattingInParagraphs", "", "<p><b>x"},
    {"FormattingClosedInTheWrongOrder", "", "<b id=#><div>", "x", "</b>"},
    {"FormattingThenBlocks", "", "<b id=#>", "<div>", "<div></b>"},
    {"LinksInBlocks", "", "<a><div>"},
    {"LinksInTables", "<table>", "<a><tr>"},
    {"NoBreaks", "", "<nobr><p>"},
    {"TextInATable", "<table>", "x<tr>"},
    {"TextAndFormattingInATable", "<table>", "<b id=#>x<tr>"},
    {"RepeatedBody", "<body>", "<body a#=1>"},
    {"RepeatedHtml", "", "<html a#=1>"},
    {"DifferentNames", "", "<x#>"},
    {"Selects", "", "<select><option>x<optgroup>"},
    {"Forms", "", "<form><div></form>"},
    {"FormsAndLinksThatLeaveTheStack", "", "<form><a><div><svg><desc><a></a></desc></svg></form>"},
    {"LinksThatLeaveTheStack", "", "<a><div><svg><desc><a></a></desc></svg>"},
    {"FormattingThatLeavesTheStack", "", "<form><b id=#><i id=#><div></b></form></i>"},
    {"FormattingAndTablesThatLeaveTheStack", "", "<form><b id=#><table><b><div></b></form>"},
    {"Headings", "", "<h1><div>", "", "</h2>"},
    {"Comments", "", "<!---->"},
    {"Rubies", "<ruby>", "<rtc><rt>"},
};

INSTANTIATE_TEST_SUITE_P(Shapes, HostilePage, testing::ValuesIn(kShapes),
                         [](const auto& shape) { return std::string(shape.param.name); });

constexpr std::size_t kMillion = 1'000'000;

TEST(ParseLimits, AMillionElementsTakeLinearTime) {
  expect_linear({"Siblings", "", "<p>"}, kMillion);
  expect_linear({"Nested", "", "<div>"}, kMillion);
}

TEST(ParseLimits, AMillionAttributesAreBounded) {
  std::string page = "<p ";
  append_units(page, "a#=1 ", kMillion);
  page += ">text";
  const Document document = parse(page);
  const Node* node = document.root().first_child()->last_child()->first_child();
  EXPECT_TRUE(node->is(TagId::p));
  EXPECT_LE(node->attributes().size(), 128u);
  EXPECT_EQ(node->first_child()->text(), "text");
}

TEST(ParseLimits, TreeEndsWhereNodesDo) {
  const Document whole = parse("<p>a<p>b<p>c", {.nodes_max = 100});
  EXPECT_FALSE(whole.is_truncated());
  const Document cut = parse("<p>a<p>b<p>c", {.nodes_max = 8});
  EXPECT_TRUE(cut.is_truncated());
  EXPECT_LT(cut.node_count(), whole.node_count());
  EXPECT_NE(cut.root().first_child(), nullptr);
}

TEST(ParseLimits, TreeEndsWhereMemoryDoes) {
  std::string page;
  append_units(page, "<p title='&amp;#'>x&amp;y", 10'000);
  const Document document = parse(page, {.bytes_max = 100'000});
  EXPECT_TRUE(document.is_truncated());
  EXPECT_LE(document.bytes_used(), 101'000u);
}

// Every NUL becomes three bytes, which are not in the page.
TEST(ParseLimits, OneLongTextEndsWhereMemoryDoes) {
  constexpr std::size_t kBytesMax = 8'000'000;
  const std::string page = "<svg>" + std::string(20'000'000, '\0');
  const Document document = parse(page, {.bytes_max = kBytesMax});
  EXPECT_TRUE(document.is_truncated());
  EXPECT_LE(document.bytes_used(), 2 * kBytesMax);
}

TEST(ParseLimits, TextInATableEndsWhereMemoryDoes) {
  const std::string page = "<table>" + std::string(5'000'000, 'x') + "<tr>";
  const Document document = parse(page, {.bytes_max = 1'000'000});
  EXPECT_TRUE(document.is_truncated());
  EXPECT_LE(document.bytes_used(), 2'500'000u);
}

TEST(ParseLimits, TheLastTokenMayExceedALimit) {
  const std::string page = "<svg>" + std::string(50'000, '\0');
  EXPECT_TRUE(parse(page, {.bytes_max = 100'000}).is_truncated());
  EXPECT_FALSE(parse(page, {.bytes_max = 1'000'000}).is_truncated());
}

TEST(ParseLimits, ALongTextIsWholeAcrossPieces) {
  std::string page = "<p>";
  append_units(page, "\xC3\xA4#", 100'000);
  const Document document = parse(page);
  const Node* const text =
      document.root().first_child()->last_child()->first_child()->first_child();
  EXPECT_EQ(text->text(), std::string_view(page).substr(3));
  EXPECT_EQ(text->next(), nullptr);
}

TEST(ParseLimits, OnlyTheBeginningOfALongPageIsRead) {
  const Document document = parse("<p>abcdef", {.page_bytes_max = 6});
  EXPECT_TRUE(document.is_truncated());
  const Node* const body = document.root().first_child()->last_child();
  EXPECT_EQ(body->first_child()->first_child()->text(), "abc");
}

TEST(ParseLimits, TextStaysInElementsThatAreTooDeep) {
  std::string page;
  append_units(page, "<div>", 2 * kDepthMax);
  page += "<p>deep";
  const Document document = parse(page);
  const Node* node = &document.root();
  while (node->last_child() != nullptr) node = node->last_child();
  EXPECT_EQ(node->text(), "deep");
  EXPECT_TRUE(node->parent()->is(TagId::p));
  EXPECT_LE(depth_of(document), kDepthMax + 2);
}

// The end tags move a hundred formatting elements into the innermost of the blocks, which are all
// deeper than a tree can be.
TEST(ParseLimits, FormattingElementsThatMoveDownAreNotTooDeep) {
  std::string page;
  append_units(page, "<div>", kDepthMax);
  append_units(page, "<b id=#>", 100);
  append_units(page, "<div>", 100);
  page += "<i>text</i>";
  append_units(page, "</b>", 10'000);
  const std::size_t depth = depth_of(parse(page));
  EXPECT_GT(depth, kDepthMax + 90);
  EXPECT_LE(depth, kDepthMax + 128 + 2);
}

TEST(ParseLimits, ManySmallTextsOfOneNodeAreAddedInLinearMemory) {
  std::string page = "<table>";
  append_units(page, "&amp;<tr>", 100'000);
  const Document document = parse(page);
  const Node* const text = document.root().first_child()->last_child()->first_child();
  EXPECT_EQ(text->text(), std::string(100'000, '&'));
}

}  // namespace
}  // namespace gossamer::dom
