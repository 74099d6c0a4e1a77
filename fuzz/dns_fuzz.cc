// Any bytes as the answer of a name server: no crash, and only records for the question. The first
// byte selects the family of the query for "a.example".
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "net/dns_answer.h"
#include "net/dns_lookup.h"
#include "net/resolver.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gossamer;
  if (size == 0) return 0;
  const bool is_v6 = (data[0] & 1) != 0;
  const Bytes message(reinterpret_cast<const std::byte*>(data + 1), size - 1);
  auto answer =
      net::read_dns_answer(message, "a.example", is_v6 ? net::DnsType::aaaa : net::DnsType::a);
  if (!answer) {
    CHECK(answer.error() == Errc::malformed || answer.error() == Errc::dns_failed);
    return 0;
  }
  CHECK(answer->addresses.size() <= net::kAddressesMax);
  CHECK(answer->ttl >= Duration::zero());
  for (const async::Endpoint& address : answer->addresses) {
    CHECK((address.family == async::Endpoint::Family::v6) == is_v6);
  }
  const bool is_found = !answer->addresses.empty();
  const auto both = net::combine_families(std::move(answer), fail(Errc::timed_out));
  CHECK(both.has_value() == is_found);
  return 0;
}
