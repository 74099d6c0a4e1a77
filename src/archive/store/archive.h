// Writes the archive of a crawl: WARC files, each named `.open` until it is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "async/event.h"
#include "async/file.h"
#include "async/mutex.h"
#include "async/task.h"
#include "async/thread_pool.h"
#include "base/error.h"
#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "record/body_file.h"
#include "record/capture.h"
#include "record/record.h"
#include "store/archive_files.h"
#include "store/archive_packing.h"
#include "store/archive_payloads.h"
#include "warc/cdxj.h"
#include "warc/record.h"

namespace gossamer::store {

using crawler::ArchivePlace;

struct ArchiveOptions {
  // Files are named NAME-00001.warc.gz, NAME-00002.warc.gz, ...
  std::string name = "crawl";
  // A file that would become larger is closed and the next one started; an exchange is never split.
  std::uint64_t file_bytes_max = 1'000'000'000;
  // BOUND: the bytes in memory that are being compressed and written; further put() calls wait. A
  // single exchange may be larger.
  std::uint64_t pending_bytes_max = 64 * 1024 * 1024;
  // BOUND: the bytes that the system holds before they are on the disk; put() syncs then.
  std::uint64_t unsynced_bytes_max = 64 * 1024 * 1024;
  // 1 to 12; higher is smaller and slower.
  int level = 1;
  // The fields of each file's warcinfo record.
  warc::Fields about;
  // Known payloads are not stored again: a revisit record refers to the first copy.
  // nullptr: all are stored. BORROWS.
  KnownPayloads* known = nullptr;
  // The source of record ids, so it must never repeat.
  std::uint64_t seed = 0;
  // The time of day, for warcinfo records.
  std::move_only_function<WallTime()> now;
  // Called with every line of the index, in the order of the records.
  std::move_only_function<void(const warc::CdxjEntry& entry)> on_entry;
};

// Writes exchanges to files in a folder. Compresses in the pool's threads and writes without
// blocking the loop. Belongs to one loop.
//
// Errors: Errc::no_space leaves the file unchanged, and a later attempt may succeed. Every other
// error is permanent: all later calls fail with it, and the last file stays `.open` until the next
// open() repairs it.
class Archive {
 public:
  // Repairs the files of an earlier run: each `.open` file is truncated after its last complete
  // record and closed; a file without one is removed. Writes nothing else yet.
  // BORROWS: files and pool, for the life of the archive.
  static async::Task<Result<std::unique_ptr<Archive>>> open(ArchiveFiles& files,
                                                            async::ThreadPool& pool,
                                                            ArchiveOptions options);
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  // Without close(), an `.open` file remains. REQUIRES: no call is waiting.
  ~Archive() = default;

  // Starts a file, so that a failure is known early. Otherwise put() does it. BORROWS: this.
  async::Task<Result<void>> begin();

  // Appends the records of an exchange and returns the place of its response or revisit. They are
  // in the file then, and durable after sync(). Waits while too much is being written. If it fails
  // with Errc::cancelled, either all records were written or none. BORROWS: this and the exchange.
  async::Task<Result<ArchivePlace>> put(const crawler::Exchange& exchange,
                                        std::optional<NotModified> not_modified = {});

  // Makes all exchanges so far survive a power cut. A failure is permanent: sync is never retried.
  // BORROWS: this.
  async::Task<Result<void>> sync();

  // Syncs the last file and gives it its final name. put() fails after this. BORROWS: this.
  async::Task<Result<void>> close();

  // The length of a file of an earlier run or a closed file: records after it are lost. Empty:
  // there is no such file. Does not know the file that is being written.
  std::optional<std::uint64_t> whole_length(std::string_view file) const;
  // The names of these files, in order.
  std::vector<std::string> closed_files() const;

  const std::optional<Error>& failure() const { return failure_; }

 private:
  struct Pending;
  // An exchange in the queue for the file, until it has an outcome or is dropped, for example when
  // memory runs out.
  struct Appending {
    Appending(std::deque<Appending*>& in, PackedExchange& exchange, const warc::Original* first,
              crawler::BodyFileReader* body)
        : line(in), packed(exchange), original(first), payload(body) {
      line.push_back(this);
    }
    ~Appending() {
      if (!outcome) std::erase(line, this);
    }
    Appending(const Appending&) = delete;
    Appending& operator=(const Appending&) = delete;

