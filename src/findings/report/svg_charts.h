// Charts as SVG elements for a page. They are as wide as their container: lengths are relative,
// texts keep their size. Colours are classes of the page's style (s-ok, s-bad, ...), so that they
// work in dark mode. Texts may contain anything; they are escaped here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::report {

struct ChartBar {
  std::string label;
  double value = 0;
  std::string shown;                  // the value as text
  std::string_view style = "s-main";  // a class of the page's style
};

// A ring of parts, with a text in the middle.
std::string ring_chart(const std::vector<ChartBar>& parts, std::string_view title,
                       std::string_view middle, std::string_view below);
// Horizontal bars, each with its label.
std::string bar_chart(const std::vector<ChartBar>& bars, std::string_view title);
// Vertical columns. If there are many, not all have a label.
std::string column_chart(const std::vector<ChartBar>& columns, std::string_view title);

struct AreaChart {
  std::string_view title;
  std::vector<double> values;
  std::vector<double> marked;  // part of the values, shown in the error colour
  std::string top;             // the largest value as text
  std::string begin;           // labels at the ends and in the middle of the axis
  std::string middle;
  std::string end;
};
std::string area_chart(const AreaChart& chart);

}  // namespace gossamer::report
