// The framing of the DevTools protocol on a pipe: JSON texts, each ended by a zero byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/json_value.h"
#include "base/result.h"

namespace gossamer::render {

// A command without its id: what it does is in protocol.h.
struct Command {
  std::string method;
  std::string parameters = "{}";  // JSON
};

// A message of the browser: the reply to a command, or an event.
struct Message {
  std::optional<std::uint64_t> id;     // of the command; empty: an event
  std::string method;                  // of an event
  std::string session;                 // empty: the browser itself
  base::JsonValue body;                // the result of a command, the parameters of an event
  std::optional<std::string> problem;  // why the command failed
};

// Returns the bytes of a command. `session` is empty for commands to the browser itself.
std::string write_command(std::uint64_t id, std::string_view session, const Command& command);

// Fails with Errc::malformed and Errc::over_limit as base::parse_json() does.
Result<Message> parse_message(std::string_view text);

// Splits what is received into messages.
class MessageSplitter {
 public:
  // BOUND: a message has at most this many bytes.
  explicit MessageSplitter(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Fails with Errc::over_limit if a message is too long.
  Result<void> feed(Bytes bytes);
  // Returns the next whole message, without its zero byte.
  std::optional<std::string> next();

 private:
  const std::size_t bytes_max_;
  std::string received_;
  std::size_t read_ = 0;      // handed out by next()
  std::size_t searched_ = 0;  // has no zero byte beyond `read_`
};

}  // namespace gossamer::render
