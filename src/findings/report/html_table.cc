#include "report/html_table.h"

#include <fmt/format.h>

#include <utility>

#include "report/html_text.h"

namespace gossamer::report {

HtmlTable::HtmlTable(std::vector<HtmlColumn> columns)
    : out_("<div class=\"scroll\"><table><thead><tr>") {
  for (const HtmlColumn& column : columns) {
    out_ += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>",
                        column.is_number ? " class=\"number\"" : "", escape_html(column.title));
  }
  out_ += "</tr></thead><tbody>";
}

void HtmlTable::begin_row() { out_ += rows_++ == 0 ? "\n<tr>" : "</tr>\n<tr>"; }

void HtmlTable::text(std::string_view text) { html(escape_html(text)); }

void HtmlTable::html(std::string_view html, std::string_view style) {
  out_ += style.empty() ? "<td>" : fmt::format("<td class=\"{}\">", style);
  out_.append(html).append("</td>");
}

void HtmlTable::number(double value, std::string_view shown) {
  out_ += fmt::format("<td class=\"number\" data-value=\"{}\">{}</td>", value, escape_html(shown));
}

std::string HtmlTable::finish() && {
  if (rows_ > 0) out_ += "</tr>";
  return std::move(out_) + "\n</tbody></table></div>";
}

}  // namespace gossamer::report
