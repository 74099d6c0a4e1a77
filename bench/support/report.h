#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace gossamer::bench {

// One measured number and what it is compared with. All numbers are in `unit`; less is better.
struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> floor = {};   // the least this can cost, measured in the same run
  std::optional<double> target = {};  // the most it may cost

  std::optional<double> ratio() const;  // value / floor
  std::optional<bool> ok() const;       // value <= target
};

// Prints figures immediately: a table for people, or one JSON object per line:
//   {"name": ..., "value": ..., "unit": ..., "floor": ..., "ratio": ..., "target": ..., "ok": ...}
// where the last four may be null.
class Report {
 public:
  enum class Form : bool { table, json };

  // Omits the targets in quick runs, which would miss them.
  explicit Report(Form form, bool judges = true, std::FILE* out = stdout)
      : form_(form), judges_(judges), out_(out) {}

  // A heading for the following figures. For people only.
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