    std::deque<Appending*>& line;
    PackedExchange& packed;
    const warc::Original* original;               // nullptr: later records must not refer to it
    crawler::BodyFileReader* payload;             // nullptr: it is not in a file
    std::optional<Result<ArchivePlace>> outcome;  // empty: not written yet
  };

  Archive(ArchiveFiles& files, async::ThreadPool& pool, ArchiveOptions options);

  // --- files of an earlier run. BORROWS: this.
  async::Task<Result<void>> look_after();
  async::Task<Result<void>> repair(const std::string& name);          // BORROWS: the name
  async::Task<Result<std::uint64_t>> whole_bytes(async::File& file);  // BORROWS: the file
  std::optional<std::uint32_t> number_of(std::string_view name) const;
  std::string name_of(std::uint32_t number) const;

  // --- packing
  warc::RecordId draw_id();
  async::Task<Result<void>> wait_for_room(std::size_t bytes);
  // Computes the digests of a payload that is in a file. BORROWS: all.
  async::Task<Result<void>> digest(const crawler::Capture& capture,
                                   crawler::BodyFileReader& payload, PackingOrder& order);
  // Finds an earlier record with the same payload. BORROWS: both.
  async::Task<Result<void>> compare(const crawler::Exchange& exchange, PackingOrder& order);

  // --- writing, one batch at a time; never cancelled. BORROWS: this and the arguments.
  async::Task<Result<ArchivePlace>> append(PackedExchange& packed, const warc::Original* original,
                                           crawler::BodyFileReader* payload);
  // Writes the first waiting exchange and as many others as fit into one write, and sets their
  // outcomes.
  async::Task<void> append_some();
  // The number of waiting exchanges that fit into the current file; at least one.
  std::size_t batch_size() const;
  async::Task<Result<void>> write_batch(std::span<Appending* const> batch);  // BORROWS: the batch
  // Writes to the file, and syncs it if too much is unsynced. BORROWS: the bytes.
  async::Task<Result<void>> write(std::uint64_t offset, std::string_view bytes);
  // Writes an exchange whose payload is in a file, piece by piece. BORROWS: the exchange.
  async::Task<Result<void>> write_large(Appending& one);
  Result<ArchivePlace> note_place(const Appending& written);
  async::Task<Result<void>> begin_alone();
  async::Task<Result<void>> sync_alone();
  async::Task<Result<void>> close_alone();
  async::Task<Result<void>> prepare_file(std::size_t bytes);
  async::Task<Result<void>> begin_file();
  async::Task<Result<void>> sync_file();
  async::Task<Result<void>> close_file();
  async::Task<Error> take_back(Error error);
  std::string open_name() const { return file_name_ + std::string(kOpenSuffix); }
  // Makes the failure permanent and returns it.
  Error give_up(Error error);
  Result<void> is_usable() const;

  static constexpr std::string_view kOpenSuffix = ".open";

  ArchiveFiles& files_;
  async::ThreadPool& pool_;
  ArchiveOptions options_;
  base::Random random_;
  std::map<std::string, std::uint64_t, std::less<>> lengths_;  // of closed files
  std::uint32_t next_number_ = 1;

  async::Mutex entrance_;  // callers wait for room in turn
  async::Event has_room_;
  std::uint64_t pending_bytes_ = 0;
  ExchangePackers packers_;
  std::deque<Appending*> appending_;  // in the order of the file

  async::Mutex writing_;             // guards the members below
  std::optional<async::File> file_;  // empty: none is open
  std::string file_name_;            // its final name
  std::uint64_t end_ = 0;            // of the last complete record
  std::uint64_t first_ = 0;          // the offset after the warcinfo record
  bool is_synced_ = true;            // no change since the last sync
  std::uint64_t unsynced_bytes_ = 0;
  std::optional<Error> failure_;
  bool is_closed_ = false;
};

}  // namespace gossamer::store
