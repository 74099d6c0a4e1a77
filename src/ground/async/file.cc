#include "async/file.h"

#include "async/loop.h"

namespace gossamer::async {

File::Open File::open(std::string path, OpenMode mode) {
  return {Loop::current().driver(), std::move(path), mode};
}

Result<File> File::Open::await_resume() {
  auto done = outcome("open");
  if (!done) return fail(std::move(done).error(), path);
  return File(driver(), static_cast<Handle>(*done));
}

Result<std::size_t> File::Transfer::await_resume() {
  auto done = outcome(kind() == Kind::read ? "read" : "write");
  if (!done) return fail(std::move(done).error());
  return static_cast<std::size_t>(*done);
}

Result<void> File::Sync::await_resume() {
  auto done = outcome("fdatasync");
  if (!done) return fail(std::move(done).error());
  return {};
}

Task<Result<void>> File::write_all_at(std::uint64_t offset, Bytes bytes) {
  while (!bytes.empty()) {
    auto written = co_await write_at(offset, bytes);
    if (!written) co_return fail(std::move(written).error());
    if (*written == 0) co_return fail(Errc::io_failed, "the file accepted no bytes");
    bytes = bytes.subspan(*written);
    offset += *written;
  }
  co_return {};
}

}  // namespace gossamer::async
