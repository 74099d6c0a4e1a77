// The archive of a crawl while it is written: WARC files, each `.open` until it is whole.
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
#include "crawl/page/capture.h"
#include "crawl/page/record.h"
#include "store/archive_files.h"
#include "store/archive_packing.h"
#include "store/archive_payloads.h"
#include "warc/cdxj.h"
#include "warc/record.h"

namespace gossamer::store {

using crawler::ArchivePlace;

struct ArchiveOptions {
  // Files are called NAME-00001.warc.gz and so on.
  std::string name = "crawl";
  // A file that would become larger is closed and the next one begun; one exchange is never parted.
  std::uint64_t file_bytes_max = 1'000'000'000;
  // BOUND: of what is being compressed and written; whoever has more waits. A single exchange may
  // be larger.
  std::uint64_t pending_bytes_max = 64 * 1024 * 1024;
  // 1 to 12; higher is smaller and dearer.
  int level = 1;
  // Of each file's warcinfo record.
  warc::Fields about;
  // Payloads that are there already are not stored again: a revisit record tells where they are.
  // nullptr: all are stored. BORROWS.
  KnownPayloads* known = nullptr;
  // Record ids are made of it: must not come twice.
  std::uint64_t seed = 0;
  // The time of day, for warcinfo records.
  std::move_only_function<WallTime()> now;
  // Told of every line of the index, in the order in which the records are written.
  std::move_only_function<void(const warc::CdxjEntry& entry)> on_entry;
};

// Writes exchanges into a folder. Compresses in the pool's threads and writes without holding the
// loop. Belongs to one loop.
//
// What fails: Errc::no_space leaves the file as if nothing had been tried, and a later try may
// succeed. Every other failure is for good: all that follows fails with it, and the last file stays
// `.open` for open() to look after.
class Archive {
 public:
  // Looks after what an earlier run left: each `.open` file of that name is cut behind its last
  // whole record and closed; one without any is removed. Writes nothing yet.
  // BORROWS: files and pool, for as long as the archive lives.
  static async::Task<Result<std::unique_ptr<Archive>>> open(ArchiveFiles& files,
                                                            async::ThreadPool& pool,
                                                            ArchiveOptions options);
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  // Whoever does not close() leaves an `.open` file behind. REQUIRES: nobody waits.
  ~Archive() = default;

  // Begins a file, so that it is known early that this can be done. Otherwise put() does it.
  // BORROWS: this.
  async::Task<Result<void>> begin();

  // Appends the records of an exchange and gives the place of its response or revisit. They are in
  // the file then, and durable after sync(). Waits while too much is on its way. Fails also with
  // Errc::cancelled, and has then either written all of it or nothing. BORROWS: this and the
  // exchange.
  async::Task<Result<ArchivePlace>> put(const crawler::Exchange& exchange,
                                        std::optional<NotModified> not_modified = {});

  // All exchanges that were put so far survive a power cut. A failure is for good: a sync is never
  // tried again. BORROWS: this.
  async::Task<Result<void>> sync();

  // Syncs the last file and gives it its name. Nothing can be put any more. BORROWS: this.
  async::Task<Result<void>> close();

  // How long the file is, of those that were there before and those that this one has closed: what
  // is said to be behind that is gone. Nothing: there is no such file. Not the one being written.
  std::optional<std::uint64_t> whole_length(std::string_view file) const;
  // The names of these, in their order.
  std::vector<std::string> closed_files() const;

  const std::optional<Error>& failure() const { return failure_; }

 private:
  struct Pending;
  // An exchange that waits in line for its place in the file, until it has an outcome or is given
  // up, as when memory runs out.
  struct Appending {
    Appending(std::deque<Appending*>& in, PackedExchange& exchange, const warc::Original* first)
        : line(in), packed(exchange), original(first) {
      line.push_back(this);
    }
    ~Appending() {
      if (!outcome) std::erase(line, this);
    }
    Appending(const Appending&) = delete;
    Appending& operator=(const Appending&) = delete;

    std::deque<Appending*>& line;
    PackedExchange& packed;
    const warc::Original* original;               // nullptr: not one to refer to
    std::optional<Result<ArchivePlace>> outcome;  // when it has been written, or not
  };

  Archive(ArchiveFiles& files, async::ThreadPool& pool, ArchiveOptions options);

  // --- what an earlier run left. BORROWS: this.
  async::Task<Result<void>> look_after();
  async::Task<Result<void>> repair(const std::string& name);          // BORROWS: the name
  async::Task<Result<std::uint64_t>> whole_bytes(async::File& file);  // BORROWS: the file
  std::optional<std::uint32_t> number_of(std::string_view name) const;
  std::string name_of(std::uint32_t number) const;

  // --- packing
  warc::RecordId draw_id();
  async::Task<Result<void>> wait_for_room(std::size_t bytes);
  // What the payload is the same as. BORROWS: both.
  async::Task<Result<void>> compare(const crawler::Exchange& exchange, PackingOrder& order);

  // --- writing, one after the other; never cancelled. BORROWS: this and what is given.
  async::Task<Result<ArchivePlace>> append(PackedExchange& packed, const warc::Original* original);
  // Writes the first of those that wait, and with it as many as go into one write. Each has its
  // outcome then.
  async::Task<void> append_some();
  // Of those that wait, how many go together into the file as it is; at least one.
  std::size_t batch_size() const;
  async::Task<Result<void>> write_batch(std::span<Appending* const> batch);  // BORROWS: the batch
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
  // What is said from now on.
  Error give_up(Error error);
  Result<void> is_usable() const;

  static constexpr std::string_view kOpenSuffix = ".open";

  ArchiveFiles& files_;
  async::ThreadPool& pool_;
  ArchiveOptions options_;
  base::Random random_;
  std::map<std::string, std::uint64_t, std::less<>> lengths_;  // of closed files
  std::uint32_t next_number_ = 1;

  async::Mutex entrance_;  // who waits for room does so in turn
  async::Event has_room_;
  std::uint64_t pending_bytes_ = 0;
  ExchangePackers packers_;
  std::deque<Appending*> appending_;  // in the order in which they will stand in the file

  async::Mutex writing_;             // guards what follows
  std::optional<async::File> file_;  // nothing: none has been begun
  std::string file_name_;            // what it is called when it is whole
  std::uint64_t end_ = 0;            // of the last whole record
  std::uint64_t first_ = 0;          // where the records behind the warcinfo begin
  bool is_synced_ = true;            // nothing was changed since
  std::optional<Error> failure_;
  bool is_closed_ = false;
};

}  // namespace gossamer::store
