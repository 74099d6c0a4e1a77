#include "wire/authentication.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "wire/digest_hash.h"
#include "wire/parameters.h"
#include "wire/text.h"

namespace gossamer::wire {
namespace {

constexpr std::size_t kChallengesMax = 16;
constexpr std::size_t kChallengeParametersMax = 32;

std::string base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t count = std::min<std::size_t>(text.size() - i, 3);
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < count ? static_cast<unsigned char>(text[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += j <= count ? kDigits[group >> (18 - 6 * j) & 0x3F] : '=';
    }
  }
  return out;
}

std::string quoted_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Reads `name = value`. Returns false and leaves the reader where it was if there is none.
bool read_parameter(ParameterReader& reader, Challenge& challenge) {
  ParameterReader ahead = reader;
  const std::string_view name = ahead.token();
  ahead.skip_blanks();
  if (name.empty() || !ahead.skip('=')) return false;
  ahead.skip_blanks();
  std::string value = ahead.peek() == '"' ? ahead.quoted() : std::string(ahead.token());
  if (challenge.parameters.size() < kChallengeParametersMax) {
    challenge.parameters.push_back({lower_case(name), std::move(value)});
  }
  reader = ahead;
  return true;
}

// Reads a token68. It can look like a parameter without a value, so it counts only if the end or a
// comma follows.
bool read_token68(ParameterReader& reader, Challenge& challenge) {
  const std::string_view text = reader.rest();
  std::size_t size = 0;
  while (size < text.size() && (is_token_char(text[size]) || text[size] == '/')) ++size;
  if (size == 0) return false;
  while (size < text.size() && text[size] == '=') ++size;
  const std::string_view behind = trim_blanks(text.substr(size));
  if (!behind.empty() && !behind.starts_with(',')) return false;
  challenge.token68 = text.substr(0, size);
  reader.until(",");
  return true;
}

void read_challenge(ParameterReader& reader, Challenge& challenge) {
  reader.skip_blanks();
  if (read_token68(reader, challenge)) return;
  while (true) {
    ParameterReader before = reader;
    while (reader.skip(',') || is_blank(reader.peek())) reader.skip_blanks();
    if (!read_parameter(reader, challenge)) {
      reader = before;
      return;
    }
    reader.skip_blanks();
  }
}

struct DigestAlgorithm {
  DigestHash hash = DigestHash::md5;
  bool is_session = false;
};

std::optional<DigestAlgorithm> digest_algorithm(const Challenge& challenge) {
  const std::string_view name = challenge.parameter("algorithm").value_or("MD5");
  if (equals_ignoring_case(name, "md5")) return DigestAlgorithm{DigestHash::md5, false};
  if (equals_ignoring_case(name, "md5-sess")) return DigestAlgorithm{DigestHash::md5, true};
  if (equals_ignoring_case(name, "sha-256")) return DigestAlgorithm{DigestHash::sha256, false};
  if (equals_ignoring_case(name, "sha-256-sess")) return DigestAlgorithm{DigestHash::sha256, true};
  return std::nullopt;
}

// Returns whether the challenge offers qop=auth; nothing if it offers only other values.
std::optional<bool> offers_auth(const Challenge& challenge) {
  const auto qop = challenge.parameter("qop");
  if (!qop || trim_blanks(*qop).empty()) return false;
  bool has_auth = false;
  for_each_in_list(*qop,
                   [&](std::string_view one) { has_auth |= equals_ignoring_case(one, "auth"); });
  if (!has_auth) return std::nullopt;
  return true;
}

// Returns 0 if we cannot answer the challenge.
int strength(const Challenge& challenge) {
  if (challenge.scheme == "basic") return 1;
  if (challenge.scheme != "digest") return 0;
  const auto algorithm = digest_algorithm(challenge);
  if (!algorithm || !offers_auth(challenge)) return 0;
  return algorithm->hash == DigestHash::sha256 ? 3 : 2;
}

}  // namespace

