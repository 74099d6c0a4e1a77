#include "warc/digest.h"

#include <openssl/evp.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/check.h"

namespace gossamer::warc {
namespace {

constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::string_view kBase16 = "0123456789abcdef";

struct AlgorithmFacts {
  DigestAlgorithm algorithm;
  std::string_view name;
  std::size_t size;
};

constexpr AlgorithmFacts kAlgorithms[] = {
    {DigestAlgorithm::md5, "md5", 16},
    {DigestAlgorithm::sha1, "sha1", 20},
    {DigestAlgorithm::sha256, "sha256", 32},
    {DigestAlgorithm::sha512, "sha512", 64},
};

const AlgorithmFacts& facts_of(DigestAlgorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)];
}

const EVP_MD* method_of(DigestAlgorithm algorithm) {
  switch (algorithm) {
    case DigestAlgorithm::md5: return EVP_md5();
    case DigestAlgorithm::sha1: return EVP_sha1();
    case DigestAlgorithm::sha256: return EVP_sha256();
    case DigestAlgorithm::sha512: return EVP_sha512();
  }
  CHECK(false, "no such algorithm");
}

// Decodes digits of `bits` bits each, up to the padding; nothing if one of them is invalid.
template <class ValueOf>
std::optional<std::string> undo_base(std::string_view text, unsigned bits, ValueOf value_of) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  unsigned held = 0, held_bits = 0;
  for (const char c : text) {
    const std::size_t value = value_of(c);
    if (value == std::string_view::npos) return std::nullopt;
    held = held << bits | static_cast<unsigned>(value);
    held_bits += bits;
    if (held_bits < 8) continue;
    held_bits -= 8;
    bytes.push_back(static_cast<char>(held >> held_bits & 0xFF));
    held &= (1U << held_bits) - 1;
  }
  return bytes;
}

std::size_t base16_value(char c) { return kBase16.find(base::to_lower(c)); }

std::size_t base32_value(char c) {
  return kBase32.find(c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c);
}

// Accepts both alphabets: RFC 4648 section 4 and the one for URLs.
std::size_t base64_value(char c) {
  constexpr std::string_view kBase64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return kBase64.find(c == '-' ? '+' : c == '_' ? '/' : c);
}

std::optional<std::string> decode_value(std::string_view text, std::size_t size) {
  const std::size_t digits = text.find_last_not_of('=') + 1;
  if (digits == size * 2) return undo_base(text, 4, base16_value);
  if (digits == (size * 8 + 4) / 5) return undo_base(text, 5, base32_value);
  if (digits == (size * 8 + 5) / 6) return undo_base(text, 6, base64_value);
  return std::nullopt;
}

}  // namespace

std::string_view name(DigestAlgorithm algorithm) noexcept { return facts_of(algorithm).name; }

std::optional<DigestAlgorithm> algorithm_named(std::string_view name) noexcept {
  std::array<char, 8> plain = {};
  std::size_t size = 0;
  for (const char c : name) {
    if (c == '-' || c == '_') continue;
    if (size == plain.size()) return std::nullopt;
    plain[size++] = base::to_lower(c);
  }
  for (const AlgorithmFacts& facts : kAlgorithms) {
    if (facts.name == std::string_view(plain.data(), size)) return facts.algorithm;
  }
  return std::nullopt;
}

std::string base32(Bytes bytes) {
  std::string text;
  unsigned held = 0, held_bits = 0;
  for (const std::byte byte : bytes) {
    held = held << 8 | static_cast<unsigned>(byte);
    held_bits += 8;
    for (; held_bits >= 5; held_bits -= 5) text.push_back(kBase32[held >> (held_bits - 5) & 31]);
    held &= (1U << held_bits) - 1;
  }
  if (held_bits > 0) text.push_back(kBase32[held << (5 - held_bits) & 31]);
  return text;
}

std::string base16(Bytes bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text.push_back(kBase16[static_cast<unsigned>(byte) >> 4]);
    text.push_back(kBase16[static_cast<unsigned>(byte) & 15]);
  }
  return text;
}

Digest::Digest(DigestAlgorithm algorithm, Bytes value) noexcept : algorithm_(algorithm) {
  CHECK_EQ(value.size(), facts_of(algorithm).size);
  std::ranges::copy(value, value_.begin());
  size_ = static_cast<std::uint8_t>(value.size());
}

std::string Digest::to_string() const {
  std::string text(name(algorithm_));
  text += ':';
  return text += size_ <= 20 ? base32(value()) : base16(value());
}

void Digester::Deleter::operator()(evp_md_ctx_st* context) const noexcept {
  EVP_MD_CTX_free(context);
}

Digester::Digester(DigestAlgorithm algorithm) : context_(EVP_MD_CTX_new()), algorithm_(algorithm) {
  CHECK(context_ != nullptr);
  CHECK_EQ(EVP_DigestInit_ex(context_.get(), method_of(algorithm), nullptr), 1);
}

void Digester::update(Bytes bytes) {
  CHECK_EQ(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()), 1);
}

Digest Digester::digest() const {
  // A copy is finished, so that more data can follow.
  const std::unique_ptr<evp_md_ctx_st, Deleter> copy(EVP_MD_CTX_new());
  CHECK(copy != nullptr);
  CHECK_EQ(EVP_MD_CTX_copy_ex(copy.get(), context_.get()), 1);
  std::array<unsigned char, EVP_MAX_MD_SIZE> value;
  unsigned size = 0;
  CHECK_EQ(EVP_DigestFinal_ex(copy.get(), value.data(), &size), 1);
  return Digest(algorithm_, std::as_bytes(std::span(value).first(size)));
}

Digest digest_of(DigestAlgorithm algorithm, Bytes bytes) {
  Digester digester(algorithm);
  digester.update(bytes);
  return digester.digest();
}

std::optional<Digest> parse_digest(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto algorithm = algorithm_named(base::trimmed(text.substr(0, colon), " \t"));
  if (!algorithm) return std::nullopt;
  const std::size_t size = facts_of(*algorithm).size;
  const auto value = decode_value(base::trimmed(text.substr(colon + 1), " \t"), size);
  if (!value || value->size() != size) return std::nullopt;
  return Digest(*algorithm, as_bytes(*value));
}

}  // namespace gossamer::warc
