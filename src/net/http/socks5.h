// SOCKS 5 for clients (RFC 1928, RFC 1929): the messages, and the sizes of the replies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::http::socks5 {

// The methods we offer: none, and a password if there is one.
std::string greeting(bool has_password);
inline constexpr std::size_t kGreetingAnswerBytes = 2;

enum class Method : std::uint8_t { none, password };
// REQUIRES: kGreetingAnswerBytes bytes. Fails with Errc::denied if the proxy requires another
// method.
Result<Method> read_greeting_answer(std::string_view bytes, bool has_password);

// Fails with Errc::invalid_argument beyond 255 bytes each.
Result<std::string> password_message(std::string_view user, std::string_view password);
inline constexpr std::size_t kPasswordAnswerBytes = 2;
// REQUIRES: kPasswordAnswerBytes bytes.
Result<void> read_password_answer(std::string_view bytes);

// Requests a connection. The proxy resolves a name; an address ("192.0.2.1", "[2001:db8::1]") is
// sent as such.
Result<std::string> connect_message(std::string_view host, std::uint16_t port);
// Returns the size of the reply, judging by its first bytes; 0 if there are fewer than
// kConnectAnswerBytesMin.
inline constexpr std::size_t kConnectAnswerBytesMin = 5;
std::size_t connect_answer_bytes(std::string_view begin);
// Fails with the proxy's reason: Errc::refused, Errc::unreachable, Errc::denied, ...
Result<void> read_connect_answer(std::string_view bytes);

}  // namespace gossamer::http::socks5
