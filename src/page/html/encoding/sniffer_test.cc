#include "html/encoding/sniffer.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::html {
namespace {

using namespace std::string_literals;

SniffedEncoding sniff(std::string_view bytes, SniffOptions options = {}) {
  return sniff_encoding(bytes, options, /*is_whole=*/true).value();
}

constexpr SniffedEncoding kFallback = {Encoding::windows_1252, EncodingSource::fallback};

SniffedEncoding declared(Encoding encoding) { return {encoding, EncodingSource::declaration}; }

TEST(SniffEncoding, BelievesTheMarkThenTheTransportThenThePage) {
  const std::string page = "<meta charset=koi8-r>";
  EXPECT_EQ(sniff("\xEF\xBB\xBF" + page, {.transport = Encoding::big5}),
            (SniffedEncoding{Encoding::utf_8, EncodingSource::byte_order_mark}));
  EXPECT_EQ(sniff(page, {.transport = Encoding::big5}),
            (SniffedEncoding{Encoding::big5, EncodingSource::transport}));
  EXPECT_EQ(sniff(page), declared(Encoding::koi8_r));
  EXPECT_EQ(sniff("no sign"), kFallback);
}

TEST(SniffEncoding, ReadsBothFormsOfMeta) {
  EXPECT_EQ(sniff("<META CharSet = 'koi8-r' />"), declared(Encoding::koi8_r));
  EXPECT_EQ(sniff("<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>"),
            declared(Encoding::koi8_r));
  EXPECT_EQ(sniff("<meta content='text/html; charset=koi8-r'>"), kFallback);
  EXPECT_EQ(sniff("<meta charset=utf-16>"), declared(Encoding::utf_8));
  EXPECT_EQ(sniff("<meta charset=x-user-defined>"), declared(Encoding::windows_1252));
  EXPECT_EQ(sniff("<meta charset='&#107;oi8-r'>"), declared(Encoding::koi8_r));
}

TEST(SniffEncoding, ContinuesAfterAnInvalidDeclaration) {
  EXPECT_EQ(sniff("<meta charset=bogus><meta charset=koi8-r>"), declared(Encoding::koi8_r));
}

TEST(SniffEncoding, SeesNoMetaInCommentsScriptsTitlesAndAttributes) {
  for (const char* page :
       {"<!-- <meta charset=koi8-r> -->", "<script><meta charset=koi8-r></script>",
        "<title><meta charset=koi8-r></title>", "<p title='<meta charset=koi8-r>'>",
        "<![CDATA[<meta charset=koi8-r>]]>", "<plaintext><meta charset=koi8-r>",
        "</meta charset=koi8-r>", "<metacharset=koi8-r>"}) {
    EXPECT_EQ(sniff(page), kFallback) << page;
  }
  EXPECT_EQ(sniff("<!--><meta charset=koi8-r>"), declared(Encoding::koi8_r));
}

TEST(SniffEncoding, AScriptEndsAtItsWholeNameAlone) {
  for (const char* end : {"</script>", "</SCRIPT >", "</script/>", "</script\n>"}) {
    EXPECT_EQ(sniff("<script>" + std::string(end) + "<meta charset=koi8-r>"),
              declared(Encoding::koi8_r))
        << end;
  }
  for (const char* other : {"</scripts>", "</scrip>", "</script", "</ script>"}) {
    EXPECT_EQ(sniff("<script>" + std::string(other) + "<meta charset=koi8-r>"), kFallback) << other;
  }
}

TEST(SniffEncoding, LooksBeyondTheFirstKilobyteWhileTheHeadLasts) {
  const std::string filler(2000, ' ');
  EXPECT_EQ(sniff("<head>" + filler + "<meta charset=koi8-r>"), declared(Encoding::koi8_r));
  EXPECT_EQ(sniff("<body>" + filler + "<meta charset=koi8-r>"), kFallback);
  EXPECT_EQ(sniff("<body><meta charset=koi8-r>" + filler), declared(Encoding::koi8_r));
  EXPECT_EQ(sniff("<head>" + filler + "<meta charset=koi8-r>", {.bytes_max = 1500}), kFallback);
}

TEST(SniffEncoding, TakesTheXmlDeclarationWhenThereIsNoMeta) {
  EXPECT_EQ(sniff("<?xml version='1.0' encoding='koi8-r'?><p>"), declared(Encoding::koi8_r));
  EXPECT_EQ(sniff("<?xml encoding='koi8-r'?><meta charset=big5>"), declared(Encoding::big5));
  EXPECT_EQ(sniff("<\0?\0x\0m\0l\0"s), declared(Encoding::utf_16le));
  EXPECT_EQ(sniff("\0<\0?\0x\0m\0l"s), declared(Encoding::utf_16be));
}

TEST(SniffEncoding, ReadsXmlAndCssByTheirOwnRules) {
  const SniffOptions xml = {.kind = DocumentKind::xml, .fallback = Encoding::utf_8};
  EXPECT_EQ(sniff("<?xml version='1.0' encoding='koi8-r'?>", xml), declared(Encoding::koi8_r));
  EXPECT_EQ(sniff("<meta charset=koi8-r>", xml).source, EncodingSource::fallback);
  const SniffOptions css = {.kind = DocumentKind::css, .fallback = Encoding::utf_8};
  EXPECT_EQ(sniff("@charset \"koi8-r\"; a{}", css), declared(Encoding::koi8_r));
  EXPECT_EQ(sniff("@charset 'koi8-r'; a{}", css).source, EncodingSource::fallback);
}

TEST(SniffEncoding, NeedsMoreOnlyWhileTheResultMayChange) {
  const auto is_open = [](std::string_view bytes, SniffOptions options = {}) {
    return !sniff_encoding(bytes, options, /*is_whole=*/false);
  };
  EXPECT_TRUE(is_open(""));
  EXPECT_TRUE(is_open("<p>"));
  EXPECT_TRUE(is_open("<meta charset=koi8-r"));
  EXPECT_FALSE(is_open("<meta charset=koi8-r>"));
  EXPECT_TRUE(is_open("\xEF\xBB", {.transport = Encoding::big5}));
  EXPECT_FALSE(is_open("<p>", {.transport = Encoding::big5}));
  const std::string spaces(1100, ' ');
  EXPECT_FALSE(is_open("<p>" + spaces, {.detects_utf8 = false}));
  EXPECT_TRUE(is_open("<head>" + spaces, {.detects_utf8 = false}));
  EXPECT_FALSE(is_open("<head>" + std::string(70'000, ' '), {.detects_utf8 = false}));
  EXPECT_TRUE(is_open("<p>" + spaces)) << "the first other characters decide";
  EXPECT_TRUE(is_open("<p>" + spaces + "\u00fc"));
  EXPECT_FALSE(is_open("<p>" + spaces + "\u00fc" + spaces));
}

TEST(SniffEncoding, ReadsTheContentWhereNothingIsDeclared) {
  const SniffedEncoding utf_8 = {Encoding::utf_8, EncodingSource::content};
  EXPECT_EQ(sniff("<p>Z\u00fcrich"), utf_8);
  EXPECT_EQ(sniff("<p>Z\xFCrich"), kFallback);
  EXPECT_EQ(sniff("<p>Zurich"), kFallback);
  EXPECT_EQ(sniff("Z\u00fcrich", {.kind = DocumentKind::text}), utf_8);
  EXPECT_EQ(sniff("Z\u00fcrich", {.detects_utf8 = false}), kFallback);
  EXPECT_EQ(sniff("<meta charset=koi8-r>Z\u00fcrich"), declared(Encoding::koi8_r));
}

TEST(EncodingFromMetaContent, FindsTheCharset) {
  EXPECT_EQ(encoding_from_meta_content("text/html; CHARSET = 'koi8-r'"), Encoding::koi8_r);
  EXPECT_EQ(encoding_from_meta_content("charset charset=koi8-r;x"), Encoding::koi8_r);
  EXPECT_EQ(encoding_from_meta_content("text/html; charset='koi8-r"), std::nullopt);
  EXPECT_EQ(encoding_from_meta_content("text/html"), std::nullopt);
}

}  // namespace
}  // namespace gossamer::html
