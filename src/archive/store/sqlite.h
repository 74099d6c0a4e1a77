// A thin layer over SQLite: databases and statements that close themselves, failures as values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gossamer::store {

// A statement is bound, stepped and reset, as often as needed. BORROWS: its database.
class Statement {
 public:
  // Parameters from left to right. BORROWS: texts and blobs, until reset().
  Statement& text(std::string_view value);
  // Copies the text, for values that do not live until reset().
  Statement& copied_text(std::string_view value);
  Statement& blob(std::string_view value);
  Statement& number(std::int64_t value);
  Statement& decimal(double value);
  Statement& null();
  // For a function of our own, which requires the same type. BORROWS: both, until reset().
  Statement& pointer(void* value, const char* type);

  // Returns whether there is a row. The first failure of a bind is reported here. Fails like
  // Database::execute().
  Result<bool> step();
  // Steps once and resets, for statements without rows.
  Result<void> run();
  void reset();

  // Columns of the row. BORROWS: views, until the next step.
  std::string_view text_at(int column);
  std::string_view blob_at(int column);
  std::int64_t number_at(int column);
  double decimal_at(int column);
  bool is_null_at(int column);

 private:
  friend class Database;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  void note(int done);

  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  int bound_ = 0;
  int failure_ = 0;  // of a bind; 0: none
};

class Database {
 public:
  enum class Access : std::uint8_t {
    read,
    write,      // created if necessary
    immutable,  // a file that nobody changes, in a folder that cannot be written
  };
  // `file_system`: one that SQLite knows; nullptr: that of the system. Fails with the error of
  // SQLite.
  static Result<Database> open(const std::string& path, Access access,
                               const char* file_system = nullptr);

  sqlite3* get() const { return database_.get(); }
  // Runs statements without parameters. Fails with Errc::malformed if the file is damaged or not a
  // database, Errc::cancelled if it was interrupted, Errc::no_space, Errc::denied,
  // Errc::unavailable if another process holds the lock, and otherwise with Errc::io_failed.
  Result<void> execute(const std::string& sql);
  // Whether BEGIN was called and neither COMMIT nor a failure has ended it.
  bool is_in_transaction() const;
  // The id of the row that the last INSERT of this connection made.
  std::int64_t last_id() const;
  // BORROWS: the database.
  Result<Statement> prepare(std::string_view sql);
  // The last failure, as the functions above report it.
  Error error() const;

 private:
  struct Closer {
    void operator()(sqlite3* database) const noexcept;
  };
  explicit Database(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, Closer> database_;
};

}  // namespace gossamer::store
