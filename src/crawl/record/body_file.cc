#include "record/body_file.h"

#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/log.h"

namespace gossamer::crawler {
namespace {

constexpr Duration kBetweenSpaceChecks = 1s;
constexpr Duration kBetweenOpenTries = 100ms;
constexpr int kOpenTriesMax = 300;
constexpr std::size_t kReadBytes = 256 * 1024;

// The path may be one that means nothing to people.
Error named(Error error, const std::string& name) {
  if (error.error_number() == 0) return error;
  return Error::from_errno(error.error_number(), "open " + name);
}

}  // namespace

async::Task<Result<std::shared_ptr<BodyFile>>> BodyFile::create(BodyFiles& files) {
  std::string name = files.new_name();
  auto file = co_await async::File::open(files.path_of(name), async::OpenMode::write_new);
  if (!file) co_return fail(named(std::move(file).error(), name), "while storing a large body");
  co_return std::shared_ptr<BodyFile>(new BodyFile(files, std::move(name), std::move(*file)));
}

BodyFile::~BodyFile() {
  file_.reset();
  files_.remove(name_);
  files_.unsynced_bytes_ -= unsynced_bytes_;
  --files_.count_;
}

bool BodyFile::must_sync() const noexcept {
  // Half a share: no file syncs a few bytes only because others do not continue.
  return files_.unsynced_bytes_ > files_.unsynced_bytes_max_ &&
         unsynced_bytes_ * files_.count_ * 2 >= files_.unsynced_bytes_max_;
}

async::Task<Result<void>> BodyFile::append(Bytes piece) {
  const Instant patience =
      base::add_saturating(async::Loop::current().now(), files_.space_patience());
  for (;;) {
    auto written = co_await file_->write_all_at(bytes_, piece);
    if (written) break;
    const bool is_full = written.error() == Errc::no_space;
    if (!is_full || async::Loop::current().now() >= patience) {
      co_return fail(std::move(written).error(), "while storing a large body");
    }
    LOG(warn, "no space left for a large body; waiting");
    if (auto slept = co_await async::sleep(kBetweenSpaceChecks); !slept) co_return slept;
  }
  bytes_ += piece.size();
  unsynced_bytes_ += piece.size();
  files_.unsynced_bytes_ += piece.size();
  if (!must_sync()) co_return {};
  auto synced = co_await file_->sync();
  if (!synced) co_return fail(std::move(synced).error(), "while storing a large body");
  files_.unsynced_bytes_ -= std::exchange(unsynced_bytes_, 0);
  co_return {};
}

async::Task<Result<BodyFileReader>> BodyFileReader::open(const BodyFile& body) {
  for (int tries = 1;; ++tries) {
    // Not `read`, which follows links.
    auto file = co_await async::File::open(body.path(), async::OpenMode::read_write);
    if (file) co_return BodyFileReader(body, std::move(*file));
    if (file.error() != Errc::no_resources || tries == kOpenTriesMax) {
      co_return fail(named(std::move(file).error(), body.name()), "while reading a large body");
    }
    if (auto slept = co_await async::sleep(kBetweenOpenTries); !slept) {
      co_return fail(std::move(slept).error());
    }
  }
}

async::Task<Result<Bytes>> BodyFileReader::next() {
  if (offset_ == body_->bytes()) co_return Bytes();
  if (buffer_.empty()) buffer_.resize(kReadBytes);
  auto count = co_await file_.read_at(offset_, buffer_);
  if (!count) co_return fail(std::move(count).error(), "while reading a large body");
  const std::uint64_t rest = body_->bytes() - offset_;
  if (*count == 0 || *count > rest) {
    co_return fail(Errc::io_failed, "another process changed " + body_->name());
  }
  offset_ += *count;
  co_return Bytes(buffer_).first(*count);
}

}  // namespace gossamer::crawler
