#include "bench/support/report.h"

#include <fmt/format.h>

namespace gossamer::bench {

namespace {

// Four digits are more than any of these measurements can promise.
std::string number(double value) {
  if (value >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, value >= 100 ? 1 : 2);
}

std::string number_or(const std::optional<double>& value, std::string_view otherwise) {
  return value ? number(*value) : std::string(otherwise);
}

// Names and units are ours: they hold no control characters.
std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

std::optional<double> Figure::ratio() const {
  if (!floor || *floor <= 0) return std::nullopt;
  return value / *floor;
}

std::optional<bool> Figure::ok() const {
  if (!target) return std::nullopt;
  return value <= *target;
}

void Report::heading(std::string_view text) {
  if (form_ == Form::json) return;
  fmt::print(out_, "\n{}\n{:<58} {:>9} {:<6} {:>9} {:>6} {:>9}\n", text, "", "value", "unit",
             "floor", "ratio", "target");
  std::fflush(out_);
}

void Report::add(Figure figure) {
  if (!judges_) figure.target.reset();
  form_ == Form::json ? add_line(figure) : add_row(figure);
  std::fflush(out_);
}

void Report::add_row(const Figure& figure) {
  const auto ok = figure.ok();
  fmt::print(out_, "{:<58} {:>9} {:<6} {:>9} {:>6} {:>9} {}\n", figure.name, number(figure.value),
             figure.unit, number_or(figure.floor, ""), number_or(figure.ratio(), ""),
             number_or(figure.target, ""),
             !ok   ? ""
             : *ok ? "ok"
                   : "MISSED");
}

void Report::add_line(const Figure& figure) {
  const auto ok = figure.ok();
  fmt::print(out_,
             "{{\"name\": {}, \"value\": {}, \"unit\": {}, \"floor\": {}, \"ratio\": {}, "
             "\"target\": {}, \"ok\": {}}}\n",
             json_string(figure.name), number(figure.value), json_string(figure.unit),
             number_or(figure.floor, "null"), number_or(figure.ratio(), "null"),
             number_or(figure.target, "null"),
             !ok   ? "null"
             : *ok ? "true"
                   : "false");
}

}  // namespace gossamer::bench
