#include "report/svg_charts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/count_of.h>

#include <string>

namespace gossamer::report {
namespace {

using support::count_of;
using testing::HasSubstr;
using testing::Not;

TEST(SvgChartsTest, DrawABarForEachValue) {
  const std::string svg = bar_chart({{.label = "text/html", .value = 10, .shown = "10"},
                                     {.label = "x", .value = 5, .shown = "5"}},
                                    "Types");
  EXPECT_THAT(svg, HasSubstr("width=\"100.00%\""));
  EXPECT_THAT(svg, HasSubstr("width=\"50.00%\""));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"Types\""));
  EXPECT_THAT(svg, HasSubstr(">text/html</text>"));
}

TEST(SvgChartsTest, EscapeLabels) {
  const ChartBar evil = {.label = "</text><script>alert(1)</script>", .value = 1, .shown = "<b>"};
  for (const std::string& svg : {bar_chart({evil}, "\"><script>"), column_chart({evil}, "<x>"),
                                 ring_chart({evil}, "<x>", "<y>", "<z>")}) {
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
    EXPECT_THAT(svg, Not(HasSubstr("<b>")));
  }
}

TEST(SvgChartsTest, ShortenLongLabelsBetweenLetters) {
  std::string label;
  for (int i = 0; i < 100; ++i) label += "\xC3\xA9";
  const std::string svg = bar_chart({{.label = label, .value = 1, .shown = "1"}}, "t");
  EXPECT_THAT(svg, HasSubstr("\xC3\xA9...</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>" + label)) << "the whole of it is in the tooltip";
}

TEST(SvgChartsTest, LabelOnlySomeOfManyColumns) {
  std::vector<ChartBar> columns;
  for (int i = 0; i < 100; ++i) {
    columns.push_back({.label = std::to_string(i), .value = 1.0 * i, .shown = "v"});
  }
  const std::string svg = column_chart(columns, "Depth");
  EXPECT_EQ(count_of(svg, "<rect"), 100u);
  EXPECT_LE(count_of(svg, "<text"), 12u);
  EXPECT_EQ(count_of(column_chart({columns.begin(), columns.begin() + 5}, "Depth"), "<text"), 9u)
      << "few have their values besides, except the one that is 0";
}

TEST(SvgChartsTest, SurviveNothingAndZeros) {
  EXPECT_THAT(bar_chart({}, "t"), HasSubstr("</svg>"));
  EXPECT_THAT(column_chart({}, "t"), HasSubstr("</svg>"));
  EXPECT_THAT(ring_chart({}, "t", "0", ""), HasSubstr("</svg>"));
  EXPECT_THAT(area_chart({.title = "t"}), HasSubstr("</svg>"));
  const ChartBar zero = {.label = "z", .value = 0, .shown = "0"};
  for (const std::string& svg :
       {bar_chart({zero}, "t"), column_chart({zero}, "t"), ring_chart({zero}, "t", "0", ""),
        area_chart({.title = "t", .values = {0, 0}, .marked = {0, 0}})}) {
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
  }
}

TEST(SvgChartsTest, DrawStepsOverTime) {
  const std::string svg = area_chart({.title = "Rate",
                                      .values = {1, 4},
                                      .marked = {0, 2},
                                      .top = "4/s",
                                      .begin = "0 s",
                                      .middle = "1 s",
                                      .end = "2 s"});
  EXPECT_THAT(svg, HasSubstr("points=\"0,100 0,75.00 1,75.00 1,0.00 2,0.00 2,100\""));
  EXPECT_THAT(svg, HasSubstr("points=\"0,100 0,100.00 1,100.00 1,50.00 2,50.00 2,100\""));
}

}  // namespace
}  // namespace gossamer::report
