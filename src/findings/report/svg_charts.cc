#include "report/svg_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/utf8.h"
#include "report/html_text.h"

namespace gossamer::report {
namespace {

constexpr std::size_t kLabelLetters = 42;

// A label that would overlap its neighbour is shortened; the tooltip has all of it.
std::string shortened(std::string_view label) {
  std::size_t letters = 0;
  std::size_t at = 0;
  while (at < label.size() && letters < kLabelLetters) {
    at += std::max<std::size_t>(base::decode_utf8(label.substr(at)).length, 1);
    ++letters;
  }
  return at >= label.size() ? std::string(label) : std::string(label.substr(0, at)) + "...";
}

std::string open_svg(std::string_view kind, int height, std::string_view title) {
  return fmt::format(
      "<svg class=\"chart {}\" width=\"100%\" height=\"{}\" role=\"img\" aria-label=\"{}\">", kind,
      height, escape_html(title));
}

double largest(const std::vector<ChartBar>& bars) {
  double most = 0;
  for (const ChartBar& bar : bars) most = std::max(most, bar.value);
  return most > 0 ? most : 1;
}

std::string tooltip(const ChartBar& bar) {
  return "<title>" + escape_html(bar.label) + ": " + escape_html(bar.shown) + "</title>";
}

// Returns a polygon along the tops of the steps, closed at the bottom.
std::string steps_polygon(const std::vector<double>& values, double most) {
  std::string points = "0,100";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double height = 100 - values[i] / most * 100;
    fmt::format_to(std::back_inserter(points), " {},{:.2f} {},{:.2f}", i, height, i + 1, height);
  }
  return points + fmt::format(" {},100", values.size());
}

}  // namespace

std::string ring_chart(const std::vector<ChartBar>& parts, std::string_view title,
                       std::string_view middle, std::string_view below) {
  double whole = 0;
  for (const ChartBar& part : parts) whole += part.value;
  std::string svg = fmt::format(
      "<svg class=\"chart ring\" viewBox=\"0 0 120 120\" role=\"img\" aria-label=\"{}\">"
      "<circle class=\"track\" cx=\"60\" cy=\"60\" r=\"48\"/>",
      escape_html(title));
  // Parts of a circle with a circumference of 100; gaps separate them.
  double at = 0;
  const double gap = parts.size() > 1 ? 0.6 : 0;
  for (const ChartBar& part : parts) {
    const double share = whole > 0 ? part.value / whole * 100 : 0;
    fmt::format_to(std::back_inserter(svg),
                   "<circle class=\"arc {}\" cx=\"60\" cy=\"60\" r=\"48\" pathLength=\"100\" "
                   "stroke-dasharray=\"{:.3f} 100\" stroke-dashoffset=\"{:.3f}\" "
                   "transform=\"rotate(-90 60 60)\">{}</circle>",
                   part.style, std::max(share - gap, 0.2), -at, tooltip(part));
    at += share;
  }
  return svg + fmt::format(
                   "<text class=\"big\" x=\"60\" y=\"62\">{}</text>"
                   "<text class=\"small\" x=\"60\" y=\"78\">{}</text></svg>",
                   escape_html(middle), escape_html(below));
}

std::string bar_chart(const std::vector<ChartBar>& bars, std::string_view title) {
  constexpr int kRow = 36;
  const double most = largest(bars);
  std::string svg = open_svg("bars", static_cast<int>(bars.size()) * kRow, title);
  int y = 0;
  for (const ChartBar& bar : bars) {
    fmt::format_to(
        std::back_inserter(svg),
        "<g>{}<text x=\"0\" y=\"{}\">{}</text>"
        "<text class=\"value\" x=\"100%\" y=\"{}\">{}</text>"
        "<rect class=\"track\" x=\"0\" y=\"{}\" width=\"100%\" height=\"8\" rx=\"4\"/>"
        "<rect class=\"{}\" x=\"0\" y=\"{}\" width=\"{:.2f}%\" height=\"8\" rx=\"4\"/></g>",
        tooltip(bar), y + 13, escape_html(shortened(bar.label)), y + 13, escape_html(bar.shown),
        y + 20, bar.style, y + 20, std::max(bar.value / most * 100, 0.5));
    y += kRow;
  }
  return svg + "</svg>";
}

