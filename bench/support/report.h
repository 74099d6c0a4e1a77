#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer::bench {

// One measured number beside what it is held against. All numbers are in `unit`; less is better.
struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> floor = {};   // the least this can cost, measured in the same run
  std::optional<double> target = {};  // the most it may cost

  std::optional<double> ratio() const;  // value / floor
  std::optional<bool> ok() const;       // value <= target
};

// Prints figures as they come: a table for people, or for machines one JSON object per line:
//   {"name": ..., "value": ..., "unit": ..., "floor": ..., "ratio": ..., "target": ..., "ok": ...}
// where the last four may be null.
class Report {
 public:
  enum class Form : bool { table, json };

  // A report that does not judge leaves the targets out: a quick look misses them for its haste.
  explicit Report(Form form, bool judges = true, std::FILE* out = stdout)
      : form_(form), judges_(judges), out_(out) {}

  // What the following figures are about. For people only.
  void heading(std::string_view text);
  void add(Figure figure);

 private:
  void add_row(const Figure& figure);
  void add_line(const Figure& figure);

  Form form_;
  bool judges_;
  std::FILE* out_;
};

}  // namespace gossamer::bench
