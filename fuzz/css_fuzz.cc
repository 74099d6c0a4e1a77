// URLs in any style sheet or script: no crash, and none where the quick test says that there is
// none.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "html/links/css_urls.h"
#include "html/links/script_urls.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  html::CssUrls urls(text);
  while (urls.next()) CHECK(html::CssUrls::may_have_urls(text));
  html::ScriptUrls script_urls(text);
  while (script_urls.next()) CHECK(html::looks_like_url(script_urls.url()));
  return 0;
}
