#include "store/sqlite.h"

#include <sqlite3.h>

namespace gossamer::store {
namespace {

Errc errc_of(int code) {
  switch (code & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT: return Errc::malformed;
    case SQLITE_INTERRUPT: return Errc::cancelled;
    case SQLITE_FULL: return Errc::no_space;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY: return Errc::denied;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Errc::unavailable;
    case SQLITE_NOMEM: return Errc::no_resources;
    case SQLITE_CANTOPEN: return Errc::not_found;
    default: return Errc::io_failed;
  }
}

Error error_of(sqlite3* database) {
  if (database == nullptr) return Error(Errc::no_resources, "no memory");
  return Error(errc_of(sqlite3_errcode(database)), sqlite3_errmsg(database));
}

constexpr int kLockPatienceMilliseconds = 10'000;

// "file:PATH?immutable=1". Signs with a meaning in URIs are escaped.
std::string immutable_uri(std::string_view path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      uri += '%';
      uri += kDigits[static_cast<unsigned char>(c) >> 4];
      uri += kDigits[static_cast<unsigned char>(c) & 0xF];
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

void Statement::note(int done) {
  if (done != SQLITE_OK) failure_ = done;
}

Statement& Statement::text(std::string_view value) {
  // A view without data would be NULL.
  const char* const data = value.data() == nullptr ? "" : value.data();
  note(sqlite3_bind_text64(statement_.get(), ++bound_, data, value.size(), SQLITE_STATIC,
                           SQLITE_UTF8));
  return *this;
}

Statement& Statement::copied_text(std::string_view value) {
  const char* const data = value.data() == nullptr ? "" : value.data();
  note(sqlite3_bind_text64(statement_.get(), ++bound_, data, value.size(), SQLITE_TRANSIENT,
                           SQLITE_UTF8));
  return *this;
}

Statement& Statement::blob(std::string_view value) {
  const char* const data = value.data() == nullptr ? "" : value.data();
  note(sqlite3_bind_blob64(statement_.get(), ++bound_, data, value.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::number(std::int64_t value) {
  note(sqlite3_bind_int64(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::decimal(double value) {
  note(sqlite3_bind_double(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::null() {
  sqlite3_bind_null(statement_.get(), ++bound_);
  return *this;
}

Statement& Statement::pointer(void* value, const char* type) {
  note(sqlite3_bind_pointer(statement_.get(), ++bound_, value, type, nullptr));
  return *this;
}

Result<bool> Statement::step() {
  if (failure_ != 0) return fail(errc_of(failure_), sqlite3_errstr(failure_));
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW: return true;
    case SQLITE_DONE: return false;
    default: return fail(error_of(sqlite3_db_handle(statement_.get())));
  }
}

Result<void> Statement::run() {
  auto stepped = step();
  reset();
  if (!stepped) return fail(std::move(stepped).error());
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  bound_ = 0;
  failure_ = 0;
}

std::string_view Statement::text_at(int column) {
  const auto* const data =
      reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Statement::blob_at(int column) {
  const auto* const data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::int64_t Statement::number_at(int column) {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::decimal_at(int column) { return sqlite3_column_double(statement_.get(), column); }

bool Statement::is_null_at(int column) {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void Database::Closer::operator()(sqlite3* database) const noexcept { sqlite3_close(database); }

Result<Database> Database::open(const std::string& path, Access access, const char* file_system) {
  sqlite3* opened = nullptr;
  const bool is_immutable = access == Access::immutable;
  // One thread uses a connection at a time. sqlite3_interrupt() may come from another one.
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  flags |=
      access == Access::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  if (is_immutable) flags |= SQLITE_OPEN_URI;
  const std::string name = is_immutable ? immutable_uri(path) : path;
  const int code = sqlite3_open_v2(name.c_str(), &opened, flags, file_system);
  Database database(opened);
  if (code != SQLITE_OK) return fail(database.error());
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, kLockPatienceMilliseconds);
  return database;
}

Result<void> Database::execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return fail(error());
  }
  return {};
}

bool Database::is_in_transaction() const { return sqlite3_get_autocommit(database_.get()) == 0; }

std::int64_t Database::last_id() const { return sqlite3_last_insert_rowid(database_.get()); }

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return fail(error());
  return Statement(statement);
}

Error Database::error() const { return error_of(database_.get()); }

}  // namespace gossamer::store
