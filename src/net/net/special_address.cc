#include "net/special_address.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gossamer::net {

namespace {

using async::Endpoint;

// The first bytes of a range, of which `bits` count.
struct Range {
  std::array<std::uint8_t, 16> bytes;
  int bits;
  AddressKind kind;
};

bool begins_with(const std::array<std::uint8_t, 16>& address, const Range& range) noexcept {
  const auto whole = static_cast<std::size_t>(range.bits / 8);
  if (!std::equal(range.bytes.begin(), range.bytes.begin() + whole, address.begin())) return false;
  const int rest = range.bits % 8;
  return rest == 0 || ((range.bytes[whole] ^ address[whole]) >> (8 - rest)) == 0;
}

// Narrow ranges precede the wide ones that contain them.
constexpr Range kV4[] = {
    {{0, 0, 0, 0}, 32, AddressKind::unspecified},
    {{0}, 8, AddressKind::this_network},
    {{10}, 8, AddressKind::private_use},
    {{100, 100, 100, 200}, 32, AddressKind::metadata},  // Alibaba Cloud
    {{100, 64}, 10, AddressKind::shared},
    {{127}, 8, AddressKind::loopback},
    {{168, 63, 129, 16}, 32, AddressKind::metadata},    // Azure
    {{169, 254, 169, 254}, 32, AddressKind::metadata},  // most clouds
    {{169, 254}, 16, AddressKind::link_local},
    {{172, 16}, 12, AddressKind::private_use},
    {{192, 0, 0, 192}, 32, AddressKind::metadata},  // Oracle Cloud
    {{192, 0, 0}, 24, AddressKind::protocol_service},
    {{192, 0, 2}, 24, AddressKind::documentation},
    {{192, 31, 196}, 24, AddressKind::protocol_service},  // AS112
    {{192, 52, 193}, 24, AddressKind::protocol_service},  // AMT
    {{192, 88, 99}, 24, AddressKind::relay_6to4},
    {{192, 168}, 16, AddressKind::private_use},
    {{192, 175, 48}, 24, AddressKind::protocol_service},  // AS112
    {{198, 18}, 15, AddressKind::benchmarking},
    {{198, 51, 100}, 24, AddressKind::documentation},
    {{203, 0, 113}, 24, AddressKind::documentation},
    {{224}, 4, AddressKind::multicast},
    {{255, 255, 255, 255}, 32, AddressKind::broadcast},
    {{240}, 4, AddressKind::reserved},
};

constexpr Range kV6[] = {
    {{}, 128, AddressKind::unspecified},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, AddressKind::loopback},
    {{}, 96, AddressKind::v4_compatible},
    {{0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48, AddressKind::local_translation},
    {{0x01, 0x00}, 64, AddressKind::discard},
    {{0x01, 0x00, 0, 0, 0, 0, 0, 1}, 64, AddressKind::discard},
    {{0x20, 0x01, 0x00, 0x00}, 32, AddressKind::teredo},
    {{0x20, 0x01, 0x00, 0x02, 0x00, 0x00}, 48, AddressKind::benchmarking},
    {{0x20, 0x01, 0x00, 0x10}, 28, AddressKind::orchid},
    {{0x20, 0x01, 0x00, 0x20}, 28, AddressKind::orchid},
    {{0x20, 0x01, 0x00, 0x30}, 28, AddressKind::orchid},
    {{0x20, 0x01, 0x00}, 23, AddressKind::protocol_service},
    {{0x20, 0x01, 0x0d, 0xb8}, 32, AddressKind::documentation},
    {{0x26, 0x20, 0x00, 0x4f, 0x80, 0x00}, 48, AddressKind::protocol_service},  // AS112
    {{0x3f, 0xff}, 20, AddressKind::documentation},
    {{0x20}, 3, AddressKind::public_unicast},
    {{0x5f, 0x00}, 16, AddressKind::segment_routing},
    {{0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54},
     128,
     AddressKind::metadata},
    {{0xfd, 0x20, 0x00, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54},
     128,
     AddressKind::metadata},
    {{0xfc}, 7, AddressKind::unique_local},
    {{0xfe, 0x80}, 10, AddressKind::link_local},
    {{0xfe, 0xc0}, 10, AddressKind::site_local},
    {{0xff}, 8, AddressKind::multicast},
};

// Where an IPv6 address contains an IPv4 address.
struct Wrapping {
  Range range;
  std::size_t offset;
};

constexpr Wrapping kWrappings[] = {
    {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96, {}}, 12},  // mapped
    {{{0x00, 0x64, 0xff, 0x9b}, 96, {}}, 12},                    // NAT64
    {{{0x20, 0x02}, 16, {}}, 2},                                 // 6to4
    {{{}, 96, AddressKind::v4_compatible}, 12},
};

