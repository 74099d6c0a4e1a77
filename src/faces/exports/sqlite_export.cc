#include "exports/sqlite_export.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "captures/archived_links.h"
#include "content/extracted.h"
#include "engine/setup/options.h"
#include "exports/archived_fields.h"
#include "html/links/link.h"
#include "record/outcome.h"
#include "report/audit.h"
#include "report/collector.h"
#include "settings/random_salt.h"
#include "store/sqlite.h"
#include "url/url.h"

namespace gossamer::exports {
namespace {

// Binds NULL for an empty text. The text is copied.
store::Statement& text_or_null(store::Statement& row, std::string_view value) {
  return value.empty() ? row.null() : row.copied_text(value);
}
store::Statement& number(store::Statement& row, std::uint64_t value) {
  return row.number(static_cast<std::int64_t>(value));
}

std::string column_name(std::string_view field) {
  std::string name(field);
  std::ranges::replace(name, '.', '_');
  return name;
}

// SQLite does not distinguish capitals, so a second such name gets a number.
std::vector<std::string> column_names(const crawler::FieldChoice& fields) {
  std::vector<std::string> names;
  for (const crawler::ChosenField& chosen : fields) {
    const std::string wanted = column_name(chosen.name());
    std::string name = wanted;
    const auto is_same = [&name](const std::string& other) {
      return base::equals_ignoring_case(name, other);
    };
    for (int number = 2; std::ranges::any_of(names, is_same); ++number) {
      name = wanted + "_" + std::to_string(number);
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::string_view column_type(crawler::FieldKind kind) {
  switch (kind) {
    case crawler::FieldKind::text: return "TEXT";
    case crawler::FieldKind::decimal: return "REAL";
    default: return "INTEGER";
  }
}

void add_value(store::Statement& row, crawler::FieldKind kind, const crawler::FieldValue& value) {
  if (value.state != crawler::FieldValue::State::given) {
    row.null();
    return;
  }
  switch (kind) {
    case crawler::FieldKind::text: row.copied_text(value.text); return;
    case crawler::FieldKind::number: number(row, value.number); return;
    case crawler::FieldKind::decimal: row.decimal(value.decimal); return;
    case crawler::FieldKind::boolean: row.number(value.boolean ? 1 : 0); return;
  }
}

// The element of a sitemap with the URL of a page.
constexpr std::string_view kSitemapEntry = "loc";

struct HostCounts {
  std::uint64_t pages = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;
};

// The database until it is complete. The destructor removes an incomplete one.
class DatabaseDraft {
 public:
  // Fails with Errc::exists if another process is writing it.
  static Result<DatabaseDraft> open(const std::string& path) {
    DatabaseDraft draft(path);
    draft.descriptor_ =
        ::open(draft.name_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (draft.descriptor_ < 0) return fail(Error::from_errno(errno, "cannot create " + path));
    if (flock(draft.descriptor_, LOCK_EX | LOCK_NB) != 0) {
      draft.is_ours_ = false;
      return fail(Errc::exists, draft.name_ + " is being written by another process");
    }
    draft.is_ours_ = true;
    if (ftruncate(draft.descriptor_, 0) != 0) {
      return fail(Error::from_errno(errno, "cannot write " + path));
    }
    return draft;
  }
  DatabaseDraft(DatabaseDraft&& other) noexcept
      : path_(std::move(other.path_)),
        name_(std::move(other.name_)),
        descriptor_(std::exchange(other.descriptor_, -1)),
        is_ours_(std::exchange(other.is_ours_, false)) {}
  DatabaseDraft& operator=(DatabaseDraft&&) = delete;
  ~DatabaseDraft() {
    if (is_ours_) unlink(name_.c_str());
    if (descriptor_ >= 0) close(descriptor_);
  }

  const std::string& name() const { return name_; }

  // REQUIRES: the database is closed.
  Result<void> commit() {
    if (std::rename(name_.c_str(), path_.c_str()) != 0)
      return fail(Error::from_errno(errno, "cannot write " + path_));
    is_ours_ = false;
    return {};
  }

 private:
  explicit DatabaseDraft(const std::string& path) : path_(path), name_(path + ".gossamer-part") {}

  std::string path_;
  std::string name_;
  int descriptor_ = -1;
  bool is_ours_ = false;
};

class SqliteExport {
 public:
  SqliteExport(store::Database database, crawler::FieldChoice fields)
      : database_(std::move(database)),
        fields_(fields.empty() ? crawler::stored_record_fields()
                               : crawler::with_unique_keys(fields)) {}

  Result<void> run(const store::StoredCrawl& kept) {
    if (auto made = make_tables(); !made) return made;
    if (auto written = write_pages(kept); !written) return written;
    if (auto written = write_links(kept); !written) return written;
    if (auto written = write_skips(kept); !written) return written;
    if (auto written = write_hosts(); !written) return written;
    if (auto written = write_audit(); !written) return written;
    return database_.execute("COMMIT");
  }
  SqliteSummary take_summary() { return std::move(summary_); }

 private:
  Result<void> make_tables() {
    std::string columns;
    std::string places;
    const std::vector<std::string> names = column_names(fields_);
    for (std::size_t at = 0; at < fields_.size(); ++at) {
      if (!columns.empty()) columns += ", ";
      columns.append("\"").append(names[at]).append("\" ");
      columns.append(column_type(fields_[at].field->kind));
      places += places.empty() ? "?" : ", ?";
    }
    insert_page_ = "INSERT INTO pages VALUES (" + places + ")";
    // An unfinished draft is removed, so no journal is needed to undo it.
    return database_.execute(
        "PRAGMA journal_mode = OFF; BEGIN; CREATE TABLE pages (" + columns +
        ");"
        "CREATE TABLE links (from_url TEXT, to_url TEXT, fragment TEXT, kind TEXT, element TEXT,"
        " rel TEXT, text TEXT, is_page INTEGER);"
        "CREATE TABLE items (url TEXT, number INTEGER, extracted TEXT);"
        "CREATE TABLE skips (url TEXT, reason TEXT, detail TEXT, depth INTEGER, via TEXT);"
        "CREATE TABLE hosts (name TEXT PRIMARY KEY, pages INTEGER, failed INTEGER, bytes INTEGER);"
        "CREATE TABLE audit (url TEXT, rule TEXT, other_url TEXT, detail TEXT);"
        "CREATE INDEX pages_url ON pages (url)");
  }

  Result<void> write_pages(const store::StoredCrawl& kept) {
    auto row = database_.prepare(insert_page_);
    if (!row) return fail(std::move(row).error());
    auto item_row = database_.prepare("INSERT INTO items VALUES (?, ?, ?)");
    if (!item_row) return fail(std::move(item_row).error());
    Result<void> written;
    std::string scratch;
    ArchivedFields archived(kept.folder(), fields_);
    auto read = kept.for_each_page([&](const crawler::FetchRecord& stored) {
      const crawler::FetchRecord& record = archived.complete(stored);
      for (const crawler::ChosenField& chosen : fields_) {
        add_value(*row, chosen.field->kind, chosen.value(record, scratch));
      }
      count(record);
      collector_.add(record);
      written = row->run();
      if (written) written = write_items(*item_row, record);
      return written.has_value();
    });
    summary_.missing = archived.missing();
    summary_.first_missing = archived.first_missing();
    return read ? std::move(written) : std::move(read);
  }
  static Result<void> write_items(store::Statement& row, const crawler::FetchRecord& record) {
    Result<void> written;
    for (const auto item : content::rows_of(record.extracted)) {
      if (item.front().item == 0 || !written) break;
      const std::string fields = content::row_json(item);
      written = number(row.text(record.url), item.front().item).text(fields).run();
    }
    return written;
  }

  // REQUIRES: the pages are there.
  Result<void> write_links(const store::StoredCrawl& kept) {
    auto row = database_.prepare(
        "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?,"
        " EXISTS (SELECT 1 FROM pages WHERE url = ?2))");
    if (!row) return fail(std::move(row).error());
    captures::ArchivedLinks links(kept.folder().archive());
    Result<void> written;
    bool has_pages = false;
    bool has_archive = false;
    auto read = kept.for_each_page([&](const crawler::FetchRecord& record) {
      has_pages = has_pages || crawler::outcome_of(record) == crawler::Outcome::page;
      has_archive = has_archive || record.archive;
      auto listed = links.for_each(record, [&](const captures::ArchivedLink& link) {
        if (link.tag == kSitemapEntry) note_listed(link.url);
        std::string element(link.tag);
        if (!link.attribute.empty()) element.append(".").append(link.attribute);
        row->text(record.url).text(link.url);
        text_or_null(*row, link.fragment).text(html::name(link.kind)).text(element);
        text_or_null(*row, link.rel);
        written = text_or_null(*row, link.text).run();
        return written.has_value();
      });
      if (!listed && summary_.unread++ == 0) {
        summary_.first_unread = record.url + ": " + listed.error().message();
      }
      return written.has_value();
    });
    if (!read || !written) return read ? std::move(written) : std::move(read);
    summary_.lacks_archive = has_pages && !has_archive;
    return database_.execute(
        "CREATE INDEX links_from ON links (from_url);"
        "CREATE INDEX links_to ON links (to_url)");
  }

  Result<void> write_skips(const store::StoredCrawl& kept) {
    auto row = database_.prepare("INSERT INTO skips VALUES (?, ?, ?, ?, ?)");
    if (!row) return fail(std::move(row).error());
    Result<void> written;
    auto read = kept.for_each_skip([&](const store::StoredSkip& skip) {
      row->text(skip.url).text(crawler::name(skip.reason));
      number(text_or_null(*row, skip.detail), skip.depth);
      written = text_or_null(*row, skip.via).run();
      return written.has_value();
    });
    return read ? std::move(written) : std::move(read);
  }

  Result<void> write_hosts() {
    auto row = database_.prepare("INSERT INTO hosts VALUES (?, ?, ?, ?)");
    if (!row) return fail(std::move(row).error());
    for (const auto& [name, counts] : hosts_) {
      row->text(name);
      for (const std::uint64_t count : {counts.pages, counts.failed, counts.bytes}) {
        number(*row, count);
      }
      if (auto written = row->run(); !written) return written;
    }
    return {};
  }

  // Pages without metadata have no faults.
  Result<void> write_audit() {
    auto row = database_.prepare("INSERT INTO audit VALUES (?, ?, ?, ?)");
    if (!row) return fail(std::move(row).error());
    Result<void> written;
    collector_.for_each_fault([&](const report::AuditFinding& finding) {
      row->text(finding.url).text(report::name(finding.rule));
      text_or_null(*row, finding.other);
      written = text_or_null(*row, finding.detail).run();
      return written.has_value();
    });
    return written;
  }

  void note_listed(std::string_view url) {
    report::LinkGraph& graph = collector_.graph();
    const report::LinkGraph::Id id = graph.add(url);
    if (id != report::LinkGraph::kNone) graph[id].is_listed = true;
  }

  void count(const crawler::FetchRecord& record) {
    const auto url = url::Url::parse(record.url);
    if (!url) return;
    HostCounts& host = hosts_[std::string(url->host())];
    ++host.pages;
    if (crawler::outcome_of(record) == crawler::Outcome::error) ++host.failed;
    host.bytes += record.bytes;
  }

  store::Database database_;
  const crawler::FieldChoice fields_;
  std::string insert_page_;
  std::map<std::string, HostCounts> hosts_;
  report::Collector collector_{crawler::Settings().identity, run::random_salt(), {}};
  SqliteSummary summary_;
};

}  // namespace

Result<SqliteSummary> export_sqlite(const store::StoredCrawl& kept, const std::string& path,
                                    crawler::FieldChoice fields) {
  struct stat found = {};
  if (stat(path.c_str(), &found) == 0 && (!S_ISREG(found.st_mode) || found.st_size > 0)) {
    return fail(Errc::exists, path + " already exists");
  }
  auto draft = DatabaseDraft::open(path);
  if (!draft) return fail(std::move(draft).error());
  SqliteSummary summary;
  {
    auto database = store::Database::open(draft->name(), store::Database::Access::write);
    if (!database) return fail(std::move(database).error(), draft->name());
    SqliteExport exporting(std::move(*database), std::move(fields));
    if (auto done = exporting.run(kept); !done) return fail(std::move(done).error());
    summary = exporting.take_summary();
  }
  if (auto done = draft->commit(); !done) return fail(std::move(done).error());
  return summary;
}

}  // namespace gossamer::exports
