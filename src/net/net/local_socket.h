// Streams between programs of one machine: unix sockets, which have a path in the file system.
//
// They are for a few clients with occasional requests. They wait with async::readiness(), so they
// work with both real drivers; the simulated world does not support them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "async/task.h"
#include "base/result.h"

namespace gossamer::net {

// One end of a stream. Its destructor closes it. One wait at a time.
class [[nodiscard]] LocalStream {
 public:
  LocalStream(LocalStream&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, kNone)) {}
  LocalStream& operator=(LocalStream&&) = delete;
  ~LocalStream();

  // Fails with Errc::not_found, with Errc::refused if no process listens, with Errc::denied, and
  // with Errc::unavailable if too many connections are waiting. Does not wait.
  static Result<LocalStream> connect(const std::string& path);

  // Returns some bytes, at most this many; empty at the end of the stream. BORROWS: the stream.
  async::Task<Result<std::string>> receive(std::size_t bytes_max);
  // Succeeds when the kernel has taken all bytes. BORROWS: the stream.
  async::Task<Result<void>> send(std::string bytes);

  // Returns the user of the program at the other end (SO_PEERCRED).
  Result<std::uint32_t> peer_user() const;
  // Returns whether the process at the other end has ended although the socket is still open. The
  // kernel closes a socket that a ring waits on some time after its process, not with it.
  bool peer_has_gone() const;

 private:
  friend class LocalListener;
  static constexpr int kNone = -1;
  explicit LocalStream(int descriptor) noexcept : descriptor_(descriptor) {}

  int descriptor_;
};

// Listens at a path that only this user can open. The destructor removes the path.
class [[nodiscard]] LocalListener {
 public:
  LocalListener(LocalListener&& other) noexcept;
  LocalListener& operator=(LocalListener&&) = delete;
  ~LocalListener();

  // Replaces a socket on which no process listens. Fails with Errc::exists if a process does, or if
  // something else is there.
  static Result<LocalListener> bind(const std::string& path);

  // One at a time. BORROWS: the listener.
  async::Task<Result<LocalStream>> accept();
  const std::string& path() const { return path_; }

 private:
  LocalListener(int descriptor, std::string path) noexcept;

  int descriptor_;
  std::string path_;
  // The identity of the socket that was made: another one at that path is left alone.
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
};

}  // namespace gossamer::net
