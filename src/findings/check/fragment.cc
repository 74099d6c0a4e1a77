#include "check/fragment.h"

#include "base/ascii.h"
#include "check/quoted_text.h"

namespace gossamer::check {

std::string named_place(const url::Url& url) {
  std::string_view fragment = url.fragment().value_or(std::string_view());
  // https://wicg.github.io/scroll-to-text-fragment/
  fragment = fragment.substr(0, fragment.find(":~:"));
  if (fragment.empty() || fragment.starts_with('/') || fragment.starts_with('!')) return {};
  if (base::equals_ignoring_case(fragment, "top")) return {};
  return std::string(fragment);
}

bool names_content(const url::Url& url) {
  return !named_place(url).empty() || !quotations(url).empty();
}

}  // namespace gossamer::check
