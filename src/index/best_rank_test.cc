// The scores of the best pages are those of SQLite's own function.
#include "index/best_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
    for (int i = 0; i < 400; ++i) {
      auto insert = database_.prepare("INSERT INTO fts VALUES(?, ?, ?, ?)");
      for (const std::uint64_t words_max : {4, 3, 400, 40})
        insert->copied_text(text(random, words_max));
      EXPECT_TRUE(insert->run());
    }
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

  store::Database database_;
};

constexpr int kBest = 20;

TEST_F(BestRankTest, EqualsTheFunctionOfFts5ForTheBest) {
  for (const std::string match : {"w0", "w7", "w40", "w3 w9", "w3 OR w50 OR w58", "\"w1 w2\"",
                                  "w5*", "w3 NOT w40", "title: w2", "{title url}: w1 OR w8"}) {
    SCOPED_TRACE(match);
    const Scores exact = scores("-bm25(fts, 8, 4, 2, 1)", match);
    const Scores found = scores("best_rank(fts, 20)", match);
    ASSERT_GT(exact.size(), 5U);
    ASSERT_EQ(found.size(), exact.size());
    std::vector<double> best;
    for (const auto& [id, score] : exact) best.push_back(score);
    std::ranges::sort(best, std::greater<>());
    const double least = best[std::min<std::size_t>(kBest, best.size()) - 1];
    for (const auto& [id, score] : exact) {
      if (score >= least) {
        EXPECT_NEAR(found.at(id), score, 1e-9 * score);
      } else {
        EXPECT_LT(found.at(id), least);
        EXPECT_GE(found.at(id), score - 1e-9 * score);
      }
    }
  }
}

TEST_F(BestRankTest, ReadsTheLengthsOfFewPages) {
  base::Random random(2);
  for (int i = 0; i < 200; ++i) {
    auto insert = database_.prepare("INSERT INTO fts VALUES(?, '', ?, ?)");
    insert->text(i < kBest ? "rare" : "").copied_text(text(random, 100)).text("rare");
    EXPECT_TRUE(insert->run());
  }
  const Scores exact = scores("-bm25(fts, 8, 4, 2, 1)", "rare");
  const Scores found = scores("best_rank(fts, 20)", "rare");
  // A page whose length was read has its exact score.
  EXPECT_EQ(std::ranges::count_if(found,
                                  [&](const auto& page) {
                                    return std::abs(page.second - exact.at(page.first)) < 1e-9;
                                  }),
            kBest);
}

TEST_F(BestRankTest, NeedsACount) {
  auto statement = database_.prepare("SELECT best_rank(fts) FROM fts WHERE fts MATCH 'w0'");
  ASSERT_TRUE(statement.has_value());
  EXPECT_FALSE(statement->step().has_value());
}

}  // namespace
}  // namespace gossamer::index
