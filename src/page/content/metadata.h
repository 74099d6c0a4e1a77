// What a page states about itself: language, description, dates, cards for social networks,
// structured data, headings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "content/page_links.h"
#include "dom/document.h"

namespace gossamer::content {

// Texts are UTF-8, with white space collapsed. Empty: the page does not say it.
struct Metadata {
  // <meta property=og:title content=...>. The name has no prefix: "title".
  struct Property {
    std::string name;
    std::string value;
    friend bool operator==(const Property&, const Property&) = default;
  };
  struct Translation {
    std::string language;  // hreflang
    std::string url;       // resolved
    friend bool operator==(const Translation&, const Translation&) = default;
  };
  struct Heading {
    std::uint64_t level = 1;  // 1 to 6
    std::string text;
    friend bool operator==(const Heading&, const Heading&) = default;
  };

  std::string language;           // <html lang>, else Content-Language in a <meta>
  std::string detected_language;  // by the text (content/language.h): "en"
  std::string canonical;          // resolved
  std::string description;        // <meta name=description>
  std::string headline;           // without the name of the site (content/headline.h)
  std::string author;             // several are separated by commas
  std::string published;          // as ISO 8601: a day, or what the page writes in that form
  std::string modified;
  std::string page_kind;  // "article" (content/page_kind.h); empty: unsure
  std::vector<Translation> translations;
  std::vector<Property> open_graph;
  std::vector<Property> twitter;
  std::vector<Heading> headings;
  // Lists in JSON; empty if there is none. Microdata has the form of JSON-LD.
  std::string json_ld;
  std::string microdata;
  std::uint64_t json_ld_faults = 0;  // scripts that are not JSON, or too large
  std::uint64_t words = 0;           // of the visible text
  std::uint64_t images = 0;
  std::uint64_t images_without_alt = 0;
  std::uint64_t scripts = 0;            // that a browser would run
  bool has_several_canonicals = false;  // it names different canonical URLs
  bool is_truncated = false;            // a bound was reached

  friend bool operator==(const Metadata&, const Metadata&) = default;
};

// BOUND: bytes of one text, and entries of each list.
inline constexpr std::size_t kMetadataTextBytesMax = 4096;
inline constexpr std::size_t kMetadataEntriesMax = 256;
// BOUND: visible text that is read for its language and its words.
inline constexpr std::size_t kMetadataPageTextBytesMax = 1024 * 1024;

// Time is linear in the size of the document.
Metadata read_metadata(const dom::Document& document, const PagePlace& place);

// Return lists and objects in JSON: {"title": "A", "image": ["b", "c"]}, [{"level": 1, "text":
// "A"}], [{"language": "de", "url": "..."}].
std::string to_json(const std::vector<Metadata::Property>& properties);
std::string to_json(const std::vector<Metadata::Heading>& headings);
std::string to_json(const std::vector<Metadata::Translation>& translations);

}  // namespace gossamer::content
