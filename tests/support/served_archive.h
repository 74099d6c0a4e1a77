// Small WARC files for tests of the server, written by hand.
#pragma once

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <string_view>

namespace gossamer::tests {

// An archived response.
struct ServedPage {
  std::string_view url;
  std::string_view date = "2026-01-31T12:00:00Z";
  std::string_view head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
  std::string_view body = "";
  std::string_view id = "<urn:uuid:1>";
  std::string_view fields = "";  // further ones, each with its line end
  std::string_view type = "response";
};

inline std::string warc_record(const ServedPage& page) {
  const std::string block = std::string(page.head) + std::string(page.body);
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\nWARC-Record-ID: {}\r\n"
      "{}Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      page.type, page.url, page.date, page.id, page.fields, block.size(), block);
}

inline std::string write_file(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace gossamer::tests
