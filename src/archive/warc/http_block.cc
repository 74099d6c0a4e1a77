#include "warc/http_block.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/check.h"

namespace gossamer::warc {
namespace {

// Returns the size of a head with its empty line; npos if that has not arrived.
std::size_t end_of_head(std::string_view text) {
  for (std::size_t line = 0; line < text.size();) {
    const std::string_view rest = text.substr(line);
    if (rest.starts_with('\n')) return line + 1;
    if (rest.starts_with("\r\n")) return line + 2;
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;
    line += end + 1;
  }
  return std::string_view::npos;
}

// Images, sound and archives that are already compressed.
constexpr std::string_view kPackedTypes[] = {
    "image/jpeg",       "image/png",           "image/gif",
    "image/webp",       "image/avif",          "font/woff",
    "font/woff2",       "audio/mpeg",          "audio/ogg",
    "video/mp4",        "video/webm",          "video/ogg",
    "application/zip",  "application/gzip",    "application/x-gzip",
    "application/x-xz", "application/x-bzip2", "application/x-7z-compressed",
};

}  // namespace

std::optional<int> HttpHead::status() const noexcept {
  if (!base::equals_ignoring_case(std::string_view(start_line).substr(0, 5), "HTTP/")) {
    return std::nullopt;
  }
  const std::size_t blank = start_line.find(' ');
  if (blank == std::string::npos) return std::nullopt;
  const std::string_view rest =
      base::trimmed(std::string_view(start_line).substr(blank), " \t").substr(0, 4);
  const std::string_view digits = rest.substr(0, rest.find_first_of(" \t"));
  if (digits.size() != 3) return std::nullopt;
  int status = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    status = status * 10 + (c - '0');
  }
  return status;
}

std::string_view HttpHead::content_type() const noexcept {
  const std::string_view value = fields.find("Content-Type").value_or("");
  return value.substr(0, value.find_first_of("; \t"));
}

bool HttpHead::is_chunked() const noexcept {
  const auto value = fields.find("Transfer-Encoding");
  return value && base::equals_ignoring_case(base::trimmed(*value, " \t"), "chunked");
}

bool HttpHead::is_packed() const noexcept {
  const std::string_view coding =
      base::trimmed(fields.find("Content-Encoding").value_or(""), " \t");
  if (!coding.empty()) return !base::equals_ignoring_case(coding, "identity");
  return std::ranges::any_of(kPackedTypes, [type = content_type()](std::string_view packed) {
    return base::equals_ignoring_case(type, packed);
  });
}

HttpHead parse_http_head(std::string_view raw) {
  HttpHead head;
  head.raw = raw;
  for (bool is_first = true; !raw.empty(); is_first = false) {
    const std::size_t end = std::min(raw.find('\n'), raw.size());
    const std::string_view line = raw.substr(0, end);
    if (is_first) {
      head.start_line = base::trimmed(line, " \t\r");
    } else {
      head.fields.append_line(line);
    }
    raw.remove_prefix(std::min(end + 1, raw.size()));
  }
  return head;
}

Bytes HttpBlock::feed(Bytes piece) {
  if (is_body_) return piece;
  const std::size_t before = raw_.size();
  raw_ += as_text(piece);
  // Starts at the last whole line, because a piece may end inside a line end.
  const std::size_t line = before == 0 ? 0 : raw_.rfind('\n', before - 1) + 1;
  const std::size_t found = end_of_head(std::string_view(raw_).substr(line));
  if (found == std::string_view::npos) {
    if (raw_.size() <= head_bytes_max_) return {};
    is_body_ = true;
    return as_bytes(raw_);
  }
  is_body_ = true;
  const std::size_t size = line + found;
  head_ = parse_http_head(std::string_view(raw_).substr(0, size));
  CHECK(size >= before);
  return piece.subspan(size - before);
}

void HttpBlock::finish() {
  if (is_body_ || raw_.empty()) return;
  is_body_ = true;
  head_ = parse_http_head(raw_);
}

}  // namespace gossamer::warc
