// Links in the data of pages.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "html/links/data_urls.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto urls = html::data_urls(text);
  CHECK(urls.size() <= html::kDataUrlsMax);
  for (const std::string& url : urls) {
    CHECK(url.size() >= 2 && url.size() <= size);
    CHECK(url.front() == '/' || url.front() == 'h' || url.front() == 'H');
  }
  html::is_page_data(text);
  return 0;
}
