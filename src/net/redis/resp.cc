#include "redis/resp.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/number.h"

namespace gossamer::redis {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::size_t kVerbatimPrefix = 4;  // "txt:"

Error malformed(std::string_view what) {
  return Error(Errc::malformed, "RESP: " + std::string(what));
}

Reply text_reply(Reply::Kind kind, std::string_view text) {
  Reply reply;
  reply.kind = kind;
  reply.text = text;
  return reply;
}

Reply integer_reply(std::int64_t value) {
  Reply reply;
  reply.kind = Reply::Kind::integer;
  reply.integer = value;
  return reply;
}

}  // namespace

std::int64_t Reply::as_integer(std::int64_t missing) const noexcept {
  if (kind == Kind::integer) return integer;
  std::int64_t value = 0;
  if (kind == Kind::text && base::parse_number(text, value)) return value;
  return missing;
}

Result<RespReader::Step> RespReader::feed(Bytes input) {
  CHECK(state_ != State::done, "a reply was not taken");
  const std::string_view all = as_text(input);
  std::string_view rest = all;
  while (!rest.empty() && state_ != State::done) {
    if (state_ == State::bulk) {
      if (auto read = read_bulk(rest); !read) return fail(std::move(read).error());
      continue;
    }
    // A line feed ends a line only after a carriage return; any other one is malformed.
    const std::size_t end = rest.find('\n');
    const std::string_view part = rest.substr(0, end == rest.npos ? end : end + 1);
    if (line_.size() + part.size() > limits_.line_bytes_max + kLineEnd.size()) {
      return fail(Errc::over_limit, "RESP: a line is too long");
    }
    line_ += part;
    rest.remove_prefix(part.size());
    if (end == rest.npos) break;
    if (auto read = read_line(); !read) return fail(std::move(read).error());
  }
  return Step{.consumed = all.size() - rest.size(), .is_done = state_ == State::done};
}

Reply RespReader::take() {
  CHECK(state_ == State::done);
  state_ = State::line;
  bytes_ = 0;
  items_ = 0;
  return std::exchange(whole_, {});
}

Result<void> RespReader::read_line() {
  const std::string line = std::exchange(line_, {});
  if (line.size() < 1 + kLineEnd.size() || !line.ends_with(kLineEnd)) {
    return fail(malformed("a line without its end"));
  }
  const char type = line.front();
  const std::string_view text = std::string_view(line).substr(1, line.size() - 1 - kLineEnd.size());
  if (text.find('\r') != text.npos) return fail(malformed("a carriage return inside a line"));
  if (auto counted = count_bytes(text.size()); !counted) return counted;
  switch (type) {
    case '+': return finish(text_reply(Reply::Kind::text, text));
    case '-': return finish(text_reply(Reply::Kind::error, text));
    case ',':
    case '(': return finish(text_reply(Reply::Kind::number, text));
    case '_':
      if (!text.empty()) return fail(malformed("a null with a value"));
      return finish({});
    case '#':
      if (text != "t" && text != "f") return fail(malformed("a boolean is t or f"));
      return finish(integer_reply(text == "t" ? 1 : 0));
    case ':': {
      std::int64_t value = 0;
      if (!base::parse_number(text.starts_with('+') ? text.substr(1) : text, value)) {
        return fail(malformed("not an integer"));
      }
      return finish(integer_reply(value));
    }
    case '$':
    case '=': is_verbatim_ = type == '='; return begin_bulk(text, Reply::Kind::text);
    case '!': is_verbatim_ = false; return begin_bulk(text, Reply::Kind::error);
    case '*':
    case '~':
    case '>':
    case '%':
    case '|': return begin_array(text, type);
    default: return fail(malformed("an unknown type"));
  }
}

Result<std::size_t> RespReader::read_length(std::string_view text) const {
  if (text == "?") return fail(Errc::unsupported, "RESP: streamed types");
  std::size_t length = 0;
  if (!base::parse_number(text, length)) return fail(malformed("not a length"));
  return length;
}

Result<void> RespReader::begin_bulk(std::string_view length, Reply::Kind kind) {
  if (length == "-1") return finish({});
  auto size = read_length(length);
  if (!size) return fail(std::move(size).error());
  if (*size > limits_.reply_bytes_max) return fail(Errc::over_limit, "RESP: a text is too long");
  if (auto counted = count_bytes(*size); !counted) return counted;
  bulk_ = Reply{};
  bulk_.kind = kind;
  bulk_left_ = *size + kLineEnd.size();
  state_ = State::bulk;
  return {};
}

Result<void> RespReader::read_bulk(std::string_view& rest) {
  const std::string_view part = rest.substr(0, bulk_left_);
  append_large(bulk_.text, part, bulk_.text.size() + bulk_left_);
  rest.remove_prefix(part.size());
  bulk_left_ -= part.size();
  if (bulk_left_ > 0) return {};
  if (!bulk_.text.ends_with(kLineEnd)) return fail(malformed("a text without its end"));
  bulk_.text.resize(bulk_.text.size() - kLineEnd.size());
  if (is_verbatim_) {
    if (bulk_.text.size() < kVerbatimPrefix || bulk_.text[kVerbatimPrefix - 1] != ':') {
      return fail(malformed("a verbatim text without its format"));
    }
    bulk_.text.erase(0, kVerbatimPrefix);
  }
  state_ = State::line;
  return finish(std::exchange(bulk_, {}));
}

Result<void> RespReader::begin_array(std::string_view count, char type) {
  if (count == "-1" && type == '*') return finish({});
  auto length = read_length(count);
  if (!length) return fail(std::move(length).error());
  if (*length > limits_.items_max) return fail(Errc::over_limit, "RESP: too many items");
  if (open_.size() >= limits_.depth_max) return fail(Errc::over_limit, "RESP: too deep");
  const bool has_pairs = type == '%' || type == '|';
  Open begun = {.reply = {}, .left = *length * (has_pairs ? 2 : 1), .is_attribute = type == '|'};
  begun.reply.kind = type == '>' ? Reply::Kind::push : Reply::Kind::array;
  if (begun.left > 0) {
    open_.push_back(std::move(begun));
    return {};
  }
  // The reply follows its attribute.
  return begun.is_attribute ? Result<void>() : finish(std::move(begun.reply));
}

// Puts a complete reply into its array, which may be complete then, and so on.
Result<void> RespReader::finish(Reply reply) {
  for (;;) {
    if (++items_ > limits_.items_max) return fail(Errc::over_limit, "RESP: too many items");
    if (open_.empty()) {
      whole_ = std::move(reply);
      state_ = State::done;
      return {};
    }
    Open& parent = open_.back();
    if (!parent.is_attribute) parent.reply.items.push_back(std::move(reply));
    if (--parent.left > 0) return {};
    const bool is_attribute = parent.is_attribute;
    reply = std::move(parent.reply);
    open_.pop_back();
    if (is_attribute) return {};
  }
}

Result<void> RespReader::count_bytes(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ > limits_.reply_bytes_max) return fail(Errc::over_limit, "RESP: a reply is too long");
  return {};
}

template <class Words>
Commands& Commands::append(const Words& words) {
  bytes_ += '*' + std::to_string(words.size()) + "\r\n";
  for (const std::string_view word : words) {
    bytes_ += '$';
    bytes_ += std::to_string(word.size());
    bytes_ += kLineEnd;
    bytes_ += word;
    bytes_ += kLineEnd;
  }
  ++count_;
  return *this;
}

Commands& Commands::add(std::initializer_list<std::string_view> words) { return append(words); }
Commands& Commands::add(const std::vector<std::string>& words) { return append(words); }

}  // namespace gossamer::redis
