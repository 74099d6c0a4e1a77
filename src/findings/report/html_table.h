#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::report {

struct HtmlColumn {
  std::string_view title;
  bool is_number = false;  // right-aligned, and sorted with the largest first
};

// A table that can be sorted by every column. Texts are escaped here.
class HtmlTable {
 public:
  explicit HtmlTable(std::vector<HtmlColumn> columns);

  void begin_row();
  // The cells of a row, in the order of the columns.
  void text(std::string_view text);
  // Already HTML; sorted by its visible text.
  void html(std::string_view html, std::string_view style = {});
  // Sorted by the value.
  void number(double value, std::string_view shown);

  std::size_t rows() const { return rows_; }
  // Ends the table.
  std::string finish() &&;

 private:
  std::string out_;
  std::size_t rows_ = 0;
};

}  // namespace gossamer::report
