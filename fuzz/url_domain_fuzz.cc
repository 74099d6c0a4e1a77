// Domains, Punycode, addresses, percent-encoding and public suffixes on any bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "url/domain.h"
#include "url/ip_address.h"
#include "url/percent.h"
#include "url/public_suffix.h"
#include "url/punycode.h"

namespace gossamer {
namespace {

void check_domain(std::string_view text) {
  std::string ascii;
  if (!url::domain_to_ascii(text, ascii)) {
    CHECK(ascii.empty());
    return;
  }
  CHECK(url::all_ascii(ascii));
  std::string again;
  CHECK(url::domain_to_ascii(ascii, again));
  CHECK_EQ(again, ascii);
}

void check_punycode(std::string_view text) {
  const auto decoded = url::punycode_decode(text);
  CHECK(!decoded || decoded->size() <= url::kPunycodeCodePointsMax);
}

void check_addresses(std::string_view text) {
  url::ends_in_a_number(text);
  char memory[url::kIpv6TextBytesMax];
  if (const auto pieces = url::parse_ipv6(text)) {
    url::Writer out(memory, sizeof memory);
    url::write_ipv6(*pieces, out);
    CHECK(url::parse_ipv6(out.from(0)) == pieces);
  }
  if (const auto address = url::parse_ipv4(text)) {
    url::Writer out(memory, sizeof memory);
    url::write_ipv4(*address, out);
    CHECK(url::parse_ipv4(out.from(0)) == address);
  }
}

void check_percent(std::string_view text) {
  std::string encoded;
  url::percent_encode(text, url::kComponentSet, encoded);
  std::string decoded;
  url::percent_decode(encoded, decoded);
  if (url::all_ascii(text)) CHECK_EQ(decoded, text);
}

void check_public_suffix(std::string_view text) {
  const auto& list = url::PublicSuffixList::built_in();
  const std::string_view domain = list.registrable_domain(text);
  CHECK(text.ends_with(domain));
  CHECK(domain.empty() || domain.ends_with(list.public_suffix(text)));
}

}  // namespace
}  // namespace gossamer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string exact(reinterpret_cast<const char*>(data), size);
  gossamer::check_domain(exact);
  gossamer::check_punycode(exact);
  gossamer::check_addresses(exact);
  gossamer::check_percent(exact);
  gossamer::check_public_suffix(exact);
  return 0;
}
