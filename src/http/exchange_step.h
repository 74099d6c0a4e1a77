#pragma once

#include <cstdint>
#include <string_view>

namespace gossamer::http {

// How far an exchange has come.
enum class ExchangeStep : std::uint8_t {
  begun,
  connecting,  // or in line for a connection
  sending,
  waiting,  // for the first byte of the answer
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
