// Streams between programs of one machine: unix sockets, which have a path in the file system.
//
// For a few clients that ask now and then. They wait by async::readiness(), so they work with both
// real drivers; the simulated world has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "async/task.h"
#include "base/result.h"

namespace gossamer::net {

// One end of a stream. Closed by its destructor; one wait at a time.
class [[nodiscard]] LocalStream {
 public:
  LocalStream(LocalStream&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, kNone)) {}
  LocalStream& operator=(LocalStream&&) = delete;
  ~LocalStream();

  // Fails with Errc::not_found, Errc::refused if nobody listens there, Errc::denied, and
  // Errc::unavailable if too many are waiting to be let in. Does not wait.
  static Result<LocalStream> connect(const std::string& path);

  // Some bytes, at most so many; empty: the peer has said all. BORROWS: the stream.
  async::Task<Result<std::string>> receive(std::size_t bytes_max);
  // Succeeds when the kernel has taken all. BORROWS: the stream.
  async::Task<Result<void>> send(std::string bytes);

  // The user who runs the program at the other end (SO_PEERCRED).
  Result<std::uint32_t> peer_user() const;
  // The other end is open, but the process that began it has ended. A socket that a ring of the
  // kernel waits on is closed some time after its process, not with it.
  bool peer_has_gone() const;

 private:
  friend class LocalListener;
  static constexpr int kNone = -1;
  explicit LocalStream(int descriptor) noexcept : descriptor_(descriptor) {}

  int descriptor_;
};

// Listens at a path, which only the own user may open. The path goes when this does.
class [[nodiscard]] LocalListener {
 public:
  LocalListener(LocalListener&& other) noexcept;
  LocalListener& operator=(LocalListener&&) = delete;
  ~LocalListener();

  // Takes the place of a socket that nobody listens on any more. Fails with Errc::exists if
  // somebody does, or if something else is there.
  static Result<LocalListener> bind(const std::string& path);

  // One at a time. BORROWS: the listener.
  async::Task<Result<LocalStream>> accept();
  const std::string& path() const { return path_; }

 private:
  LocalListener(int descriptor, std::string path) noexcept;

  int descriptor_;
  std::string path_;
  // What was made there: another's is left alone.
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
};

}  // namespace gossamer::net
