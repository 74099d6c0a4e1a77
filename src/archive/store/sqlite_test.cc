#include "store/sqlite.h"

#include <gtest/gtest.h>
#include <tests/support/open_descriptors.h>
#include <tests/support/temporary_folder.h>

#include <fstream>
#include <string>

namespace gossamer::store {
namespace {

class SqliteTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  // A database with one row.
  void make(const std::string& name) const {
    auto database = Database::open(path(name), Database::Access::write);
    ASSERT_TRUE(database) << database.error().to_string();
    ASSERT_TRUE(database->execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)"));
  }
  static std::int64_t first_number(Database& database) {
    auto statement = database.prepare("SELECT a FROM t");
    EXPECT_TRUE(statement);
    EXPECT_TRUE(statement->step().value_or(false));
    const std::int64_t number = statement->number_at(0);
    EXPECT_FALSE(statement->step().value_or(true)) << "there is one row";
    return number;
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(SqliteTest, EveryKindOfValueIsReadAsItWasWritten) {
  auto database = Database::open(path("a"), Database::Access::write);
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->execute("CREATE TABLE t (a, b, c, d, e, f, g, h)"));
  auto insert = database->prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  ASSERT_TRUE(insert);
  insert->text("text").copied_text(std::string("copied")).blob({"b\0b", 3}).number(-5);
  insert->decimal(0.25).null().text({}).blob({});
  ASSERT_TRUE(insert->run());
  EXPECT_EQ(database->last_id(), 1);
  auto row = database->prepare("SELECT * FROM t");
  ASSERT_TRUE(row->step().value_or(false));
  EXPECT_EQ(row->text_at(0), "text");
  EXPECT_EQ(row->text_at(1), "copied");
  EXPECT_EQ(row->blob_at(2), std::string_view("b\0b", 3));
  EXPECT_EQ(row->number_at(3), -5);
  EXPECT_EQ(row->decimal_at(4), 0.25);
  for (int column = 0; column < 8; ++column) EXPECT_EQ(row->is_null_at(column), column == 5);
  EXPECT_EQ(row->text_at(5), "");
  EXPECT_EQ(row->blob_at(5), "");
}

TEST_F(SqliteTest, AResetStatementHasNoValues) {
  auto database = Database::open(path("a"), Database::Access::write);
  ASSERT_TRUE(database->execute("CREATE TABLE t (a)"));
  auto insert = database->prepare("INSERT INTO t VALUES (?)");
  ASSERT_TRUE(insert->number(1).run());
  ASSERT_TRUE(insert->run());
  auto rows = database->prepare("SELECT a FROM t ORDER BY rowid");
  ASSERT_TRUE(rows->step().value_or(false));
  EXPECT_FALSE(rows->is_null_at(0));
  ASSERT_TRUE(rows->step().value_or(false));
  EXPECT_TRUE(rows->is_null_at(0));
}

TEST_F(SqliteTest, AValueWithoutAParameterFailsTheNextStepOnly) {
  auto database = Database::open(path("a"), Database::Access::write);
  auto statement = database->prepare("SELECT ?");
  statement->number(1).number(2);
  EXPECT_FALSE(statement->step());
  statement->reset();
  ASSERT_TRUE(statement->number(3).step().value_or(false));
  EXPECT_EQ(statement->number_at(0), 3);
}

TEST_F(SqliteTest, FailuresHaveTheirKind) {
  EXPECT_EQ(Database::open(path("none"), Database::Access::read).error(), Errc::not_found);
  make("a");
  auto database = Database::open(path("a"), Database::Access::read);
  ASSERT_TRUE(database);
  EXPECT_EQ(database->execute("INSERT INTO t VALUES (8)").error(), Errc::denied);
  EXPECT_EQ(database->execute("nonsense").error(), Errc::io_failed);
  EXPECT_EQ(database->prepare("nonsense").error(), Errc::io_failed);
  EXPECT_EQ(database->error(), Errc::io_failed);
  std::ofstream(path("text")) << std::string(5000, 'x');
  auto text = Database::open(path("text"), Database::Access::write);
  ASSERT_TRUE(text) << "it is read later";
  EXPECT_EQ(text->execute("CREATE TABLE t (a)").error(), Errc::malformed);
}

TEST_F(SqliteTest, ATransactionLastsUntilItsCommit) {
  auto database = Database::open(path("a"), Database::Access::write);
  EXPECT_FALSE(database->is_in_transaction());
  ASSERT_TRUE(database->execute("BEGIN"));
  EXPECT_TRUE(database->is_in_transaction());
  ASSERT_TRUE(database->execute("COMMIT"));
  EXPECT_FALSE(database->is_in_transaction());
}

TEST_F(SqliteTest, AnImmutableFileMayHaveAnyName) {
  for (const std::string name : {"a.db", "what?.db", "c#.db", "50%25.db"}) {
    make(name);
    auto database = Database::open(path(name), Database::Access::immutable);
    ASSERT_TRUE(database) << name;
    EXPECT_EQ(first_number(*database), 7) << name;
    EXPECT_FALSE(database->execute("DELETE FROM t")) << name;
  }
}

TEST_F(SqliteTest, AClosedDatabaseLeavesNoDescriptor) {
  make("a");
  const std::size_t before = support::open_descriptors();
  {
    auto database = Database::open(path("a"), Database::Access::read);
    EXPECT_EQ(first_number(*database), 7);
  }
  EXPECT_EQ(support::open_descriptors(), before);
}

TEST_F(SqliteTest, AStatementCanBeResetBeforeItsLastRow) {
  make("a");
  auto database = Database::open(path("a"), Database::Access::write);
  ASSERT_TRUE(database->execute("INSERT INTO t VALUES (8), (9)"));
  auto rows = database->prepare("SELECT a FROM t WHERE a >= ? ORDER BY a");
  for (const std::int64_t first : {7, 8}) {
    ASSERT_TRUE(rows->number(first).step().value_or(false));
    EXPECT_EQ(rows->number_at(0), first);
    rows->reset();
  }
}

// Only functions of our own see what a pointer points to.
TEST_F(SqliteTest, APointerIsAParameterLikeOthers) {
  auto database = Database::open(path("a"), Database::Access::write);
  auto statement = database->prepare("SELECT ?, ?");
  int pointed = 0;
  ASSERT_TRUE(statement->pointer(&pointed, "int").number(5).step().value_or(false));
  EXPECT_TRUE(statement->is_null_at(0));
  EXPECT_EQ(statement->number_at(1), 5);
}

}  // namespace
}  // namespace gossamer::store
