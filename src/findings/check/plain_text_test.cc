#include "check/plain_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check/document.h"
#include "check/reader.h"

namespace gossamer::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> urls_of(std::string_view text) {
  std::vector<std::string> urls;
  for (const LinkPlace& link : read_plain_text(text).links) urls.push_back(link.url);
  return urls;
}

TEST(PlainText, HasAddressesWithoutThePunctuationAroundThem) {
  EXPECT_THAT(urls_of("See https://a.example/x. Or (http://b.example/y_(z)), \"HTTPS://c.example\","
                      " 'https://d.example/?q=1'; <https://e.example/#f> [https://g.example/h]!"),
              ElementsAre("https://a.example/x", "http://b.example/y_(z)", "HTTPS://c.example",
                          "https://d.example/?q=1", "https://e.example/#f", "https://g.example/h"));
  EXPECT_THAT(urls_of("url=http://a.example/;x=http://b.example"),
              ElementsAre("http://a.example/;x=http://b.example"));
}

TEST(PlainText, HasNoAddressesInTemplatesAndExamples) {
  EXPECT_THAT(urls_of("https://{host}/ http://a.example/{id} http://localhost:3000/ xhttp://a.b/ "
                      "http:// https://. ftp://a.example/"),
              IsEmpty());
}

TEST(PlainText, FindsThePositionsOfUrls) {
  const Document document = read_plain_text("one\n  two http://a.example/\n");
  ASSERT_EQ(document.links.size(), 1U);
  EXPECT_EQ(document.links[0].at, (Position{2, 7}));
}

// In quadratic time these would take hours.
TEST(PlainText, ReadsLongTextsWithoutBlanks) {
  for (const std::string_view part : {"http://", "http://a.b/", "http://a.b/)", "https://a"}) {
    std::string text;
    while (text.size() < 1'000'000) text += part;
    urls_of(text);
    urls_of(text + "{");
  }
}

TEST(PlainText, IsWhatHasNoControlsAndOtherwiseNoKnownType) {
  EXPECT_EQ(type_of_file("Makefile", "all:\n\techo\n"), DocumentType::plain_text);
  EXPECT_EQ(type_of_file("notes.adoc", "= Title \xC3\xA4\xE2\x82"), DocumentType::plain_text);
  EXPECT_EQ(type_of_file("a.out", std::string_view("\x7F"
                                                   "ELF\0\0",
                                                   6)),
            DocumentType::opaque);
  EXPECT_EQ(type_of_file("a.png", "\x89PNG\r\n"), DocumentType::opaque);
  EXPECT_EQ(type_of_file("a.py", "print('\xFF\xFE')"), DocumentType::opaque);
  EXPECT_EQ(type_of_file("", "text"), DocumentType::opaque);
}

TEST(PlainText, IsAListOnlyIfEachLineIsOneWord) {
  EXPECT_EQ(type_of_file("urls.txt", "# a list\nhttp://a/\n\nhttp://b/ \n"),
            DocumentType::url_list);
  EXPECT_EQ(type_of_file("notes.txt", "See http://a.example/ for more.\n"),
            DocumentType::plain_text);
  EXPECT_EQ(type_of_file("README.rst", {}), DocumentType::restructured_text);
  EXPECT_EQ(type_of_file("a.qmd", {}), DocumentType::markdown);
  EXPECT_EQ(type_of_file("a.MDX", {}), DocumentType::markdown);
}

}  // namespace
}  // namespace gossamer::check
