#include "index/response_text.h"

#include <string_view>
#include <utility>

#include "wire/content_type.h"

namespace gossamer::index {

bool is_indexed(const url::Url& url) noexcept {
  return url.is_http_or_https() && url.pathname() != "/robots.txt";
}

ResponseReader::ResponseReader(const warc::RecordHead& head)
    : has_http_(head.has_http()),
      type_of_block_(head.content_type()),
      reader_(head, warc::PayloadOptions(), body_) {}

bool ResponseReader::may_be_page() {
  static_cast<void>(reader_.finish());
  const auto& http = reader_.http();
  if (!http) return true;
  const int status = http->status().value_or(0);
  if (status != 304 && (status < 200 || status >= 300)) return false;
  const auto type = wire::MimeType::parse(http->fields.find("Content-Type").value_or(""));
  return !type || text_kind(type->essence(), {}) != TextKind::none;
}

std::optional<ResponseText> ResponseReader::finish(const url::Url& url) {
  static_cast<void>(reader_.finish());  // the begin of a damaged body is text, too
  const auto& http = reader_.http();
  if (has_http_) {
    const int status = http ? http->status().value_or(0) : 0;
    if (status < 200 || status >= 300) return std::nullopt;
  }
  const std::string_view field =
      http ? http->fields.find("Content-Type").value_or("") : std::string_view(type_of_block_);
  const auto type = wire::MimeType::parse(field);
  const std::string_view mime = type ? type->essence() : std::string_view();
  const TextKind kind = text_kind(mime, body_.bytes);
  if (kind == TextKind::none) return std::nullopt;
  const std::string_view charset = type ? type->parameter("charset").value_or("") : "";
  return ResponseText{.mime = mime.empty() ? "text/html" : std::string(mime),
                      .text = read_page_text(kind, body_.bytes, charset, url)};
}

}  // namespace gossamer::index
