#include "store/archive.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include "async/timeout.h"
#include "base/check.h"

namespace gossamer::store {
namespace {

// Large enough that system calls are cheap, and small enough to hold two of them.
constexpr std::size_t kBatchBytesMax = 256 * 1024;
// What an exchange needs whose payload is in a file: its pieces and a compressor.
constexpr std::size_t kLargeBytes = 1024 * 1024;

}  // namespace

// The bytes that an exchange counts while it is being written.
struct Archive::Pending {
  Pending(Archive& archive, std::size_t bytes) : archive(archive), bytes(bytes) {
    archive.pending_bytes_ += bytes;
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() {
    archive.pending_bytes_ -= bytes;
    archive.has_room_.set();
  }

  Archive& archive;
  const std::size_t bytes;
};

Archive::Archive(ArchiveFiles& files, async::ThreadPool& pool, ArchiveOptions options)
    : files_(files),
      pool_(pool),
      options_(std::move(options)),
      random_(options_.seed),
      packers_({.level = options_.level}) {
  CHECK(options_.now != nullptr && !options_.name.empty());
}

async::Task<Result<std::unique_ptr<Archive>>> Archive::open(ArchiveFiles& files,
                                                            async::ThreadPool& pool,
                                                            ArchiveOptions options) {
  std::unique_ptr<Archive> archive(new Archive(files, pool, std::move(options)));
  auto looked = co_await archive->look_after();
  if (!looked) co_return fail(std::move(looked).error());
  co_return archive;
}

Result<void> Archive::is_usable() const {
  if (failure_) return fail(failure_->copy());
  if (is_closed_) return fail(Errc::closed, "the archive is closed");
  return {};
}

Error Archive::give_up(Error error) {
  // No later attempt can succeed, whatever the reason was.
  if (error == Errc::no_space) error = Error(Errc::io_failed, error.message());
  if (!failure_) failure_ = error.copy();
  return error;
}

std::optional<std::uint64_t> Archive::whole_length(std::string_view file) const {
  const auto found = lengths_.find(file);
  if (found == lengths_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> Archive::closed_files() const {
  std::vector<std::string> names;
  for (const auto& [name, length] : lengths_) names.push_back(name);
  return names;
}

// --- packing

warc::RecordId Archive::draw_id() {
  const std::array<std::uint64_t, 2> drawn = {random_.next(), random_.next()};
  std::array<std::byte, 16> bytes;
  std::memcpy(bytes.data(), drawn.data(), bytes.size());
  return warc::RecordId(bytes);
}

async::Task<Result<void>> Archive::wait_for_room(std::size_t bytes) {
  auto turn = co_await entrance_.lock();
  if (!turn) co_return fail(std::move(turn).error());
  while (pending_bytes_ > 0 && pending_bytes_ + bytes > options_.pending_bytes_max) {
    has_room_.clear();
    if (auto waited = co_await has_room_.wait(); !waited) co_return waited;
  }
  co_return {};
}

async::Task<Result<void>> Archive::compare(const crawler::Exchange& exchange, PackingOrder& order) {
  const Bytes payload = as_bytes(exchange.capture.payload);
  if (!order.payload) {
    auto digest = co_await pool_.run(
        [payload] { return warc::digest_of(warc::DigestAlgorithm::sha1, payload); });
    if (!digest) co_return fail(std::move(digest).error());
    order.payload = *digest;
  }
  auto known = options_.known->find(*order.payload);
  if (!known) co_return fail(std::move(known).error());
  order.identical = std::move(*known);
  co_return {};
}

async::Task<Result<ArchivePlace>> Archive::put(const crawler::Exchange& exchange,
                                               std::optional<NotModified> not_modified) {
  if (auto usable = is_usable(); !usable) co_return fail(std::move(usable).error());
  const crawler::Capture& capture = exchange.capture;
  const std::size_t bytes = capture.bytes() + (capture.file ? kLargeBytes : 0);
  if (auto room = co_await wait_for_room(bytes); !room) co_return fail(std::move(room).error());
  const Pending pending(*this, bytes);
  PackingOrder order = {.request = draw_id(), .response = draw_id(), .metadata = draw_id()};
  order.not_modified = std::move(not_modified);
  order.wants_entry = options_.on_entry != nullptr;
  std::optional<crawler::BodyFileReader> payload;
  if (capture.file && !order.not_modified) {
    auto opened = co_await crawler::BodyFileReader::open(*capture.file);
    if (!opened) co_return fail(std::move(opened).error());
    payload.emplace(std::move(*opened));
    if (auto read = co_await digest(capture, *payload, order); !read) {
      co_return fail(std::move(read).error());
    }
  }
  // An empty or partial payload is not worth a reference, nor is what was not received.
  const bool is_compared = options_.known != nullptr && !order.not_modified &&
                           capture.payload_bytes() > 0 && capture.cut == crawler::Cut::none &&
                           !capture.response_head.empty();
  if (is_compared) {
    if (auto done = co_await compare(exchange, order); !done) {
      co_return fail(std::move(done).error());
    }
  }
  auto packed = co_await pool_.run([&] { return packers_.pack(exchange, order); });
  if (!packed) co_return fail(std::move(packed).error());
  const warc::Original original = {
      .record_id = order.response.text(), .target_uri = exchange.url, .date = exchange.ts};
  const bool is_new = is_compared && !order.identical;
  co_return co_await async::shielded(
      append(*packed, is_new ? &original : nullptr, payload ? &*payload : nullptr));
}

// --- writing

async::Task<Result<void>> Archive::begin() { co_return co_await async::shielded(begin_alone()); }
async::Task<Result<void>> Archive::sync() { co_return co_await async::shielded(sync_alone()); }
async::Task<Result<void>> Archive::close() { co_return co_await async::shielded(close_alone()); }

async::Task<Result<ArchivePlace>> Archive::append(PackedExchange& packed,
                                                  const warc::Original* original,
                                                  crawler::BodyFileReader* payload) {
  Appending mine(appending_, packed, original, payload);
  auto lock = co_await writing_.lock();
  CHECK(lock.has_value());
  while (!mine.outcome) co_await append_some();
  co_return std::move(*mine.outcome);
}

async::Task<void> Archive::append_some() {
  Result<void> ready = is_usable();
  if (ready) ready = co_await prepare_file(appending_.front()->packed.size);
  const std::size_t size = ready ? batch_size() : 1;
  std::vector<Appending*> batch(appending_.begin(), std::next(appending_.begin(), size));
  if (ready) ready = co_await write_batch(batch);
  if (!ready && ready.error() == Errc::no_space && batch.size() > 1) {
    // The batch does not fit. A single exchange may.
    batch.resize(1);
    ready = co_await write_batch(batch);
  }
  for (Appending* const each : batch) {
    each->outcome = ready ? note_place(*each) : fail(ready.error().copy());
    appending_.pop_front();
  }
}

std::size_t Archive::batch_size() const {
  std::size_t bytes = 0;
  std::size_t size = 0;
  for (const Appending* const each : appending_) {
    const bool is_large = each->packed.large.has_value();
    bytes += each->packed.size;
    const bool fits = bytes <= kBatchBytesMax && end_ + bytes <= options_.file_bytes_max;
    if (size > 0 && (is_large || !fits)) break;
    ++size;
    if (is_large) break;
  }
  return size;
}

async::Task<Result<void>> Archive::write(std::uint64_t offset, std::string_view bytes) {
  is_synced_ = false;  // even if this is undone
  auto written = co_await file_->write_all_at(offset, as_bytes(bytes));
  if (!written) co_return written;
  unsynced_bytes_ += bytes.size();
  if (unsynced_bytes_ <= options_.unsynced_bytes_max) co_return {};
  // Not sync_file(): a part of the records may be there.
  auto synced = co_await file_->sync();
  if (!synced) co_return fail(give_up(std::move(synced).error()));
  unsynced_bytes_ = 0;
  co_return {};
}

async::Task<Result<void>> Archive::write_batch(std::span<Appending* const> batch) {
  if (batch.front()->packed.large) co_return co_await write_large(*batch.front());
  std::string joined;
  if (batch.size() > 1) {
    for (const Appending* const each : batch) joined += each->packed.bytes;
  }
  auto written = co_await write(end_, batch.size() > 1 ? joined : batch.front()->packed.bytes);
  if (!written) co_return fail(co_await take_back(std::move(written).error()));
  co_return {};
}

Result<ArchivePlace> Archive::note_place(const Appending& written) {
  PackedExchange& packed = written.packed;
  ArchivePlace place = {.file = file_name_,
                        .offset = end_ + packed.response_offset,
                        .length = packed.response_length};
  end_ += packed.size;
  if (options_.on_entry && !packed.entry.url.empty()) {
    packed.entry.offset = place.offset;
    packed.entry.filename = place.file;
    options_.on_entry(packed.entry);
  }
  if (written.original != nullptr) {
    auto added = options_.known->add(packed.payload, *written.original);
    if (!added) return fail(give_up(std::move(added).error()));
  }
  return place;
}

// Removes a partial record, so that readers and later records never see it.
async::Task<Error> Archive::take_back(Error error) {
  auto cut = co_await pool_.run([this] { return files_.truncate(open_name(), end_); });
  if (error == Errc::no_space && cut) co_return error;
  co_return give_up({Errc::io_failed, "cannot write " + open_name() + ": " + error.message()});
}

async::Task<Result<void>> Archive::begin_alone() {
  auto lock = co_await writing_.lock();
  CHECK(lock.has_value());
  if (auto usable = is_usable(); !usable) co_return usable;
  co_return co_await prepare_file(0);
}

async::Task<Result<void>> Archive::sync_alone() {
  auto lock = co_await writing_.lock();
  CHECK(lock.has_value());
  if (failure_) co_return fail(failure_->copy());
  co_return co_await sync_file();
}

async::Task<Result<void>> Archive::close_alone() {
  auto lock = co_await writing_.lock();
  CHECK(lock.has_value());
  if (failure_) co_return fail(failure_->copy());
  if (auto closed = co_await close_file(); !closed) co_return closed;
  is_closed_ = true;
  co_return {};
}

async::Task<Result<void>> Archive::prepare_file(std::size_t bytes) {
  if (file_ && end_ > first_ && end_ + bytes > options_.file_bytes_max) {
    if (auto closed = co_await close_file(); !closed) co_return closed;
  }
  if (file_) co_return {};
  co_return co_await begin_file();
}

async::Task<Result<void>> Archive::begin_file() {
  file_name_ = name_of(next_number_);
  auto file = co_await open_file(files_, open_name(), async::OpenMode::write_new);
  if (!file && file.error() == Errc::no_space) co_return fail(std::move(file).error());
  if (!file) co_return fail(give_up(std::move(file).error()));
  std::string bytes;
  warc::RecordWriter writer({.level = options_.level});
  writer.append(warcinfo_record(draw_id(), options_.now(), file_name_, options_.about), bytes);
  auto written = co_await file->write_all_at(0, as_bytes(bytes));
  if (!written) {
    auto removed = co_await pool_.run([this] { return files_.remove(open_name()); });
    if (written.error() == Errc::no_space && removed) co_return written;
    co_return fail(give_up(std::move(written).error()));
  }
  auto named = co_await pool_.run([this] { return files_.sync_names(); });
  if (!named) co_return fail(give_up(std::move(named).error()));
  ++next_number_;
  file_.emplace(std::move(*file));
  is_synced_ = false;
  end_ = first_ = bytes.size();
  co_return {};
}

async::Task<Result<void>> Archive::sync_file() {
  if (!file_ || is_synced_) co_return {};
  auto synced = co_await file_->sync();
  // Linux may have dropped the unwritten pages, so a second sync could succeed without meaning.
  if (!synced) co_return fail(give_up(std::move(synced).error()));
  is_synced_ = true;
  unsynced_bytes_ = 0;
  if (options_.known != nullptr) options_.known->synced();
  co_return {};
}

async::Task<Result<void>> Archive::close_file() {
  if (!file_) co_return {};
  if (auto synced = co_await sync_file(); !synced) co_return synced;
  auto renamed = co_await pool_.run([this] { return files_.rename(open_name(), file_name_); });
  if (!renamed && renamed.error() == Errc::no_space) co_return renamed;
  if (!renamed) co_return fail(give_up(std::move(renamed).error()));
  file_.reset();
  lengths_[file_name_] = end_;
  auto named = co_await pool_.run([this] { return files_.sync_names(); });
  if (!named) co_return fail(give_up(std::move(named).error()));
  co_return {};
}

}  // namespace gossamer::store
