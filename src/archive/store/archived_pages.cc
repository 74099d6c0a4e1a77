#include "store/archived_pages.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "engine/page/page_reading.h"
#include "store/archive_file.h"
#include "store/warc_walk.h"
#include "url/url.h"
#include "warc/answer_reader.h"
#include "wire/content_type.h"

namespace gossamer::store {
namespace {

class PageVisitor final : public RecordVisitor, public warc::PayloadSink {
 public:
  explicit PageVisitor(std::move_only_function<void(crawler::FetchRecord)> use)
      : use_(std::move(use)) {}

  void begin_file_named(std::string name) { file_ = std::move(name); }

  void begin_record(const warc::RecordHead& head, const warc::Extent&) override {
    reader_.reset();
    has_begun_ = false;
    if (!warc::is_answer(head.type)) return;
    const auto url = url::Url::parse(head.target_uri());
    if (!url || !head.has_http() || url->pathname() == "/robots.txt") return;
    reader_.emplace(head, warc::PayloadOptions(), *this);
  }
  void block(Bytes piece) override {
    if (reader_) reader_->feed(piece);
  }
  void end_record(const warc::RecordHead& head, const warc::Extent& extent) override {
    if (!reader_) return;
    const warc::Answer answer = reader_->finish(extent.is_whole);
    // A page that the server did not send again keeps its record.
    if (answer.status() == 0 || answer.status() == 304) return reader_.reset();
    crawler::FetchRecord record;
    record.archive = {.file = file_, .offset = extent.member_offset, .length = extent.member_bytes};
    record.ts = answer.at.value_or(WallTime());
    record.is_truncated = !answer.is_whole;
    take_head(*answer.http, *url::Url::parse(head.target_uri()), record);
    take_body(head, answer, record);
    reader_.reset();
    use_(std::move(record));
  }
  void fault(const warc::Fault& fault) override { faults += fault.is_warning ? 0 : 1; }

  std::uint64_t faults = 0;

 private:
  // What a later record says about its body when it only refers to this one.
  struct Body {
    std::uint64_t bytes = 0;
    std::uint64_t digest = 0;
    std::string charset;
    std::string title;
  };

  void put(Bytes piece) override {
    begin_body();
    reading_.feed(piece);
  }
  void begin_body() {
    if (std::exchange(has_begun_, true)) return;
    const auto& http = reader_->http();
    const auto type =
        http ? wire::MimeType::parse(http->fields.find("Content-Type").value_or("")) : std::nullopt;
    reading_.begin(crawler::body_kind(type, {}),
                   type ? type->parameter("charset").value_or("") : std::string_view(), "");
  }

  static void take_head(const warc::HttpHead& http, const url::Url& url,
                        crawler::FetchRecord& record) {
    record.url = url.without_fragment();
    record.status = http.status();
    if (const auto type = wire::MimeType::parse(http.fields.find("Content-Type").value_or(""))) {
      record.mime = type->essence();
      record.charset = type->parameter("charset").value_or("");
    }
    record.etag = http.fields.find("ETag").value_or("");
    record.last_modified = http.fields.find("Last-Modified").value_or("");
    const auto place = http.fields.find("Location");
    if (!place || *record.status < 300 || *record.status > 399) return;
    if (const auto next = url.resolve(*place)) record.next_url = next->without_fragment();
  }

  void take_body(const warc::RecordHead& head, const warc::Answer& answer,
                 crawler::FetchRecord& record) {
    const Body* body = nullptr;
    if (answer.original) {
      const auto first = bodies_.find(base::hash64(answer.original->record_id));
      if (first != bodies_.end()) body = &first->second;
      record.is_truncated = false;
    } else {
      begin_body();
      reading_.finish();
      body = &(bodies_[base::hash64(head.record_id())] = {
                   .bytes = reading_.bytes(),
                   .digest = reading_.digest(),
                   .charset = reading_.encoding() ? std::string(reading_.charset()) : std::string(),
                   .title = std::string(reading_.title())});
    }
    if (body == nullptr) return;
    record.bytes = body->bytes;
    if (*record.status < 200 || *record.status > 299) return;  // crawls read no other bodies
    record.digest = body->digest;
    record.title = body->title;
    if (!body->charset.empty()) record.charset = body->charset;
  }

  std::move_only_function<void(crawler::FetchRecord)> use_;
  std::string file_;
  std::optional<warc::AnswerReader> reader_;  // empty: the record is not a page
  crawler::PageReading reading_;
  std::unordered_map<std::uint64_t, Body> bodies_;  // by the hash of the record's id
  bool has_begun_ = false;
};

}  // namespace

Result<ArchivedPagesSummary> for_each_archived_page(
    const std::string& folder, std::move_only_function<void(crawler::FetchRecord)> use) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(folder, error)) return ArchivedPagesSummary();
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::string name = entry->path().filename();
    // A killed crawl leaves its last file like this. walk_in() finds it.
    if (name.ends_with(".open")) name.resize(name.size() - std::string_view(".open").size());
    if (name.ends_with(".warc.gz")) names.push_back(std::move(name));
  }
  if (error) return fail(Error::from_errno(error.value(), "cannot list " + folder));
  std::ranges::sort(names);  // a record refers to earlier ones
  PageVisitor visitor(std::move(use));
  for (const std::string& name : names) {
    visitor.begin_file_named(name);
    if (!walk_in(folder, name, 0, visitor)) ++visitor.faults;
  }
  return ArchivedPagesSummary{.faults = visitor.faults};
}

}  // namespace gossamer::store
