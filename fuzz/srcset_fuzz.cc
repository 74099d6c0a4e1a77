// Attributes with their own grammar: srcset, meta refresh, rel.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "html/links/link.h"
#include "html/links/refresh.h"
#include "html/links/srcset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const char* last_end = text.data();
  for (const html::ImageCandidate& candidate : html::parse_srcset(text)) {
    CHECK(!candidate.url.empty());
    CHECK(candidate.url.data() >= last_end, "candidates come in order and do not overlap");
    last_end = candidate.url.data() + candidate.url.size();
    CHECK(last_end <= text.data() + text.size());
  }
  const auto refresh = html::parse_refresh(text);
  if (refresh && refresh->url) CHECK(refresh->url->size() < text.size());
  html::kind_of_rel(html::parse_rel(text));
  return 0;
}
