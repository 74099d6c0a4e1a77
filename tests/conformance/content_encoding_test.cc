// Content codings: files of the web platform tests and of Scrapy.

#include <string>
#include <vector>

#include "support/base64.h"
#include "support/testdata.h"
#include "tests/support/decode_whole.h"
#include "wire/content_coding.h"

namespace gossamer::conformance {
namespace {

using wire::DecodeEnd;

constexpr wire::DecodeLimits kGenerous = {.bytes_max = 256 * 1024 * 1024, .ratio_max = 10'000'000};

wire::DecodedBody decode(std::string_view file, std::string_view coding,
                         const wire::DecodeLimits& limits = kGenerous) {
  const std::vector<std::string_view> header = {coding};
  const auto codings = wire::parse_content_codings(header);
  const ExactBlock body(read_testdata("http/content-encoding/" + std::string(file)));
  wire::WholeDecoder decoder;
  return decode_whole(decoder, *codings, as_bytes(body.view()), limits);
}

bool is_complete(const wire::DecodedBody& body) { return body.end == DecodeEnd::complete; }

TEST(ContentEncodingSuite, CodingsOfTheWebPlatformTestsAgree) {
  NEEDS_TESTDATA("http/content-encoding");
  Score score("http/content-encoding wpt");
  for (const std::string name : {"hello.html", "foo.text", "foo.octetstream", "big.text"}) {
    const wire::DecodedBody gzip = decode(name + ".gz", "gzip");
    const wire::DecodedBody brotli = decode(name + ".br", "br");
    const wire::DecodedBody zstd = decode(name + ".zst", "zstd");
    score.count(is_complete(gzip) && !gzip.bytes.empty(), [&] { return name + ".gz"; });
    score.count(is_complete(brotli) && brotli.bytes == gzip.bytes, [&] { return name + ".br"; });
    score.count(is_complete(zstd) && zstd.bytes == gzip.bytes, [&] { return name + ".zst"; });
  }
  // Made to be refused: its window is larger than 8 MiB.
  const wire::DecodedBody window = decode("big.window.zst", "zstd");
  score.count(window.end == DecodeEnd::refused, [&] {
    return fmt::format("big.window.zst: {} bytes, {}", window.bytes.size(), name(window.end));
  });
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(ContentEncodingSuite, CodingsOfScrapyAgree) {
  NEEDS_TESTDATA("http/content-encoding/scrapy");
  Score score("http/content-encoding scrapy");
  // The pages name the way in which they were sent.
  const std::string gzip = decode("scrapy/html-gzip.bin", "gzip").bytes;
  const std::string deflate = decode("scrapy/html-zlibdeflate.bin", "deflate").bytes;
  const std::pair<std::string, std::string> same[] = {
      {"html-gzip.bin", "gzip"},
      {"html-rawdeflate.bin", "deflate"},
      {"html-zlibdeflate.bin", "deflate"},
      {"html-gzip-deflate.bin", "gzip, deflate"},
      {"html-gzip-deflate-gzip.bin", "gzip, deflate, gzip"},
      {"html-zstd-static-content-size.bin", "zstd"},
      {"html-zstd-static-no-content-size.bin", "zstd"},
      {"html-zstd-streaming-no-content-size.bin", "zstd"},
  };
  for (const auto& [file, coding] : same) {
    const wire::DecodedBody body = decode("scrapy/" + file, coding);
    score.count(is_complete(body) && body.bytes == (coding == "deflate" ? deflate : gzip),
                [&] { return fmt::format("{}: {}", file, name(body.end)); });
  }
  // Another page.
  const wire::DecodedBody brotli = decode("scrapy/html-br.bin", "br");
  score.count(is_complete(brotli) && brotli.bytes.contains("html"),
              [&] { return fmt::format("html-br.bin: {}", name(brotli.end)); });
  for (const auto& [file, coding] : {std::pair{"bomb-br.bin", "br"},
                                     {"bomb-deflate.bin", "deflate"},
                                     {"bomb-gzip.bin", "gzip"},
                                     {"bomb-zstd.bin", "zstd"}}) {
    const std::string path = std::string("scrapy/") + file;
    const wire::DecodedBody all = decode(path, coding);
    const wire::DecodedBody some = decode(path, coding, {.bytes_max = 1'000'000});
    const bool passed = is_complete(all) && all.bytes.size() == 11'511'612 &&
                        some.end == DecodeEnd::over_bytes && some.bytes.size() == 1'000'000;
    score.count(passed, [&] { return fmt::format("{}: {}", file, all.bytes.size()); });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

TEST(ContentEncodingSuite, BrokenGzipGivesWhatCanBeHad) {
  NEEDS_TESTDATA("http/content-encoding/scrapy");
  Score score("http/content-encoding broken");
  const wire::DecodedBody cut = decode("scrapy/unexpected-eof.gz", "gzip");
  // The file has every byte as a character.
  const std::string usable =
      bytes_from_latin1(read_testdata("http/content-encoding/scrapy/unexpected-eof-output.txt"));
  score.count(cut.end == DecodeEnd::cut && cut.bytes.starts_with(usable),
              [&] { return fmt::format("unexpected-eof.gz: {} bytes", cut.bytes.size()); });
  for (const char* file : {"truncated-crc-error.gz", "truncated-crc-error-short.gz"}) {
    const wire::DecodedBody body = decode(std::string("scrapy/") + file, "gzip");
    score.count(!is_complete(body) && body.bytes.contains("</html"), [&] {
      return fmt::format("{}: {} bytes, {}", file, body.bytes.size(), name(body.end));
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
