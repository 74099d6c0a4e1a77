#include "bench/crawl/step_pages.h"

#include <fmt/format.h>
#include <tests/support/page_shapes.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace gossamer::bench {
namespace {

constexpr std::string_view kRootUrl = crawler::kShapesRoot;

std::string gzipped(std::string_view plain) {
  z_stream stream = {};
  constexpr int kGzipWindow = 15 + 16;
  CHECK(deflateInit2(&stream, 1, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string coded(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(coded.data());
  stream.avail_out = static_cast<uInt>(coded.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  coded.resize(stream.total_out);
  deflateEnd(&stream);
  return coded;
}

std::string zstd_coded(std::string_view plain) {
  std::string coded(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ZSTD_compress(coded.data(), coded.size(), plain.data(), plain.size(), 1);
  CHECK(ZSTD_isError(size) == 0);
  coded.resize(size);
  return coded;
}

// Names of shapes are markup and may contain bytes that are unsafe for a terminal.
std::string printable(std::string_view text) {
  std::string printed;
  for (const char c : text) {
    const bool is_plain = c >= ' ' && c <= '~';
    printed +=
        is_plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return printed;
}

StepPage shaped(const StepPageKind& kind, std::size_t bytes) {
  const crawler::PageShape shape = crawler::page_shapes()[kind.shape];
  StepPage page = {.name = kind.name, .url = shape.url, .fields = {}, .body = shape.body(bytes)};
  page.body.resize(std::min(page.body.size(), bytes));
  if (!shape.type.empty()) page.fields = fmt::format("Content-Type: {}\r\n", shape.type);
  return page;
}

StepPage shaped_gzip(const StepPageKind& kind, std::size_t bytes) {
  StepPage page = shaped(kind, bytes);
  page.body = gzipped(page.body);
  page.fields += "Content-Encoding: gzip\r\n";
  return page;
}

StepPage html_page(const StepPageKind& kind, std::string fields, std::string body) {
  return {.name = kind.name,
          .url = std::string(kRootUrl),
          .fields = "Content-Type: text/html\r\n" + std::move(fields),
          .body = std::move(body)};
}

// Small enough to be decoded in one step, with eight megabytes of links.
StepPage gzip_in_one_go(const StepPageKind& kind, std::size_t bytes) {
  std::string links;
  while (links.size() < std::min<std::size_t>(bytes, 8 * 1024 * 1024 - 64)) links += "<a href=/x>";
  return html_page(kind, "Content-Encoding: gzip\r\n", gzipped(links));
}

StepPage gzip_twice(const StepPageKind& kind, std::size_t bytes) {
  return html_page(kind, "Content-Encoding: gzip, gzip\r\n",
                   gzipped(gzipped(std::string(bytes, ' '))));
}

StepPage gzip_members(const StepPageKind& kind, std::size_t bytes) {
  const std::string member = gzipped("");
  std::string body;
  while (body.size() + member.size() <= bytes) body += member;
  return html_page(kind, "Content-Encoding: gzip\r\n", std::move(body));
}

StepPage zstd_of_blanks(const StepPageKind& kind, std::size_t bytes) {
  return html_page(kind, "Content-Encoding: zstd\r\n", zstd_coded(std::string(bytes, ' ')));
}

StepPage cookies(const StepPageKind& kind, std::size_t) {
  std::string fields;
  for (int i = 0; fields.size() < 250'000; ++i) {
    fields += fmt::format("Set-Cookie: c{}=v; Domain=a.example; Path=/{}; Max-Age=99\r\n", i, i);
  }
  return html_page(kind, std::move(fields), "x");
}

StepPage many_fields(const StepPageKind& kind, std::size_t) {
  std::string fields;
  for (int i = 0; i < 4900; ++i) fields += fmt::format("X-Robots-Tag: a{}: noindex\r\n", i);
  return html_page(kind, std::move(fields), "x");
}

StepPage long_field(const StepPageKind& kind, std::size_t) {
  std::string link = "Link: ";
  while (link.size() < 90'000) link += "</x>; rel=next, ";
  return html_page(kind, link + "\r\n", "x");
}

StepPage small_chunks(const StepPageKind& kind, std::size_t bytes) {
  StepPage page = html_page(kind, "Transfer-Encoding: chunked\r\n", {});
  while (page.body.size() + 16 < bytes) page.body += "1\r\nx\r\n";
  page.body += "0\r\n\r\n";
  return page;
}

}  // namespace

std::vector<StepPageKind> step_page_kinds() {
  std::vector<StepPageKind> kinds;
  const std::vector<crawler::PageShape> shapes = crawler::page_shapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::string name = printable(shapes[i].name);
    kinds.push_back({name, shaped, i});
    kinds.push_back({name + ", gzip", shaped_gzip, i});
  }
  for (const StepPageKind& other :
       {StepPageKind{"8 MB of links, gzip", gzip_in_one_go},
        StepPageKind{"gzip in gzip", gzip_twice},
        StepPageKind{"gzip of empty members", gzip_members},
        StepPageKind{"blanks, zstd", zstd_of_blanks}, StepPageKind{"Set-Cookie flood", cookies},
        StepPageKind{"4,900 fields", many_fields}, StepPageKind{"a field of 90 KB", long_field},
        StepPageKind{"chunks of a byte", small_chunks}}) {
    kinds.push_back(other);
  }
  return kinds;
}

}  // namespace gossamer::bench
