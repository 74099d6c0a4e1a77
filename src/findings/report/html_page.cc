#include "report/html_page.h"

#include "base/check.h"

namespace gossamer::report {
namespace {

std::string_view page_file(std::string_view name) {
  const base::EmbeddedFile* const file = base::find_file(page_files(), name);
  CHECK(file != nullptr);
  return file->bytes;
}

}  // namespace

std::string_view page_style() { return page_file("report.css"); }
std::string_view page_script() { return page_file("report.js"); }

}  // namespace gossamer::report
