// The scores of the best pages are those of SQLite's own function.
#include "index/best_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace gossamer::index {
namespace {

using Scores = std::map<std::int64_t, double>;

class BestRankTest : public testing::Test {
 protected:
  BestRankTest() : database_(*store::Database::open(":memory:", store::Database::Access::write)) {
    EXPECT_TRUE(register_best_rank(database_));
    EXPECT_TRUE(database_.execute("CREATE VIRTUAL TABLE fts USING fts5(title, url, main, rest)"));
    base::Random random(1);
    EXPECT_TRUE(
        database_.execute("CREATE TABLE length(block INTEGER PRIMARY KEY, words BLOB NOT NULL)"));
    std::vector<PageLength> lengths;
    for (int i = 0; i < kPages; ++i) {
      auto insert = database_.prepare("INSERT INTO fts VALUES(?, ?, ?, ?)");
      std::size_t words = 0;
      for (const std::uint64_t words_max : {4, 3, 400, 40}) {
        const std::string column = "w60 " + text(random, words_max);
        words += static_cast<std::size_t>(std::ranges::count(column, ' '));
        insert->copied_text(column);
      }
      EXPECT_TRUE(insert->run());
      lengths.emplace_back(database_.last_id(), words);
    }
    EXPECT_TRUE(add_lengths(database_, lengths));
    EXPECT_TRUE(lengths_.update(database_));
  }

  // Most words are rare, and texts have very different lengths.
  static std::string text(base::Random& random, std::uint64_t words_max) {
    std::string text;
    for (std::uint64_t left = random.below(words_max); left > 0; --left) {
      text += 'w' + std::to_string(random.below(1 + random.below(1 + random.below(60)))) + ' ';
    }
    return text;
  }

  Scores scores(const std::string& score, const std::string& match) {
    auto statement =
        database_.prepare("SELECT rowid, " + score + " FROM fts WHERE fts MATCH ? ORDER BY 2 DESC");
    EXPECT_TRUE(statement.has_value());
    statement->text(match);
    Scores scores;
    while (true) {
      const auto row = statement->step();
      EXPECT_TRUE(row.has_value()) << row.error().to_string();
      if (!row || !*row) return scores;
      scores[statement->number_at(0)] = statement->decimal_at(1);
    }
  }

  std::vector<BestPages::Page> best(const std::string& match, std::vector<BestPages::Term> terms) {
    BestPages best(std::move(terms), lengths_, kBest);
    auto statement =
        database_.prepare("SELECT best_rank(fts, ?, rowid) FROM fts WHERE fts MATCH ?");
    EXPECT_TRUE(statement.has_value());
    bind_best(*statement, best);
    statement->text(match);
    while (true) {
      const auto row = statement->step();
      EXPECT_TRUE(row.has_value()) << row.error().to_string();
      if (!row || !*row) return best.take();
    }
  }

  static constexpr int kPages = 400;
  static constexpr std::size_t kBest = 20;
  store::Database database_;
  PageLengths lengths_;
};

TEST_F(BestRankTest, EqualsTheFunctionOfFts5ForTheBest) {
  struct Case {
    std::string match;
    std::vector<std::string> terms;
  };
  const std::vector<Case> cases = {
      {"w0", {"w0"}},
      {"w7", {"w7"}},
      {"w3 w9", {"w3", "w9"}},
      {"w5 AND w50", {"w5", "w50"}},
      {"\"w1 w2\"", {"\"w1 w2\""}},
      {"w5*", {"w5*"}},
      {"w3 NOT w40", {"w3"}},
      {"title: w2", {"title: w2"}},
  };
  for (const auto& [match, terms] : cases) {
    SCOPED_TRACE(match);
    const Scores exact = scores("-bm25(fts, 8, 4, 2, 1)", match);
    std::vector<BestPages::Term> rarities;
    for (const std::string& term : terms) {
      const auto with = static_cast<double>(scores("0.0", term).size());
      rarities.push_back({1, rarity_of(with, kPages)});
    }
    const auto found = best(match, rarities);
    ASSERT_GT(exact.size(), 5U);
    ASSERT_EQ(found.size(), std::min(kBest, exact.size()));
    std::vector<double> expected;
    for (const auto& [id, score] : exact) expected.push_back(score);
    std::ranges::sort(expected, std::greater<>());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].score, expected[i], 1e-9 * expected[i]);
      EXPECT_NEAR(found[i].score, exact.at(found[i].id), 1e-9 * expected[i]);
    }
  }
}

TEST_F(BestRankTest, CountsAPlaceOfSeveralFormsOnce) {
  const auto once = best("w4", {{1, 1.0}});
  EXPECT_EQ(best("w4 OR w4 OR w4", {{3, 1.0}}), once);
  EXPECT_NE(best("w4 OR w5", {{2, 1.0}}), once);
}

TEST_F(BestRankTest, NeedsItsOwnPointer) {
  auto statement = database_.prepare("SELECT best_rank(fts, 1, 2) FROM fts WHERE fts MATCH 'w0'");
  ASSERT_TRUE(statement.has_value());
  EXPECT_FALSE(statement->step().has_value());
}

}  // namespace
}  // namespace gossamer::index
