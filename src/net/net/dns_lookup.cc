#include "net/dns_lookup.h"

#include <algorithm>
#include <utility>

namespace gossamer::net {

namespace {

bool has_addresses(const Result<DnsAnswer>& answer) { return answer && !answer->addresses.empty(); }

// SERVFAIL and similar codes become failures; absence does not.
Result<DnsAnswer> checked(Result<DnsAnswer> answer) {
  if (!answer || !answer->addresses.empty()) return answer;
  if (answer->code == DnsCode::no_error || answer->code == DnsCode::no_such_name) return answer;
  const Errc code = answer->code == DnsCode::refused ? Errc::refused : Errc::dns_failed;
  return fail(code, "the name server answered " + describe(answer->code));
}

Addresses absent(const DnsAnswer& v6, const DnsAnswer& v4) {
  const bool is_unknown = v6.code == DnsCode::no_such_name || v4.code == DnsCode::no_such_name;
  return {
      .ttl = std::min(v6.ttl, v4.ttl),
      .absence = is_unknown ? Addresses::Absence::no_such_name : Addresses::Absence::no_address};
}

}  // namespace

Result<Addresses> combine_families(Result<DnsAnswer> v6, Result<DnsAnswer> v4) {
  v6 = checked(std::move(v6));
  v4 = checked(std::move(v4));
  if (!has_addresses(v6) && !has_addresses(v4)) {
    if (!v4) return fail(std::move(v4).error());
    if (!v6) return fail(std::move(v6).error());
    return absent(*v6, *v4);
  }
  Addresses addresses = {.ttl = Duration::max(), .complete = v6 && v4};
  const auto take = [&](Result<DnsAnswer>& answer, std::vector<async::Endpoint>& family) {
    if (!has_addresses(answer)) return;
    addresses.ttl = std::min(addresses.ttl, answer->ttl);
    family = std::move(answer->addresses);
  };
  take(v6, addresses.v6);
  take(v4, addresses.v4);
  return addresses;
}

DnsLookup::DnsLookup(async::Loop& loop, std::string host, Patience patience,
                     async::Semaphore::Permit permit)
    : loop_(loop), host_(std::move(host)), patience_(patience), permit_(std::move(permit)) {}

bool DnsLookup::add(DnsType type, Result<DnsAnswer> answer) {
  const bool is_useful = has_addresses(answer);
  slot(type) = std::move(answer);
  const bool is_last = v6_ && v4_;
  if (is_last) {
    tell();
  } else if (is_useful) {
    wait_no_longer_than(type == DnsType::a ? patience_.for_v6 : patience_.for_v4);
  }
  return is_last;
}

void DnsLookup::wait_no_longer_than(Duration patience) {
  impatience_ = loop_.call_later(patience, [this] { tell(); });
}

void DnsLookup::tell() {
  if (std::exchange(told_, true)) return;
  const auto late = [] { return Result<DnsAnswer>(fail(Errc::timed_out)); };
  auto addresses = combine_families(v6_ ? std::move(*v6_) : late(), v4_ ? std::move(*v4_) : late());
  if (addresses) {
    answer_.resolve(std::move(*addresses));
  } else {
    answer_.reject(std::move(addresses).error());
  }
}

}  // namespace gossamer::net
