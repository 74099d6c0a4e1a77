#include "check/fragment.h"

#include "base/ascii.h"

namespace gossamer::check {

std::string named_place(const url::Url& url) {
  std::string_view fragment = url.fragment().value_or(std::string_view());
  // https://wicg.github.io/scroll-to-text-fragment/
  fragment = fragment.substr(0, fragment.find(":~:"));
  if (fragment.empty() || fragment.starts_with('/') || fragment.starts_with('!')) return {};
  if (base::equals_ignoring_case(fragment, "top")) return {};
  return std::string(fragment);
}

}  // namespace gossamer::check
