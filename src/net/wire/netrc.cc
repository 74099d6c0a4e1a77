#include "wire/netrc.h"

#include <algorithm>

#include "url/domain.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  // Returns the next word; nothing at the end.
  std::optional<std::string> next() {
    skip_spaces();
    if (rest_.empty()) return std::nullopt;
    if (rest_.front() == '"') return quoted();
    std::size_t size = 0;
    while (size < rest_.size() && !is_space(rest_[size])) ++size;
    std::string word(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return word;
  }

  // Returns the next word as a value, in which # has no meaning.
  std::optional<std::string> value() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    is_value_ = true;
    auto word = next();
    is_value_ = false;
    return word;
  }

  // Skips everything up to and including the next empty line.
  void skip_macro() {
    const std::size_t unix_end = rest_.find("\n\n");
    const std::size_t dos_end = rest_.find("\n\r\n");
    rest_.remove_prefix(std::min({unix_end, dos_end, rest_.size()}));
  }

 private:
  void skip_spaces() {
    while (!rest_.empty()) {
      if (is_space(rest_.front())) {
        rest_.remove_prefix(1);
      } else if (rest_.front() == '#' && !is_value_) {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      } else {
        return;
      }
    }
  }

  std::string quoted() {
    std::string word;
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\' && rest_.size() > 1) {
        rest_.remove_prefix(1);
        word += escaped(rest_.front());
      } else {
        word += rest_.front();
      }
      rest_.remove_prefix(1);
    }
    if (!rest_.empty()) rest_.remove_prefix(1);
    return word;
  }

  static char escaped(char c) {
    switch (c) {
      case 'n': return '\n';
      case 'r': return '\r';
      case 't': return '\t';
      default: return c;
    }
  }

  std::string_view rest_;
  bool is_value_ = false;
};

}  // namespace

Result<Netrc> Netrc::parse(std::string_view text) {
  Netrc netrc;
  Words words(text);
  while (const auto word = words.next()) {
    if (*word == "default") {
      netrc.entries_.emplace_back();
      continue;
    }
    if (*word == "macdef") {
      words.skip_macro();
      continue;
    }
    auto value = words.value();
    if (!value) return fail(Errc::malformed, "the netrc file ends after " + *word);
    if (*word == "machine") {
      std::string ascii;  // the form of hosts in URLs
      if (url::domain_to_ascii(*value, ascii)) value = std::move(ascii);
      netrc.entries_.push_back({.machine = *std::move(value), .credentials = {}});
    } else if (*word == "login" || *word == "password" || *word == "account") {
      if (netrc.entries_.empty())
        return fail(Errc::malformed, "the netrc file has no machine before " + *word);
      Credentials& credentials = netrc.entries_.back().credentials;
      if (*word == "login") credentials.user = *std::move(value);
      if (*word == "password") credentials.password = *std::move(value);
    } else {
      // The message omits the word, because it may be a password.
      return fail(Errc::malformed, "the netrc file contains an unknown word");
    }
  }
  return netrc;
}

std::optional<Credentials> Netrc::find(std::string_view host, std::string_view user) const {
  for (const Entry& entry : entries_) {
    const bool is_host = entry.machine.empty() || equals_ignoring_case(entry.machine, host);
    if (is_host && (user.empty() || entry.credentials.user == user)) return entry.credentials;
  }
  return std::nullopt;
}

bool Netrc::names(std::string_view host) const {
  for (const Entry& entry : entries_) {
    if (!entry.machine.empty() && equals_ignoring_case(entry.machine, host)) return true;
  }
  return false;
}

}  // namespace gossamer::wire
