#include "report/page_templates.h"

#include <algorithm>

#include "report/top_list.h"

namespace gossamer::report {
namespace {

bool has_digit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos;
}

// "*.html" for "kettle.html". An extension has letters only: "*" for "v1.2".
std::string starred(std::string_view segment) {
  const std::size_t dot = segment.rfind('.');
  if (dot == std::string_view::npos || has_digit(segment.substr(dot))) return "*";
  return "*" + std::string(segment.substr(dot));
}

}  // namespace

std::string template_of(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t host = url.find("://");
  const std::size_t path = host == std::string_view::npos ? 0 : url.find('/', host + 3);
  if (path == std::string_view::npos) return std::string(url);
  const std::size_t last = url.find_last_not_of('/');  // in the last segment, if it is in the path
  std::string pattern(url.substr(0, path));
  for (std::size_t at = path; at < url.size();) {
    const std::size_t end = std::min(url.find('/', at + 1), url.size());
    const std::string_view segment = url.substr(at + 1, end - at - 1);
    const bool is_last = at < last && last < end;
    pattern += '/';
    pattern += is_last || has_digit(segment) ? starred(segment) : std::string(segment);
    at = end;
  }
  return pattern;
}

void PageTemplates::add(std::string_view url) {
  std::string pattern = template_of(url);
  if (pattern.size() > kTemplateBytesMax) return;
  if (pages_.size() < kTemplatesCounted || pages_.contains(pattern)) ++pages_[std::move(pattern)];
}

std::vector<TemplateRow> PageTemplates::finish() const {
  std::vector<TemplateRow> rows;
  for (const auto& [pattern, pages] : pages_) {
    if (pages > 1) rows.push_back({pattern, pages});
  }
  sort_largest_first(rows, &TemplateRow::pages, &TemplateRow::pattern);
  if (rows.size() > kTemplatesListed) rows.resize(kTemplatesListed);
  return rows;
}

}  // namespace gossamer::report
