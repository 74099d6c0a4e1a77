// SOCKS 5 as a client speaks it (RFC 1928, RFC 1929): what to say, and how long the answers are.
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
// REQUIRES: kGreetingAnswerBytes bytes. Fails with Errc::denied when the proxy wants something
// else.
Result<Method> read_greeting_answer(std::string_view bytes, bool has_password);

// Fails with Errc::invalid_argument beyond 255 bytes each.
Result<std::string> password_message(std::string_view user, std::string_view password);
inline constexpr std::size_t kPasswordAnswerBytes = 2;
// REQUIRES: kPasswordAnswerBytes bytes.
Result<void> read_password_answer(std::string_view bytes);

// Asks for a connection. A name is left for the proxy to resolve; an address ("192.0.2.1",
// "[2001:db8::1]") is sent as one.
Result<std::string> connect_message(std::string_view host, std::uint16_t port);
// How long the answer is, from its first bytes; 0: kConnectAnswerBytesMin are needed to know.
inline constexpr std::size_t kConnectAnswerBytesMin = 5;
std::size_t connect_answer_bytes(std::string_view begin);
// Fails with what the proxy says: Errc::refused, Errc::unreachable, Errc::denied, ...
Result<void> read_connect_answer(std::string_view bytes);

}  // namespace gossamer::http::socks5
