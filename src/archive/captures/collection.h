// The archives that are served: their captures, and the bytes of each.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "captures/answer_body.h"
#include "captures/capture_index.h"
#include "captures/read_answer.h"
#include "captures/work_limit.h"
#include "store/warc_walk.h"
#include "warc/answer_reader.h"

namespace gossamer::captures {

struct ServedArchive {
  enum class Kind : std::uint8_t { job, warc, wacz };

  Kind kind = Kind::warc;
  // The first archive that belongs to the same crawl: WARC files in one folder do. Itself, if none.
  std::uint32_t crawl = 0;
  std::string path;
  std::string name;                // the last part of the path
  std::vector<std::string> roots;  // of a job
  std::string state;               // of a job: "finished", ...; else empty
  bool is_busy = false;            // a crawl is writing it
  bool has_been_read = false;      // its records are in the index
  std::uint64_t captures = 0;
  std::uint64_t bytes = 0;
  std::uint64_t damage = 0;      // places in its files
  std::uint64_t job_damage = 0;  // of a job: its tables, and files that differ from its seal
  std::string failure;           // why it cannot be read; empty: it can
  std::string crawl_failure;     // of a job: why its tables cannot; a later try may clear both
};

std::string_view name(ServedArchive::Kind kind) noexcept;

// An archived answer. Its body has no transfer and content codings.
struct ArchivedAnswer : warc::Answer {
  AnswerBody body;
};

// Any thread may call the members. Those that read files block.
class Collection {
 public:
  // BOUND: larger bodies are not replayed.
  static constexpr std::size_t kBodyBytesMax = std::size_t{256} * 1024 * 1024;

  // Finds out what the paths are. Fails with the error of the first that is neither a crawl
  // directory nor a readable file.
  static Result<std::unique_ptr<Collection>> open(const std::vector<std::string>& paths);

  // Adds a crawl directory that has appeared since, and returns its number. Fails if it is none
  // yet.
  Result<std::uint32_t> add(const std::string& folder);

  // Reads what is new: at first everything, later what running crawls have added. Archives that
  // cannot be read have a `failure`. With `has_tables`, also reads the tables of running crawls
  // again, which takes long for large ones.
  void update(bool has_tables);

  // Makes update() and reading return soon, for good. Any thread may call it.
  void stop() noexcept { is_stopping_ = true; }

  // Calls `use(archives, index)` while neither changes.
  template <class Use>
  auto read(Use use) const {
    const std::shared_lock lock(mutex_);
    return use(archives_, index_);
  }

  // Which capture of a URL is meant.
  struct Wanted {
    const std::string& url;
    std::optional<WallTime> at;               // empty: the last capture
    std::optional<std::uint32_t> crawl = {};  // only of this one (ServedArchive::crawl); empty: any
    const Capture* but_not = nullptr;
  };
  // Returns the capture that is nearest in time; empty: there is none.
  std::optional<Capture> nearest(const Wanted& wanted) const;
  std::uint32_t crawl_of(const Capture& capture) const {
    const std::shared_lock lock(mutex_);
    return archives_[capture.archive].crawl;
  }

  // Reads the answer of a capture, with the body that a revisit refers to. Fails with
  // Errc::not_found if that is missing, with Errc::over_limit if the body is too large, with
  // Errc::no_space if there is no room for a temporary file, and with
  // the error of the system; with Errc::timed_out if the limit is over before.
  Result<ArchivedAnswer> answer_of(const Capture& capture,
                                   const WorkLimit& limit = WorkLimit::none()) const;
  // The same, but a page that was rendered is what the browser had, and has no HTTP head.
  Result<ArchivedAnswer> shown_of(const Capture& capture,
                                  const WorkLimit& limit = WorkLimit::none()) const;

 private:
  using Place = std::pair<std::uint64_t, std::uint32_t>;  // an offset and an ordinal
  struct File {
    std::uint32_t archive = 0;
    std::string path;                // of the file, without ".open"; of the package
    std::string member = {};         // in a package
    std::uint64_t read = 0;          // bytes that are in the index
    std::uint64_t size = 0;          // when it was last read
    std::optional<Place> last = {};  // the last record that is in the index
    bool is_ready = false;           // read to its end, and it will not grow
    bool is_in_job = false;          // in the folder `archive` of a crawl directory
  };
  struct Found;
  class IndexVisitor;
  // The record that a revisit refers to.
  struct OriginalPlace {
    std::optional<RecordPlace> place;  // empty: it is not archived
    bool is_foreign = false;           // it is in another archive
  };

  Collection() = default;
  // Returns the crawl directory at that path.
  static Result<ServedArchive> find_job(const std::string& path);
  Result<void> add_path(const std::string& path);
  // Returns its number.
  std::uint32_t append(ServedArchive archive);
  void list_job_files(std::uint32_t archive, const std::string& folder);
  void list_package(std::uint32_t archive, const std::string& path);
  void read_new_records(std::uint32_t file);
  void read_crawl(std::uint32_t archive, const std::string& path);
  void merge(std::vector<Found> batch);
  void note_failure(std::uint32_t archive, const Error& error);
  // Of the tables of a job; empty: they were read. A new crawl has none for a moment.
  void note_crawl_failure(std::uint32_t number, std::string reason);
  static Result<void> walk_file(const File& file, std::uint64_t offset,
                                store::RecordVisitor& visitor);
  // BORROWS: this.
  RecordWalk record_at(const RecordPlace& place) const;
  Result<RecordWalk> find_original(const Capture& capture, const warc::Answer& revisit) const;
  OriginalPlace place_of_original(const Capture& capture, const warc::Answer& revisit) const;

  mutable std::shared_mutex mutex_;  // guards the members below
  std::vector<ServedArchive> archives_;
  std::map<std::string, std::uint32_t> folders_;  // of WARC files: the first archive of each
  CaptureIndex index_;
  std::vector<File> files_;
  mutable std::mutex updating_;
  std::atomic<bool> is_stopping_ = false;
};

}  // namespace gossamer::captures
