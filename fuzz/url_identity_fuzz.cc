// The normal form of a URL, under any rules, is a URL and its own normal form.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/hash.h"
#include "url/crawl_identity.h"
#include "url/url.h"

// The first byte chooses the rules.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const unsigned bits = data[0];
  const url::IdentityRules rules = {.drop_sessions = (bits & 1) != 0,
                                    .drop_tracking = (bits & 2) != 0,
                                    .sort_query = (bits & 4) != 0,
                                    .collapse_index = (bits & 8) != 0,
                                    .strip_www = (bits & 16) != 0};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  url::Url page;
  if (page.assign(text) != url::UrlFailure::none) return 0;
  url::CrawlIdentity identity(rules);
  const std::string normal(identity.normal_form(page));
  CHECK_EQ(identity.fingerprint(page), base::hash64(normal));

  url::Url again;
  CHECK(again.assign(normal) == url::UrlFailure::none);
  // What one guess removes can reveal something that another one would remove.
  const bool guesses = bits % 32 != 0;
  if (!guesses) CHECK_EQ(identity.normal_form(again), normal);
  CHECK(!again.fragment());
  CHECK(!again.query() || !again.query()->empty());
  return 0;
}
