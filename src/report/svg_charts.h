// Charts as SVG elements that stand in a page. They are as wide as their place: lengths are parts
// of it, texts keep their size. Colours are classes of the page's style (s-ok, s-bad, ...), so that
// they follow it into the dark. Texts may be anything; they are escaped here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::report {

struct ChartBar {
  std::string label;
  double value = 0;
  std::string shown;                  // the value for people
  std::string_view style = "s-main";  // a class of the page's style
};

// A ring, parts of a whole, with a text in the middle.
std::string ring_chart(const std::vector<ChartBar>& parts, std::string_view title,
                       std::string_view middle, std::string_view below);
// One bar below the other, each with its label.
std::string bar_chart(const std::vector<ChartBar>& bars, std::string_view title);
// One column beside the other. Where they are many, not all have a label.
std::string column_chart(const std::vector<ChartBar>& columns, std::string_view title);

struct AreaChart {
  std::string_view title;
  std::vector<double> values;
  std::vector<double> marked;  // part of the values, in the colour of trouble
  std::string top;             // the largest value for people
  std::string begin;           // at the ends of the axis, and in its middle
  std::string middle;
  std::string end;
};
std::string area_chart(const AreaChart& chart);

}  // namespace gossamer::report
