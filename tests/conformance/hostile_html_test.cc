// Hostile pages: the expected links, in bounded time and memory.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "html/encoding/encoder.h"
#include "html/encoding/stream.h"
#include "html/link_list.h"
#include "html/page_reader.h"
#include "support/gunzip.h"
#include "support/json.h"
#include "support/testdata.h"
#include "url/url.h"

namespace gossamer::conformance {
namespace {

constexpr std::string_view kAddress = "https://www.example.com/dir/page.html";

// What a crawler would follow: hyperlinks and refreshes, resolved.
std::vector<std::string> links_of(std::string_view bytes, std::size_t piece_bytes,
                                  const url::Url& document) {
  html::LinkList links;
  html::PageReader reader({.links = true, .facts = true, .text = true}, links);
  html::DecodingStream decoder({.kind = html::DocumentKind::html});
  std::string scratch;
  while (!bytes.empty()) {
    const ExactBlock piece(bytes.substr(0, piece_bytes));
    reader.feed(decoder.decode(piece.view(), scratch));
    bytes.remove_prefix(piece.view().size());
  }
  reader.feed(decoder.finish(scratch));
  reader.finish();
  std::vector<std::string> urls;
  const url::Url base = html::document_base(document, links.base());
  html::Encoder encoder(decoder.sniffed() ? decoder.sniffed()->encoding : html::Encoding::utf_8);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const html::Link link = links[i].link;
    const bool leads_on = link.tag == html::TagId::a || link.tag == html::TagId::area ||
                          link.kind == html::LinkKind::refresh;
    const auto resolved = url::Url::parse(link.url, &base, &encoder);
    if (leads_on && !link.is_foreign && resolved) urls.push_back(resolved->href());
  }
  return urls;
}

TEST(HostileHtml, GivesTheStatedLinksAndNothingWorse) {
  NEEDS_TESTDATA("hostile/manifest.json");
  const url::Url document = *url::Url::parse(kAddress);
  Score score("hostile/html");
  for (const Json& entry : read_json("hostile/manifest.json")) {
    const std::string file = string_at(entry, "file");
    if (!file.starts_with("html/")) continue;
    const std::string page = gunzip(read_testdata("hostile/" + file));
    const auto whole = links_of(page, page.size(), document);
    const auto in_pieces = links_of(page, 4096, document);
    bool passed = whole == in_pieces;
    if (entry.contains("links")) {
      std::vector<std::string> expected;
      for (const Json& link : entry["links"]) {
        expected.push_back(url::Url::parse(link.get<std::string>(), &document)->href());
      }
      passed = passed && whole == expected;
    }
    if (entry.contains("link_count")) passed = passed && whole.size() == entry["link_count"];
    score.count(passed, [&] {
      std::string found;
      for (const std::string& link : whole) found += " " + link.substr(0, 100);
      return fmt::format("{}: found{} of {}", file, found, entry.dump());
    });
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
