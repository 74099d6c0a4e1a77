// Builds messages of name servers by hand, valid or not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "async/endpoint.h"

namespace gossamer::net {

class DnsMessage {
 public:
  static constexpr std::uint16_t kA = 1;
  static constexpr std::uint16_t kCname = 5;
  static constexpr std::uint16_t kSoa = 6;
  static constexpr std::uint16_t kAaaa = 28;
  static constexpr std::uint16_t kResponse = 0x8180;  // recursion desired and available
  static constexpr std::uint16_t kTruncated = 0x0200;

  explicit DnsMessage(std::uint16_t id = 0x1234, std::uint16_t flags = kResponse) {
    add16(id);
    add16(flags);
    for (int i = 0; i < 4; ++i) add16(0);
  }

  // The labels of "a.example"; "" is the root.
  static std::string name(std::string_view text) {
    std::string wire;
    while (!text.empty()) {
      const auto dot = text.find('.');
      const std::string_view label = text.substr(0, dot);
      wire += static_cast<char>(label.size());
      wire += label;
      text = dot == text.npos ? std::string_view() : text.substr(dot + 1);
    }
    return wire + '\0';
  }
  static std::string pointer(std::uint16_t offset) {
    return {static_cast<char>(0xc0 | offset >> 8), static_cast<char>(offset & 0xff)};
  }

  DnsMessage& question(std::string_view owner, std::uint16_t type) {
    count(4);
    bytes_ += name(owner);
    add16(type);
    add16(1);
    return *this;
  }
  DnsMessage& answer(const std::string& owner_wire, std::uint16_t type, std::uint32_t ttl,
                     const std::string& data, std::uint16_t record_class = 1) {
    return record(6, owner_wire, type, ttl, data, record_class);
  }
  DnsMessage& address(std::string_view owner, std::string_view text, std::uint32_t ttl) {
    const auto endpoint = *async::Endpoint::parse_address(text);
    const bool is_v4 = endpoint.family == async::Endpoint::Family::v4;
    const std::string data(reinterpret_cast<const char*>(endpoint.address.data()), is_v4 ? 4 : 16);
    return answer(name(owner), is_v4 ? kA : kAaaa, ttl, data);
  }
  DnsMessage& alias(std::string_view owner, std::string_view target, std::uint32_t ttl) {
    return answer(name(owner), kCname, ttl, name(target));
  }
  // The SOA record of a negative answer: its TTL and its last field.
  DnsMessage& soa(std::string_view zone, std::uint32_t ttl, std::uint32_t minimum) {
    std::string data = name("ns.example") + name("root.example") + std::string(16, '\0');
    for (int shift = 24; shift >= 0; shift -= 8) data += static_cast<char>(minimum >> shift);
    return record(8, name(zone), kSoa, ttl, data, 1);
  }
  DnsMessage& code(std::uint8_t rcode) {
    bytes_[3] = static_cast<char>((bytes_[3] & 0xf0) | rcode);
    return *this;
  }
  DnsMessage& claim_answers(std::uint16_t number) {
    bytes_[6] = static_cast<char>(number >> 8);
    bytes_[7] = static_cast<char>(number & 0xff);
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void add16(std::uint32_t value) {
    bytes_ += static_cast<char>(value >> 8);
    bytes_ += static_cast<char>(value);
  }
  void count(std::size_t at) {
    if (++bytes_[at + 1] == '\0') ++bytes_[at];
  }
  DnsMessage& record(std::size_t counter, const std::string& owner_wire, std::uint16_t type,
                     std::uint32_t ttl, const std::string& data, std::uint16_t record_class) {
    count(counter);
    bytes_ += owner_wire;
    add16(type);
    add16(record_class);
    add16(ttl >> 16);
    add16(ttl);
    add16(static_cast<std::uint32_t>(data.size()));
    bytes_ += data;
    return *this;
  }

  std::string bytes_;
};

}  // namespace gossamer::net
