// The main text of pages that people marked: article-extraction-benchmark, trafilatura and WCXB.
#include "content/main_content.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "content/content_text.h"
#include "dom/parse.h"
#include "html/encoding/stream.h"
#include "support/gunzip.h"
#include "support/json.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

constexpr std::size_t kTextBytesMax = std::size_t{16} * 1024 * 1024;

std::string main_text(const std::string& file, std::optional<html::Encoding> encoding) {
  const std::string bytes = gunzip(read_testdata(file));
  html::DecodingStream decoder({.kind = html::DocumentKind::html, .transport = encoding});
  std::string scratch;
  std::string page(decoder.decode(bytes, scratch));
  page += decoder.finish(scratch);
  const dom::Document document = dom::parse(page);
  return content::to_text(content::find_main_content(document), kTextBytesMax);
}

// \w+ of the upstream scorer.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool is_open = false;
  while (!text.empty()) {
    const base::Utf8Sequence next = base::decode_utf8(text);
    const std::size_t length = std::max<std::size_t>(next.length, 1);
    const bool is_word =
        next.length > 0 &&
        (u_isalnum(static_cast<UChar32>(next.code_point)) != 0 || next.code_point == '_');
    if (is_word && !is_open) words.emplace_back();
    if (is_word) words.back() += text.substr(0, length);
    is_open = is_word;
    text.remove_prefix(length);
  }
  return words;
}

using Shingles = std::map<std::string, int>;

// Counts the groups of four successive words.
Shingles shingles_of(std::string_view text) {
  constexpr std::size_t kWords = 4;
  const std::vector<std::string> words = words_of(text);
  Shingles shingles;
  if (words.empty()) return shingles;
  const std::size_t last = words.size() < kWords ? 0 : words.size() - kWords;
  for (std::size_t i = 0; i <= last; ++i) {
    std::string shingle;
    for (std::size_t k = i; k < std::min(i + kWords, words.size()); ++k) shingle += words[k] + " ";
    ++shingles[shingle];
  }
  return shingles;
}

struct Means {
  double precision = 0;
  double recall = 0;
  double f1() const { return 2 * precision * recall / (precision + recall); }
};

TEST(MainContentSuite, AgreesWithMarkedArticles) {
  NEEDS_TESTDATA("content/article-extraction/ground-truth.json");
  double precision = 0;
  double recall = 0;
  int precise = 0;
  int pages = 0;
  const Json truth = read_json("content/article-extraction/ground-truth.json");
  for (const auto& [id, entry] : truth.items()) {
    const Shingles expected = shingles_of(entry["articleBody"].get<std::string>());
    const Shingles found = shingles_of(
        main_text("content/article-extraction/html/" + id + ".html.gz", html::Encoding::utf_8));
    int both = 0;
    int all_expected = 0;
    int all_found = 0;
    for (const auto& [shingle, count] : expected) {
      all_expected += count;
      const auto same = found.find(shingle);
      if (same != found.end()) both += std::min(count, same->second);
    }
    for (const auto& [shingle, count] : found) all_found += count;
    if (all_found > 0) {
      precision += static_cast<double>(both) / all_found;
      ++precise;
    }
    recall += static_cast<double>(both) / std::max(all_expected, 1);
    ++pages;
  }
  ASSERT_GT(precise, 0);
  const Means means = {.precision = precision / precise, .recall = recall / pages};
  fmt::print("article-extraction: F1 {:.3f}, precision {:.3f}, recall {:.3f}, {} pages\n",
             means.f1(), means.precision, means.recall, pages);
  EXPECT_GE(means.f1(), 0.96);
}

std::string collapsed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_space = static_cast<unsigned char>(c) <= ' ';
    if (is_space && (out.empty() || out.back() == ' ')) continue;
    out += is_space ? ' ' : c;
  }
  return out;
}

TEST(MainContentSuite, ContainsMarkedSegments) {
  NEEDS_TESTDATA("content/trafilatura/evaldata.json");
  int hits = 0;
  int misses = 0;
  int wrong = 0;
  for (const Json& entry : read_json("content/trafilatura/evaldata.json")) {
    const std::string text = collapsed(main_text(
        "content/trafilatura/html/" + entry["id"].get<std::string>() + ".html.gz", std::nullopt));
    for (const Json& wanted : entry["with"]) {
      ++(text.contains(collapsed(wanted.get<std::string>())) ? hits : misses);
    }
    for (const Json& unwanted : entry["without"]) {
      wrong += text.contains(collapsed(unwanted.get<std::string>())) ? 1 : 0;
    }
  }
  ASSERT_GT(hits, 0);
  const Means means = {.precision = static_cast<double>(hits) / (hits + wrong),
                       .recall = static_cast<double>(hits) / (hits + misses)};
  fmt::print("trafilatura: F1 {:.3f}, precision {:.3f}, recall {:.3f}\n", means.f1(),
             means.precision, means.recall);
  EXPECT_GE(means.f1(), 0.92);
}

// How often each word occurs, in lower case.
Shingles bag_of(std::string_view text) {
  icu::UnicodeString lower =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int>(text.size())));
  std::string utf8;
  lower.toLower(icu::Locale::getRoot()).toUTF8String(utf8);
  Shingles bag;
  for (const std::string& word : words_of(utf8)) ++bag[word];
  return bag;
}

double f1_of(const Shingles& expected, const Shingles& found) {
  int both = 0;
  int all = 0;
  for (const auto& [word, count] : expected) {
    all += count;
    if (const auto same = found.find(word); same != found.end()) {
      both += std::min(count, same->second);
    }
  }
  for (const auto& [word, count] : found) all += count;
  return all == 0 ? 1 : 2.0 * both / all;
}

// The mean over the pages of a kind.
struct KindFigures {
  double f1 = 0;
  int pages = 0;
  int empty = 0;  // that have a text

  void add(double page_f1, bool is_empty) {
    f1 += page_f1;
    ++pages;
    empty += is_empty ? 1 : 0;
  }
};

std::vector<std::string> names_in(std::string_view folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(testdata_path(folder))) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

TEST(MainContentSuite, AgreesWithPagesOfAllKinds) {
  NEEDS_TESTDATA("wcxb/README.md");
  const std::map<std::string, double> floors = {
      {"article", 0.95}, {"collection", 0.69}, {"documentation", 0.95}, {"forum", 0.78},
      {"listing", 0.71}, {"product", 0.64},    {"service", 0.81},       {"all", 0.86}};
  std::map<std::string, KindFigures> kinds;
  for (const std::string& file : names_in("wcxb/truth")) {
    const std::string id = file.substr(0, file.find('.'));
    const Json truth = read_json("wcxb/truth/" + file);
    auto kind = truth["_internal"]["page_type"]["primary"].get<std::string>();
    if (kind == "category") kind = "collection";
    const Shingles expected = bag_of(truth["ground_truth"].value("main_content", ""));
    const Shingles found = bag_of(main_text("wcxb/html/" + id + ".html.gz", html::Encoding::utf_8));
    const double f1 = f1_of(expected, found);
    for (const std::string& set : {kind, std::string("all")}) {
      kinds[set].add(f1, found.empty() && !expected.empty());
    }
  }
  for (const auto& [kind, figures] : kinds) {
    const double f1 = figures.f1 / figures.pages;
    fmt::print("wcxb, {}: F1 {:.3f}, {} pages, {} empty\n", kind, f1, figures.pages, figures.empty);
    EXPECT_GE(f1, floors.at(kind)) << kind;
  }
}

}  // namespace
}  // namespace gossamer::conformance
