#include "net/local_socket.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "async/descriptor.h"
#include "base/bytes.h"

namespace gossamer::net {
namespace {

constexpr int kBacklog = 16;

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    return fail(Errc::invalid_argument, "the path of a socket has 1 to " +
                                            std::to_string(sizeof(address.sun_path) - 1) +
                                            " bytes: " + path);
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

const sockaddr* raw(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

int open_socket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

bool has_to_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

// Returns the kernel's credentials of the other end; for a listener, those of the process that
// started it.
Result<ucred> peer_of(int descriptor) {
  ucred peer = {};
  socklen_t length = sizeof(peer);
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) {
    return fail(Error::from_errno(errno, "SO_PEERCRED"));
  }
  return peer;
}

// Removes an unused socket at that path.
Result<void> clear_path(const std::string& path) {
  struct stat found = {};
  if (lstat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return {};
    return fail(Error::from_errno(errno, path));
  }
  if (!S_ISSOCK(found.st_mode)) {
    return fail(Errc::exists, path + " exists and is not a socket");
  }
  const auto other = LocalStream::connect(path);
  if (other ? !other->peer_has_gone() : other.error() != Errc::refused) {
    return fail(Errc::exists, "another process already listens on " + path);
  }
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return fail(Error::from_errno(errno, path));
  return {};
}

}  // namespace

LocalStream::~LocalStream() {
  if (descriptor_ != kNone) close(descriptor_);
}

Result<LocalStream> LocalStream::connect(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return fail(address.error().copy());
  LocalStream stream(open_socket());
  if (stream.descriptor_ < 0) return fail(Error::from_errno(errno, "socket"));
  if (::connect(stream.descriptor_, raw(*address), sizeof(*address)) == 0) return stream;
  if (has_to_wait(errno))
    return fail(Errc::unavailable, path + ": too many connections are waiting");
  return fail(Error::from_errno(errno, path));
}

async::Task<Result<std::string>> LocalStream::receive(std::size_t bytes_max) {
  std::string bytes(bytes_max, '\0');
  for (;;) {
    const ssize_t count = recv(descriptor_, bytes.data(), bytes.size(), 0);
    if (count >= 0) {
      bytes.resize(static_cast<std::size_t>(count));
      co_return bytes;
    }
    if (errno == EINTR) continue;
    if (!has_to_wait(errno)) co_return fail(Error::from_errno(errno, "receive"));
    auto ready = co_await async::readiness(descriptor_, async::Readiness::readable);
    if (!ready) co_return fail(std::move(ready).error());
  }
}

async::Task<Result<void>> LocalStream::send(std::string bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t count = ::send(descriptor_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (!has_to_wait(errno)) co_return fail(Error::from_errno(errno, "send"));
    auto ready = co_await async::readiness(descriptor_, async::Readiness::writable);
    if (!ready) co_return fail(std::move(ready).error());
  }
  co_return {};
}

Result<std::uint32_t> LocalStream::peer_user() const {
  auto peer = peer_of(descriptor_);
  if (!peer) return fail(std::move(peer).error());
  return peer->uid;
}

bool LocalStream::peer_has_gone() const {
  const auto peer = peer_of(descriptor_);
  // 0 is a process that is not visible from here, perhaps of another container.
  return peer && peer->pid > 0 && kill(peer->pid, 0) != 0 && errno == ESRCH;
}

LocalListener::LocalListener(int descriptor, std::string path) noexcept
    : descriptor_(descriptor), path_(std::move(path)) {}

LocalListener::LocalListener(LocalListener&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, LocalStream::kNone)),
      path_(std::move(other.path_)),
      device_(other.device_),
      inode_(std::exchange(other.inode_, 0)) {}

LocalListener::~LocalListener() {
  if (descriptor_ == LocalStream::kNone) return;
  struct stat found = {};
  const bool is_ours = inode_ != 0 && lstat(path_.c_str(), &found) == 0 &&
                       found.st_dev == device_ && found.st_ino == inode_;
  if (is_ours) unlink(path_.c_str());
  close(descriptor_);
}

Result<LocalListener> LocalListener::bind(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return fail(address.error().copy());
  if (auto cleared = clear_path(path); !cleared) return fail(std::move(cleared).error());
  LocalListener listener(open_socket(), path);
  if (listener.descriptor_ < 0) return fail(Error::from_errno(errno, "socket"));
  // The path gets the mode of the socket, so other users can never open it.
  if (fchmod(listener.descriptor_, S_IRUSR | S_IWUSR) != 0 ||
      ::bind(listener.descriptor_, raw(*address), sizeof(*address)) != 0) {
    return fail(Error::from_errno(errno, path));
  }
  struct stat made = {};
  if (lstat(path.c_str(), &made) == 0) {
    listener.device_ = made.st_dev;
    listener.inode_ = made.st_ino;
  }
  if (listen(listener.descriptor_, kBacklog) != 0) return fail(Error::from_errno(errno, path));
  return listener;
}

async::Task<Result<LocalStream>> LocalListener::accept() {
  for (;;) {
    const int descriptor = accept4(descriptor_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor >= 0) co_return LocalStream(descriptor);
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (!has_to_wait(errno)) co_return fail(Error::from_errno(errno, "accept"));
    auto ready = co_await async::readiness(descriptor_, async::Readiness::readable);
    if (!ready) co_return fail(std::move(ready).error());
  }
}

}  // namespace gossamer::net