std::optional<std::string_view> Challenge::parameter(std::string_view name) const noexcept {
  for (const Parameter& one : parameters) {
    if (one.name == name) return one.value;
  }
  return std::nullopt;
}

std::vector<Challenge> parse_challenges(std::string_view value) {
  std::vector<Challenge> challenges;
  ParameterReader reader(value);
  while (challenges.size() < kChallengesMax) {
    while (reader.skip(',') || is_blank(reader.peek())) reader.skip_blanks();
    if (reader.is_at_end()) break;
    const std::string_view scheme = reader.token();
    if (scheme.empty()) {
      reader.until(",");
      continue;
    }
    Challenge challenge = {.scheme = lower_case(scheme)};
    if (is_blank(reader.peek())) read_challenge(reader, challenge);
    challenges.push_back(std::move(challenge));
  }
  return challenges;
}

Result<std::string> basic_authorization(const Credentials& credentials) {
  if (credentials.user.contains(':') || !is_field_text(credentials.user) ||
      !is_field_text(credentials.password)) {
    return fail(Errc::invalid_argument,
                "the user name or password contains a character that cannot be sent");
  }
  return "Basic " + base64(credentials.user + ":" + credentials.password);
}

// RFC 7616 section 3.4
Result<std::string> digest_authorization(const Challenge& challenge, const Credentials& credentials,
                                         const DigestRequest& request) {
  const auto algorithm = digest_algorithm(challenge);
  const auto has_qop = offers_auth(challenge);
  if (!algorithm || !has_qop)
    return fail(Errc::unsupported, "this kind of Digest authentication is not supported");
  const auto realm = challenge.parameter("realm");
  const auto nonce = challenge.parameter("nonce");
  if (!realm || !nonce)
    return fail(Errc::malformed, "the Digest challenge has no realm or no nonce");
  for (const std::string_view part :
       {std::string_view(credentials.user), *realm, *nonce, request.target, request.client_nonce,
        challenge.parameter("opaque").value_or("")}) {
    if (!is_field_text(part))
      return fail(Errc::invalid_argument, "Digest authentication: a control character in a value");
  }
  const auto hash = [&](const std::string& text) { return digest_hex(algorithm->hash, text); };
  std::string a1 = fmt::format("{}:{}:{}", credentials.user, *realm, credentials.password);
  if (algorithm->is_session) a1 = fmt::format("{}:{}:{}", hash(a1), *nonce, request.client_nonce);
  const std::string a2 = fmt::format("{}:{}", request.method, request.target);
  const std::string count = fmt::format("{:08x}", request.nonce_count);
  const std::string response = *has_qop ? hash(fmt::format("{}:{}:{}:{}:auth:{}", hash(a1), *nonce,
                                                           count, request.client_nonce, hash(a2)))
                                        : hash(fmt::format("{}:{}:{}", hash(a1), *nonce, hash(a2)));

  std::string out = fmt::format("Digest username={}, realm={}, nonce={}, uri={}, response=\"{}\"",
                                quoted_string(credentials.user), quoted_string(*realm),
                                quoted_string(*nonce), quoted_string(request.target), response);
  if (const auto name = challenge.parameter("algorithm"); name && is_token(*name)) {
    out += fmt::format(", algorithm={}", *name);
  }
  if (*has_qop) {
    out += fmt::format(", qop=auth, nc={}, cnonce={}", count, quoted_string(request.client_nonce));
  } else if (algorithm->is_session) {
    out += fmt::format(", cnonce={}", quoted_string(request.client_nonce));
  }
  if (const auto opaque = challenge.parameter("opaque")) {
    out += fmt::format(", opaque={}", quoted_string(*opaque));
  }
  return out;
}

const Challenge* choose_challenge(std::span<const Challenge> challenges) {
  const Challenge* best = nullptr;
  for (const Challenge& challenge : challenges) {
    if (strength(challenge) > (best == nullptr ? 0 : strength(*best))) best = &challenge;
  }
  return best;
}

}  // namespace gossamer::wire
