#include "redis/server_error.h"

#include <cstddef>
#include <string>
#include <utility>

#include "base/number.h"
#include "redis/slot.h"

namespace gossamer::redis {
namespace {

// BOUND: the part of a message that an error repeats.
constexpr std::size_t kMessageBytesMax = 300;

std::string_view first_word(std::string_view& rest) {
  const std::size_t space = rest.find(' ');
  const std::string_view word = rest.substr(0, space);
  rest.remove_prefix(space == rest.npos ? rest.size() : space + 1);
  return word;
}

// "3999 127.0.0.1:6381", or "3999 :6381" if the server does not know its host.
Advice redirection(std::string_view rest, Advice::Action action, const Node& sender) {
  Advice advice;
  const std::string_view slot = first_word(rest);
  const std::string_view address = first_word(rest);
  if (!base::parse_number(slot, advice.slot) || advice.slot >= kSlots) return {};
  auto node = parse_node(address.starts_with(':') ? sender.host + std::string(address)
                                                  : std::string(address));
  if (!node) return {};
  advice.action = action;
  advice.node = std::move(*node);
  return advice;
}

bool is_not_ready(std::string_view code, std::string_view rest) {
  // The server closes the connection then, and has executed nothing.
  if (code == "ERR" && rest.starts_with("max number of clients")) return true;
  return code == "TRYAGAIN" || code == "CLUSTERDOWN" || code == "LOADING" || code == "MASTERDOWN" ||
         code == "NOREPLICAS" || code == "BUSY" || code == "MISCONF";
}

}  // namespace

Advice advice_for(std::string_view message, const Node& sender) {
  std::string_view rest = message;
  const std::string_view code = first_word(rest);
  if (code == "MOVED") return redirection(rest, Advice::Action::follow, sender);
  if (code == "ASK") return redirection(rest, Advice::Action::ask, sender);
  Advice advice;
  if (is_not_ready(code, rest)) advice.action = Advice::Action::try_later;
  if (code == "READONLY" || code == "CLUSTERDOWN") advice.action = Advice::Action::refresh;
  return advice;
}

bool is_missing_function(std::string_view message) noexcept {
  return message.contains("Function not found");
}

Error error_of(std::string_view message, const Node& sender) {
  std::string_view rest = message;
  const std::string_view code = first_word(rest);
  Errc errc = Errc::internal;
  if (code == "NOAUTH" || code == "NOPERM" || code == "WRONGPASS") {
    errc = Errc::denied;
  } else if (code == "OOM") {
    errc = Errc::no_space;
  } else if (code == "FROZEN" || code == "PENDING" || code == "READONLY" ||
             is_not_ready(code, rest)) {
    errc = Errc::unavailable;
  } else if (is_missing_function(message)) {
    errc = Errc::unavailable;
  } else if (code == "GONE" || message.contains("unknown command")) {
    errc = Errc::not_found;
  }
  return Error(errc, sender.to_string() + ": " + std::string(message.substr(0, kMessageBytesMax)));
}

}  // namespace gossamer::redis
