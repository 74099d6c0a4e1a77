// Pairs of texts whose common sequences of four words were counted exactly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "content/text_sketch.h"
#include "engine/page/similar_pages.h"
#include "support/json.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

using Sketches = std::map<std::string, std::shared_ptr<const content::TextSketch>>;

std::vector<Json> json_lines_of(const std::string& file) {
  std::vector<Json> lines;
  std::istringstream text(read_testdata(file));
  for (std::string line; std::getline(text, line);) lines.push_back(parse_json(line));
  return lines;
}

Sketches sketches_of_texts() {
  Sketches found;
  for (const Json& line : json_lines_of("near-duplicate/texts.jsonl")) {
    found[line["id"].get<std::string>()] = content::text_sketch(line["text"].get<std::string>());
  }
  return found;
}

// What a method says about the pairs that are clearly alike or clearly different.
struct PairScore {
  int right = 0;
  int wrong = 0;
  int missed = 0;

  void add(const Json& pair, bool is_found) {
    const std::string label = pair["label"].get<std::string>();
    if (label == "near-duplicate") ++(is_found ? right : missed);
    if (label == "distinct" && is_found) ++wrong;
  }
  double precision() const { return static_cast<double>(right) / (right + wrong); }
  double recall() const { return static_cast<double>(right) / (right + missed); }
  void expect(std::string_view name) const {
    fmt::print("{}: precision {:.3f}, recall {:.3f}, {} pairs alike\n", name, precision(), recall(),
               right + missed);
    ASSERT_GT(right, 0);
    EXPECT_GE(precision(), 0.95) << name;
    EXPECT_GE(recall(), 0.90) << name;
  }
};

TEST(NearDuplicateSuite, EstimatesTheOverlapOfTexts) {
  NEEDS_TESTDATA("near-duplicate/pairs.jsonl");
  Sketches texts = sketches_of_texts();
  PairScore score;
  double error = 0;
  int pairs = 0;
  for (const Json& pair : json_lines_of("near-duplicate/pairs.jsonl")) {
    const auto a = texts[pair["a"].get<std::string>()];
    const auto b = texts[pair["b"].get<std::string>()];
    ASSERT_TRUE(a && b);
    error += std::abs(content::overlap(*a, *b) - pair["jaccard4"].get<double>());
    ++pairs;
    score.add(pair, content::are_similar(*a, *b));
  }
  fmt::print("mean error of the overlap: {:.4f}, {} pairs\n", error / pairs, pairs);
  EXPECT_LT(error / pairs, 0.03);
  score.expect("pair by pair");
}

// A crawl compares a page with the first pages of all others, not with one.
TEST(NearDuplicateSuite, FindsSimilarPagesAmongAll) {
  NEEDS_TESTDATA("near-duplicate/pairs.jsonl");
  crawler::SimilarPages pages;
  std::map<std::string, std::string> first_of;
  for (const auto& [id, sketch] : sketches_of_texts()) {
    ASSERT_TRUE(sketch) << id;
    first_of[id] = pages.put(*sketch, id).value_or(id);
  }
  PairScore score;
  for (const Json& pair : json_lines_of("near-duplicate/pairs.jsonl")) {
    score.add(pair,
              first_of[pair["a"].get<std::string>()] == first_of[pair["b"].get<std::string>()]);
  }
  score.expect("among all");
}

}  // namespace
}  // namespace gossamer::conformance
