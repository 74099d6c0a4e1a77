#pragma once

#include <cstdint>
#include <string_view>

namespace gossamer::http {

// The progress of an exchange.
enum class ExchangeStep : std::uint8_t {
  begun,
  connecting,  // or waiting for a connection
  sending,
  waiting,  // for the first byte of the response
  reading,
  over,
};

// "connecting", ...
constexpr std::string_view name(ExchangeStep step) noexcept {
  switch (step) {
    case ExchangeStep::begun: return "begun";
    case ExchangeStep::connecting: return "connecting";
    case ExchangeStep::sending: return "sending";
    case ExchangeStep::waiting: return "waiting";
    case ExchangeStep::reading: return "reading";
    case ExchangeStep::over: return "over";
  }
  return {};
}

}  // namespace gossamer::http
