#include "http/socks5.h"

#include <optional>

#include "async/endpoint.h"
#include "net/resolver.h"

namespace gossamer::http::socks5 {
namespace {

constexpr char kVersion = 5;
constexpr char kNoMethod = '\xFF';
constexpr char kConnect = 1;
constexpr char kIpv4 = 1;
constexpr char kName = 3;
constexpr char kIpv6 = 4;

Error refusal(char code) {
  switch (code) {
    case 1: return {Errc::unavailable, "the proxy failed"};
    case 2: return {Errc::denied, "the proxy's rules forbid this connection"};
    case 3: return {Errc::unreachable, "the proxy cannot reach the network"};
    case 4: return {Errc::unreachable, "the proxy cannot reach the host"};
    case 5: return {Errc::refused, "the host refused the proxy's connection"};
    case 6: return {Errc::timed_out, "the proxy's connection timed out"};
    case 7: return {Errc::unsupported, "the proxy does not support CONNECT"};
    case 8: return {Errc::unsupported, "the proxy does not support this kind of address"};
    default: return {Errc::malformed, "the proxy sent an unknown reply code"};
  }
}

}  // namespace

std::string greeting(bool has_password) {
  return has_password ? std::string("\x05\x02\x00\x02", 4) : std::string("\x05\x01\x00", 3);
}

Result<Method> read_greeting_answer(std::string_view bytes, bool has_password) {
  if (bytes[0] != kVersion) return fail(Errc::malformed, "the proxy does not speak SOCKS 5");
  if (bytes[1] == 0) return Method::none;
  if (bytes[1] == 2 && has_password) return Method::password;
  if (bytes[1] == kNoMethod || bytes[1] == 2) {
    return fail(Errc::denied, has_password ? "the proxy does not accept passwords"
                                           : "the proxy requires a password");
  }
  return fail(Errc::malformed, "the proxy chose a method that was not offered");
}

Result<std::string> password_message(std::string_view user, std::string_view password) {
  if (user.empty() || user.size() > 255 || password.size() > 255) {
    return fail(Errc::invalid_argument,
                "the user name or password for the proxy is longer than 255 bytes");
  }
  std::string message = "\x01";
  message += static_cast<char>(user.size());
  message += user;
  message += static_cast<char>(password.size());
  message += password;
  return message;
}

Result<void> read_password_answer(std::string_view bytes) {
  if (bytes[1] != 0) return fail(Errc::denied, "the proxy rejected the password");
  return {};
}

Result<std::string> connect_message(std::string_view host, std::uint16_t port) {
  std::string message = {kVersion, kConnect, 0};
  if (const auto address = net::literal_address(host)) {
    const bool is_v4 = address->family == async::Endpoint::Family::v4;
    message += is_v4 ? kIpv4 : kIpv6;
    message.append(reinterpret_cast<const char*>(address->address.data()), is_v4 ? 4 : 16);
  } else {
    if (host.empty() || host.size() > 255) {
      return fail(Errc::invalid_argument, "the host name is empty or longer than 255 bytes");
    }
    message += kName;
    message += static_cast<char>(host.size());
    message += host;
  }
  message += static_cast<char>(port >> 8);
  message += static_cast<char>(port & 0xFF);
  return message;
}

std::size_t connect_answer_bytes(std::string_view begin) {
  if (begin.size() < kConnectAnswerBytesMin) return 0;
  constexpr std::size_t kFrame = 6;  // version, reply, reserved, address type; port
  switch (begin[3]) {
    case kIpv4: return kFrame + 4;
    case kIpv6: return kFrame + 16;
    case kName: return kFrame + 1 + static_cast<unsigned char>(begin[4]);
    default: return kConnectAnswerBytesMin;  // read_connect_answer() rejects it
  }
}

Result<void> read_connect_answer(std::string_view bytes) {
  if (bytes[0] != kVersion) return fail(Errc::malformed, "the proxy does not speak SOCKS 5");
  if (bytes[1] != 0) return fail(refusal(bytes[1]));
  if (bytes[3] != kIpv4 && bytes[3] != kIpv6 && bytes[3] != kName) {
    return fail(Errc::malformed, "the proxy sent an unknown kind of address");
  }
  return {};
}

}  // namespace gossamer::http::socks5