const Wrapping* wrapping_of(const Endpoint& address) noexcept {
  if (address.family != Endpoint::Family::v6) return nullptr;
  const auto* const found = std::ranges::find_if(kWrappings, [&](const Wrapping& wrapping) {
    return begins_with(address.address, wrapping.range);
  });
  return found == std::end(kWrappings) ? nullptr : found;
}

Endpoint unwrap(const Endpoint& address, std::size_t offset) noexcept {
  Endpoint inner = {.family = Endpoint::Family::v4, .port = address.port};
  std::copy_n(address.address.begin() + offset, 4, inner.address.begin());
  return inner;
}

AddressKind kind_of_v4(const Endpoint& address) noexcept {
  for (const Range& range : kV4) {
    if (begins_with(address.address, range)) return range.kind;
  }
  return AddressKind::public_unicast;
}

AddressKind kind_of_v6(const Endpoint& address) noexcept {
  for (const Range& range : kV6) {
    if (begins_with(address.address, range)) return range.kind;
  }
  return AddressKind::reserved;
}

}  // namespace

std::string_view name(AddressKind kind) noexcept {
  switch (kind) {
    case AddressKind::public_unicast: return "public";
    case AddressKind::unspecified: return "unspecified";
    case AddressKind::this_network: return "this network";
    case AddressKind::private_use: return "private use";
    case AddressKind::shared: return "shared (CGNAT)";
    case AddressKind::loopback: return "loopback";
    case AddressKind::link_local: return "link-local";
    case AddressKind::metadata: return "cloud metadata";
    case AddressKind::unique_local: return "unique local";
    case AddressKind::site_local: return "site-local";
    case AddressKind::protocol_service: return "protocol assignment";
    case AddressKind::documentation: return "documentation";
    case AddressKind::benchmarking: return "benchmarking";
    case AddressKind::relay_6to4: return "6to4 relay";
    case AddressKind::teredo: return "Teredo";
    case AddressKind::orchid: return "ORCHID";
    case AddressKind::local_translation: return "local NAT64";
    case AddressKind::discard: return "discard";
    case AddressKind::segment_routing: return "segment routing";
    case AddressKind::v4_compatible: return "IPv4-compatible";
    case AddressKind::multicast: return "multicast";
    case AddressKind::broadcast: return "broadcast";
    case AddressKind::reserved: return "reserved";
  }
  return "reserved";
}

std::optional<Endpoint> embedded_v4(const Endpoint& address) noexcept {
  const Wrapping* const wrapping = wrapping_of(address);
  if (wrapping == nullptr) return std::nullopt;
  // :: and ::1 look like IPv4-compatible addresses but are not.
  if (wrapping->range.kind == AddressKind::v4_compatible &&
      kind_of_v6(address) != AddressKind::v4_compatible) {
    return std::nullopt;
  }
  return unwrap(address, wrapping->offset);
}

AddressKind kind_of(const Endpoint& address) noexcept {
  if (address.family == Endpoint::Family::v4) return kind_of_v4(address);
  const auto inner = embedded_v4(address);
  if (!inner) return kind_of_v6(address);
  const AddressKind kind = kind_of_v4(*inner);
  // No host of the internet has an IPv4-compatible address, whatever it contains.
  const bool is_compatible = kind_of_v6(address) == AddressKind::v4_compatible;
  return is_compatible && kind == AddressKind::public_unicast ? AddressKind::v4_compatible : kind;
}

bool is_local(AddressKind kind) noexcept {
  switch (kind) {
    case AddressKind::private_use:
    case AddressKind::shared:
    case AddressKind::loopback:
    case AddressKind::link_local:
    case AddressKind::metadata:
    case AddressKind::unique_local:
    case AddressKind::site_local:
    case AddressKind::documentation:
    case AddressKind::benchmarking:
    case AddressKind::local_translation: return true;
    default: return false;
  }
}

bool is_sensitive(AddressKind kind) noexcept {
  return kind == AddressKind::link_local || kind == AddressKind::metadata;
}

}  // namespace gossamer::net
