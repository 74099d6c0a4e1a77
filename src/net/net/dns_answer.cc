#include "net/dns_answer.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "net/resolver.h"

namespace gossamer::net {

namespace {

constexpr std::uint16_t kTypeCname = 5;
constexpr std::uint16_t kTypeSoa = 6;
constexpr std::uint16_t kClassInternet = 1;
constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kRecordHeadBytes = 10;  // between the owner name and the data
constexpr std::size_t kWireNameBytesMax = 255;
constexpr std::size_t kPointersMax = 128;
// RFC 2181, section 8: a TTL with the highest bit set counts as zero.
constexpr std::uint32_t kTtlMax = 0x7fffffff;

// Reads a message from front to back; every read reports whether there was enough data.
class Cursor {
 public:
  explicit Cursor(Bytes message, std::size_t at = 0) : message_(message), at_(at) {}

  std::size_t at() const { return at_; }
  std::size_t left() const { return message_.size() - at_; }

  bool skip(std::size_t count) {
    if (left() < count) return false;
    at_ += count;
    return true;
  }
  std::optional<std::uint32_t> number(std::size_t bytes) {
    if (left() < bytes) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      value = value << 8 | static_cast<std::uint32_t>(message_[at_++]);
    }
    return value;
  }
  // Reads a name in lower case, with labels joined by dots, the root as "". A dot or a byte that is
  // not text inside a label is written as "\ddd", so that it cannot look like another name.
  std::optional<std::string> name();

 private:
  static void append_label(std::string& name, Bytes label);

