#include "site/written_answer.h"

#include <fmt/format.h>

#include "async/sleep.h"

namespace gossamer::site {
namespace {

std::string_view reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 410: return "Gone";
    case 421: return "Misdirected Request";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    default: return "Unknown";
  }
}

// Writes chunks of different sizes, so that their borders can be anywhere.
void append_chunks(std::string& out, std::string_view body) {
  std::size_t size = 700;
  while (!body.empty()) {
    const std::string_view chunk = body.substr(0, size);
    out += fmt::format("{:x}\r\n", chunk.size());
    out += chunk;
    out += "\r\n";
    body.remove_prefix(chunk.size());
    size = size * 7 % 5003 + 1;
  }
  out += "0\r\n\r\n";
}

}  // namespace

WrittenAnswer write(const Answer& answer, const SiteRequest& request) {
  const bool is_chunked = answer.is_chunked && request.is_http_1_1;
  WrittenAnswer written = {.status = answer.status, .pace = answer.pace};
  std::string& out = written.bytes;
  out.reserve(answer.body.size() + 512);
  out += fmt::format("HTTP/1.1 {} {}\r\nServer: gossamer-site\r\n", answer.status,
                     reason_of(answer.status));
  for (const auto& [name, value] : answer.fields) {
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
  }
  if (!request.keeps_alive) {
    out += "Connection: close\r\n";
  } else if (!request.is_http_1_1) {
    out += "Connection: keep-alive\r\n";
  }
  if (is_chunked) {
    out += "Transfer-Encoding: chunked\r\n\r\n";
  } else {
    out += fmt::format("Content-Length: {}\r\n\r\n", answer.body.size());
  }
  written.head_bytes = out.size();
  is_chunked ? append_chunks(out, answer.body) : void(out += answer.body);
  return written;
}

async::Task<Result<void>> send_paced(async::Socket& socket, std::string_view bytes, Pace pace) {
  if (pace.delay > Duration::zero()) {
    if (auto slept = co_await async::sleep(pace.delay); !slept) co_return slept;
  }
  const std::size_t piece = pace.piece_bytes == 0 ? bytes.size() : pace.piece_bytes;
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, piece);
    bytes.remove_prefix(part.size());
    if (auto sent = co_await socket.send(as_bytes(part)); !sent) co_return sent;
    if (bytes.empty()) break;
    if (auto slept = co_await async::sleep(pace.between); !slept) co_return slept;
  }
  co_return {};
}

}  // namespace gossamer::site
