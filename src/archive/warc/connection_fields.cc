#include "warc/connection_fields.h"

#include <algorithm>

#include "base/ascii.h"

namespace gossamer::warc {
namespace {

// A name and perhaps a version: tls/1.3.
bool is_protocol(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return base::is_digit(c) || (c >= 'a' && c <= 'z') || c == '/' || c == '.' || c == '-';
  });
}

// TLS_AES_128_GCM_SHA256, as IANA has it; other programs write AES_128_GCM or AES128-GCM-SHA256.
bool is_cipher_suite(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return base::is_digit(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

}  // namespace

std::string_view connection_problem(const RecordHead& head, std::string_view block_start) {
  bool is_tls = false;
  bool has_cipher = false;
  for (const Fields::Field& field : head.fields) {
    if (base::equals_ignoring_case(field.name, "WARC-Protocol")) {
      if (!is_protocol(field.value)) return "WARC-Protocol does not name a protocol";
      is_tls |= field.value.starts_with("tls/") || field.value.starts_with("ssl/");
    } else if (base::equals_ignoring_case(field.name, "WARC-Cipher-Suite")) {
      if (!is_cipher_suite(field.value)) return "WARC-Cipher-Suite does not name a cipher suite";
      has_cipher = true;
    }
  }
  if (has_cipher && !is_tls) return "WARC-Cipher-Suite is without a WARC-Protocol of TLS";
  const bool has_message = head.type == RecordType::response || head.type == RecordType::revisit;
  if (has_message && block_start.starts_with("HTTP/2")) {
    return "the status line says HTTP/2, which many readers do not know";
  }
  return {};
}

}  // namespace gossamer::warc
