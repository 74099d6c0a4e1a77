#include "index/response_text.h"

#include <string_view>

#include "wire/content_type.h"

namespace gossamer::index {

bool is_indexed(const url::Url& url) noexcept {
  return url.is_http_or_https() && url.pathname() != "/robots.txt";
}

bool may_be_page(const warc::Answer& revisit) {
  if (!revisit.http) return true;
  const int status = revisit.status();
  if (status != 304 && (status < 200 || status >= 300)) return false;
  const auto type = wire::MimeType::parse(revisit.type());
  return !type || text_kind(type->essence(), {}) != TextKind::none;
}

std::optional<ResponseText> text_of(const warc::Answer& answer, const IndexedBody& body,
                                    const url::Url& url) {
  if (answer.has_http && (answer.status() < 200 || answer.status() >= 300)) return std::nullopt;
  const auto type = wire::MimeType::parse(answer.type());
  const std::string_view mime = type ? type->essence() : std::string_view();
  const TextKind kind = text_kind(mime, body.bytes());
  if (kind == TextKind::none) return std::nullopt;
  const std::string_view charset = type ? type->parameter("charset").value_or("") : "";
  return ResponseText{.mime = mime.empty() ? "text/html" : std::string(mime),
                      .text = read_page_text(kind, body.bytes(), charset, url)};
}

}  // namespace gossamer::index
