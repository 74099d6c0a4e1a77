// Header values and .netrc files of any bytes: they are read safely, and fields written from them
// can be sent.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "wire/authentication.h"
#include "wire/http_date.h"
#include "wire/netrc.h"
#include "wire/retry_after.h"
#include "wire/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  const std::vector<char> block(data, data + size);
  const std::string_view text(block.data(), block.size());
  constexpr WallTime kNow = {.seconds = 1'700'000'000};
  const auto challenges = wire::parse_challenges(text);
  for (const wire::Challenge& challenge : challenges) {
    const auto header =
        wire::digest_authorization(challenge, {.user = "user", .password = "word"},
                                   {.method = "GET", .target = "/", .client_nonce = "nonce"});
    CHECK(!header || wire::is_field_text(*header));
  }
  wire::choose_challenge(challenges);
  if (const auto date = wire::parse_http_date(text, kNow)) {
    CHECK(wire::parse_http_date(wire::write_http_date(*date), kNow) == date);
  }
  wire::parse_retry_after(text, kNow);
  if (const auto netrc = wire::Netrc::parse(text)) (void)netrc->find("a.example");
  return 0;
}
