// What a search finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"

namespace gossamer::index {

// A part of a text that matches the query, in bytes. It begins and ends between characters.
struct Mark {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const Mark&, const Mark&) = default;
};

// A text with the parts to highlight, in order and without overlap. The text comes from a page:
// escape it piece by piece, then add the markup of the marks.
struct MarkedText {
  std::string text;  // UTF-8 without control characters
  std::vector<Mark> marks;
};

// One version of a page in the index.
struct Capture {
  std::int64_t id = 0;
  std::string url;
  std::string title;
  std::string site;      // the host, with the port if it is not the usual one
  std::string type;      // "text/html"
  std::string language;  // "en"; empty: not known
  WallTime captured;
  // The file with the response: below the folder of the index, relative to it; else absolute.
  std::string archive;
  std::string member;        // the archive in a package (WACZ); empty: the file itself
  std::uint64_t offset = 0;  // of its record there
  std::uint64_t text_bytes = 0;
};

// How the score of a hit came about. The score is the sum.
struct ScorePart {
  std::string name;  // "words", "title", "passage"
  double points = 0;
};

struct Hit {
  Capture page;
  MarkedText title;
  MarkedText snippet;
  // Where the best part of the page is: a fragment of its URL, with escapes, and the heading there.
  // Both are empty if it is the page as a whole, or if its headings have no ids.
  std::string anchor;
  std::string heading;
  std::string target() const { return anchor.empty() ? page.url : page.url + '#' + anchor; }
  double score = 0;
  std::vector<ScorePart> score_parts;  // only with SearchOptions::explains
  // Words of the query that the page lacks.
  std::vector<std::string> missing_words;
  // Other captures of the URL and pages with the same text, among the best candidates.
  std::vector<Capture> duplicates;
};

struct FacetValue {
  std::string value;  // as a query takes it: site:value, type:value, lang:value; a year
  std::uint64_t pages = 0;
};

struct Facets {
  std::vector<FacetValue> sites;  // most pages first
  std::vector<FacetValue> types;
  std::vector<FacetValue> years;  // of the newest capture; newest first
  std::vector<FacetValue> languages;
};

struct SearchResults {
  std::vector<Hit> hits;
  // Pages that were found, before duplicates are folded. The facets count the same pages.
  std::uint64_t total = 0;
  std::uint64_t complete = 0;  // those of them that have all words of the query
  // They precede the others. If many have all words, the order is that of the scores.
  bool are_complete_first = true;
  Facets facets;           // only with SearchOptions::has_facets
  std::string suggestion;  // a query with corrected words; empty: none
  // Words in so many pages that they do not select any, so they only affect the order.
  std::vector<std::string> ignored_words;
};

}  // namespace gossamer::index