  Bytes message_;
  std::size_t at_;
};

void Cursor::append_label(std::string& name, Bytes label) {
  if (!name.empty()) name += '.';
  for (const std::byte byte : label) {
    const auto c = static_cast<unsigned char>(byte);
    if (c <= ' ' || c >= 0x7f || c == '.' || c == '\\') {
      const std::string digits = std::to_string(c);
      name += '\\' + std::string(3 - digits.size(), '0') + digits;
    } else {
      name += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
  }
}

std::optional<std::string> Cursor::name() {
  std::string name;
  std::size_t wire_bytes = 0;
  std::size_t pointers = 0;
  std::size_t at = at_;
  bool has_jumped = false;
  for (;;) {
    if (at >= message_.size()) return std::nullopt;
    const auto length = static_cast<std::size_t>(message_[at]);
    if (length >= 0xc0) {  // a pointer: the name continues elsewhere
      if (at + 1 >= message_.size() || ++pointers > kPointersMax) return std::nullopt;
      if (!std::exchange(has_jumped, true)) at_ = at + 2;
      at = (length & 0x3f) << 8 | static_cast<std::size_t>(message_[at + 1]);
      continue;
    }
    if (length >= 0x40) return std::nullopt;
    ++at;
    wire_bytes += length + 1;
    if (wire_bytes > kWireNameBytesMax || message_.size() - at < length) return std::nullopt;
    if (length == 0) break;
    append_label(name, message_.subspan(at, length));
    at += length;
  }
  if (!has_jumped) at_ = at;
  return name;
}

struct Header {
  bool is_response;
  DnsCode code;
  std::uint32_t questions;
  std::uint32_t answers;
  std::uint32_t authorities;
};

std::optional<Header> read_header(Cursor& cursor) {
  if (cursor.left() < kHeaderBytes) return std::nullopt;
  cursor.skip(2);  // the id, which the receiver has compared
  const std::uint32_t flags = *cursor.number(2);
  Header header = {.is_response = (flags & 0x8000) != 0,
                   .code = static_cast<DnsCode>(flags & 0xf),
                   .questions = *cursor.number(2),
                   .answers = *cursor.number(2),
                   .authorities = *cursor.number(2)};
  cursor.skip(2);
  return header;
}

struct Record {
  std::string owner;
  std::uint16_t type;
  std::uint16_t record_class;
  std::uint32_t ttl;
  std::size_t data_at;
  std::size_t data_bytes;
};

std::optional<Record> read_record(Cursor& cursor) {
  auto owner = cursor.name();
  if (!owner || cursor.left() < kRecordHeadBytes) return std::nullopt;
  Record record = {.owner = std::move(*owner),
                   .type = static_cast<std::uint16_t>(*cursor.number(2)),
                   .record_class = static_cast<std::uint16_t>(*cursor.number(2)),
                   .ttl = *cursor.number(4),
                   .data_at = cursor.at() + 2,
                   .data_bytes = *cursor.number(2)};
  if (record.ttl > kTtlMax) record.ttl = 0;
  if (!cursor.skip(record.data_bytes)) return std::nullopt;
  return record;
}

Duration seconds(std::uint32_t count) { return std::chrono::seconds(count); }

// The records of an answer, by the name they belong to.
class Records {
 public:
  Records(Bytes message, DnsType type) : message_(message), type_(type) {}

  bool add(const Record& record);
  Result<DnsAnswer> follow(std::string name) const;

 private:
  struct Alias {
    std::string target;
    std::uint32_t ttl;
  };
  struct Place {
    std::vector<async::Endpoint> addresses;
    std::uint32_t ttl = kTtlMax;
  };

  bool add_address(const Record& record);

  Bytes message_;
  DnsType type_;
  std::unordered_map<std::string, Alias> aliases_;
  std::unordered_map<std::string, Place> places_;
};

bool Records::add(const Record& record) {
  if (record.record_class != kClassInternet) return true;
  if (record.type == static_cast<std::uint16_t>(type_)) return add_address(record);
  if (record.type != kTypeCname) return true;
  Cursor data(message_, record.data_at);
  auto target = data.name();
  if (!target || data.at() != record.data_at + record.data_bytes) return false;
  aliases_.try_emplace(record.owner, Alias{std::move(*target), record.ttl});
  return true;
}

bool Records::add_address(const Record& record) {
  const bool is_v4 = type_ == DnsType::a;
  if (record.data_bytes != (is_v4 ? 4u : 16u)) return false;
  Place& place = places_[record.owner];
  place.ttl = std::min(place.ttl, record.ttl);
  if (place.addresses.size() >= kAddressesMax) return true;
  async::Endpoint address = {.family =
                                 is_v4 ? async::Endpoint::Family::v4 : async::Endpoint::Family::v6};
  std::ranges::transform(message_.subspan(record.data_at, record.data_bytes),
                         address.address.begin(),
                         [](std::byte byte) { return static_cast<std::uint8_t>(byte); });
  if (std::ranges::find(place.addresses, address) == place.addresses.end()) {
    place.addresses.push_back(address);
  }
  return true;
}

Result<DnsAnswer> Records::follow(std::string name) const {
  std::uint32_t ttl = kTtlMax;
  for (int hops = 0; hops <= kAliasesMax; ++hops) {
    const auto place = places_.find(name);
    if (place != places_.end()) {
      return DnsAnswer{.addresses = place->second.addresses,
                       .ttl = seconds(std::min(ttl, place->second.ttl))};
    }
    const auto alias = aliases_.find(name);
    if (alias == aliases_.end()) return DnsAnswer{};
    ttl = std::min(ttl, alias->second.ttl);
    name = alias->second.target;
  }
  return fail(Errc::dns_failed, "too many aliases (CNAME)");
}

// RFC 2308, section 5: absence is valid for the smaller of the SOA's own TTL and its last field.
std::optional<Duration> ttl_of_absence(Bytes message, const Record& record) {
  if (record.type != kTypeSoa) return std::nullopt;
  Cursor data(message, record.data_at);
  if (!data.name() || !data.name() || !data.skip(16)) return std::nullopt;
  const auto minimum = data.number(4);
  if (!minimum || data.at() > record.data_at + record.data_bytes) return std::nullopt;
  return seconds(std::min(record.ttl, std::min(*minimum, kTtlMax)));
}

std::unexpected<Error> malformed(const char* what) {
  return fail(Errc::malformed, std::string("DNS answer: ") + what);
}

bool read_question(Cursor& cursor, const std::string& name, DnsType type) {
  const auto asked = cursor.name();
  const auto asked_type = cursor.number(2);
  const auto asked_class = cursor.number(2);
  return asked && asked_class && *asked == name && *asked_class == kClassInternet &&
         *asked_type == static_cast<std::uint16_t>(type);
}

}  // namespace

std::string describe(DnsCode code) {
  switch (code) {
    case DnsCode::no_error: return "NOERROR";
    case DnsCode::format_error: return "FORMERR";
    case DnsCode::server_failure: return "SERVFAIL";
    case DnsCode::no_such_name: return "NXDOMAIN";
    case DnsCode::not_implemented: return "NOTIMP";
    case DnsCode::refused: return "REFUSED";
  }
  return "RCODE " + std::to_string(static_cast<int>(code));
}

Result<DnsAnswer> read_dns_answer(Bytes message, std::string_view name, DnsType type) {
  Cursor cursor(message);
  const auto header = read_header(cursor);
  if (!header) return malformed("it is too short");
  if (!header->is_response) return malformed("it is not a response");
  const std::string asked = canonical_host(name);
  if (header->questions != 1 || !read_question(cursor, asked, type)) {
    return malformed("it does not match the question");
  }
  Records records(message, type);
  for (std::uint32_t i = 0; i < header->answers; ++i) {
    const auto record = read_record(cursor);
    if (!record || !records.add(*record)) return malformed("it has an invalid record");
  }
  auto answer = records.follow(asked);
  if (!answer) return answer;
  answer->code = header->code;
  if (!answer->addresses.empty()) return answer;
  // An error after this point only loses the TTL.
  for (std::uint32_t i = 0; i < header->authorities; ++i) {
    const auto record = read_record(cursor);
    if (!record) break;
    if (const auto ttl = ttl_of_absence(message, *record)) answer->ttl = *ttl;
  }
  return answer;
}

}  // namespace gossamer::net