std::string column_chart(const std::vector<ChartBar>& columns, std::string_view title) {
  constexpr int kTop = 20;
  constexpr int kGround = 170;
  constexpr std::size_t kLabels = 12;
  const double most = largest(columns);
  const std::size_t count = std::max<std::size_t>(columns.size(), 1);
  const double width = std::min(100.0 / static_cast<double>(count), 14.0);
  const double left = (100 - width * static_cast<double>(count)) / 2;
  const std::size_t every = (count + kLabels - 1) / kLabels;
  std::string svg = open_svg("columns", 194, title);
  fmt::format_to(std::back_inserter(svg),
                 "<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"{0}\" y2=\"{0}\"/>", kGround);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ChartBar& column = columns[i];
    const double begin = left + width * static_cast<double>(i);
    double height = column.value / most * (kGround - kTop);
    if (column.value > 0) height = std::max(height, 2.0);
    fmt::format_to(std::back_inserter(svg),
                   "<g>{}<rect class=\"{}\" x=\"{:.2f}%\" y=\"{:.1f}\" width=\"{:.2f}%\" "
                   "height=\"{:.1f}\" rx=\"3\"/>",
                   tooltip(column), column.style, begin + width * 0.09, kGround - height,
                   width * 0.82, height);
    if (i % every == 0) {
      const double centre = begin + width / 2;
      fmt::format_to(std::back_inserter(svg),
                     "<text class=\"tick\" x=\"{:.2f}%\" y=\"{}\">{}</text>", centre, kGround + 18,
                     escape_html(column.label));
      if (every == 1 && column.value > 0) {
        fmt::format_to(std::back_inserter(svg),
                       "<text class=\"tick value\" x=\"{:.2f}%\" y=\"{:.1f}\">{}</text>", centre,
                       kGround - height - 6, escape_html(column.shown));
      }
    }
    svg += "</g>";
  }
  return svg + "</svg>";
}

std::string area_chart(const AreaChart& chart) {
  constexpr int kHeight = 220;
  constexpr int kBelow = kHeight + 38;
  double most = 1e-9;
  for (const double value : chart.values) most = std::max(most, value);
  std::string svg = open_svg("area", kBelow + 6, chart.title);
  for (const double part : {0.0, 0.5, 1.0}) {
    fmt::format_to(std::back_inserter(svg),
                   "<line class=\"{}\" x1=\"0\" x2=\"100%\" y1=\"{:.0f}\" y2=\"{:.0f}\"/>",
                   part == 1.0 ? "axis" : "grid", 20 + kHeight * part, 20 + kHeight * part);
  }
  fmt::format_to(std::back_inserter(svg),
                 "<svg x=\"0\" y=\"20\" width=\"100%\" height=\"{}\" viewBox=\"0 0 {} 100\" "
                 "preserveAspectRatio=\"none\"><polygon class=\"s-main area\" points=\"{}\"/>"
                 "<polygon class=\"s-bad\" points=\"{}\"/></svg>",
                 kHeight, std::max<std::size_t>(chart.values.size(), 1),
                 steps_polygon(chart.values, most), steps_polygon(chart.marked, most));
  fmt::format_to(std::back_inserter(svg),
                 "<text class=\"soft\" x=\"0\" y=\"13\">{0}</text>"
                 "<text class=\"soft\" x=\"0\" y=\"{4}\">{1}</text>"
                 "<text class=\"tick\" x=\"50%\" y=\"{4}\">{2}</text>"
                 "<text class=\"value\" x=\"100%\" y=\"{4}\">{3}</text></svg>",
                 escape_html(chart.top), escape_html(chart.begin), escape_html(chart.middle),
                 escape_html(chart.end), kBelow);
  return svg;
}

}  // namespace gossamer::report
