#include "render/message.h"

#include <algorithm>
#include <utility>

#include "base/json.h"

namespace gossamer::render {

std::string write_command(std::uint64_t id, std::string_view session, const Command& command) {
  base::JsonLine line;
  line.number("id", id).text("method", command.method).raw("params", command.parameters);
  if (!session.empty()) line.text("sessionId", session);
  std::string text = line.finish();
  text.push_back('\0');
  return text;
}

Result<Message> parse_message(std::string_view text) {
  auto json = base::parse_json(text);
  if (!json) return fail(std::move(json).error(), "in a message of the browser");
  if (json->kind != base::JsonValue::Kind::object) {
    return fail(Errc::malformed, "a message of the browser is not an object");
  }
  Message message;
  message.session = json->text_of("sessionId");
  message.method = json->text_of("method");
  if (const base::JsonValue* id = json->find("id")) message.id = id->as_number();
  if (!message.id && message.method.empty()) {
    return fail(Errc::malformed, "a message of the browser is neither a reply nor an event");
  }
  if (const base::JsonValue* error = json->find("error")) {
    message.problem = error->text_of("message");
  }
  const std::string_view body = message.id ? "result" : "params";
  for (base::JsonMember& member : json->members) {
    if (member.name == body) message.body = std::move(member.value);
  }
  return message;
}

Result<void> MessageSplitter::feed(Bytes bytes) {
  if (read_ > 0) {
    received_.erase(0, read_);
    searched_ -= read_;
    read_ = 0;
  }
  append_large(received_, as_text(bytes), bytes_max_);
  const std::size_t end = received_.find('\0', searched_);
  if (std::min(end, received_.size()) > bytes_max_) {
    return fail(Errc::over_limit,
                "a message of the browser is longer than " + std::to_string(bytes_max_) + " bytes");
  }
  return {};
}

std::optional<std::string> MessageSplitter::next() {
  const std::size_t end = received_.find('\0', searched_);
  if (end == std::string::npos) {
    searched_ = received_.size();
    return std::nullopt;
  }
  std::string text = received_.substr(read_, end - read_);
  read_ = searched_ = end + 1;
  return text;
}

}  // namespace gossamer::render
