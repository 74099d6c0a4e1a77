#include "tests/simulated/open_files.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/check.h"

namespace gossamer::sim {

namespace {

using async::FileOperation;
using async::OpenMode;
using Kind = async::Operation::Kind;

TraceKind trace_kind(const FileOperation& operation, std::int64_t result) {
  if (result < 0) return TraceKind::file_failed;
  switch (operation.kind()) {
    case Kind::open: return TraceKind::opened;
    case Kind::read: return TraceKind::read;
    case Kind::write: return TraceKind::written;
    default: return TraceKind::synced;
  }
}

}  // namespace

OpenFiles::OpenFiles(std::shared_ptr<Disk> disk, Timeline& timeline, Trace& trace,
                     InFlight& in_flight, Handles& handles)
    : disk_(std::move(disk)),
      timeline_(timeline),
      trace_(trace),
      in_flight_(in_flight),
      handles_(handles) {}

void OpenFiles::start(FileOperation& operation) {
  const std::uint32_t number = next_number_++;
  pending_.push_back({number, &operation});
  timeline_.schedule_after(disk_->draw_delay(),
                           {.kind = EventKind::file_operation_ends, .subject = number});
}

void OpenFiles::withdraw(const FileOperation& operation) {
  const auto count =
      std::erase_if(pending_, [&](const Pending& each) { return each.operation == &operation; });
  CHECK_EQ(count, 1);
}

void OpenFiles::happen(const Event& event) {
  const auto found = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& each) {
    return each.number == event.subject;
  });
  if (found == pending_.end()) return;  // withdrawn
  FileOperation& operation = *found->operation;
  pending_.erase(found);
  const std::int64_t result = execute(operation);
  trace_.record(timeline_.now(), trace_kind(operation, result),
                static_cast<std::uint32_t>(operation.handle()), static_cast<std::uint64_t>(result));
  in_flight_.finish(operation, result);
}

OpenFiles::OpenFile& OpenFiles::opened(async::Handle handle) {
  const auto found = files_.find(handle);
  CHECK(found != files_.end(), "handle {} is not an open file", static_cast<int>(handle));
  return found->second;
}

std::int64_t OpenFiles::open(const FileOperation& operation) {
  OpenFile file = {.file = nullptr, .mode = operation.mode};
  const std::int64_t result = disk_->open(operation.path, operation.mode, file.file);
  if (result < 0) return result;
  const async::Handle handle = handles_.next();
  files_.emplace(handle, std::move(file));
  return static_cast<std::int64_t>(handle);
}

std::int64_t OpenFiles::execute(FileOperation& operation) {
  if (operation.kind() == Kind::open) return open(operation);
  const OpenFile& file = opened(operation.handle());
  switch (operation.kind()) {
    case Kind::read:
      if (file.mode != OpenMode::read && file.mode != OpenMode::read_write) return -EBADF;
      return disk_->read(*file.file, operation.offset, {operation.read_into, operation.size});
    case Kind::write:
      if (file.mode == OpenMode::read) return -EBADF;
      return disk_->write(*file.file, operation.offset, {operation.data, operation.size});
    default:
      CHECK(operation.kind() == Kind::sync, "not an operation on a file");
      return disk_->sync(*file.file);
  }
}

void OpenFiles::close(async::Handle handle) {
  const bool busy = std::any_of(pending_.begin(), pending_.end(), [&](const Pending& each) {
    return each.operation->kind() != Kind::open && each.operation->handle() == handle;
  });
  CHECK(!busy, "a file is closed with an operation in flight");
  files_.erase(handle);
}

}  // namespace gossamer::sim
