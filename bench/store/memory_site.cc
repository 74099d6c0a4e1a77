#include "bench/store/memory_site.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include "async/drivers/kernel_address.h"
#include "base/check.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {
namespace {

constexpr int kBacklog = 4096;
constexpr int kEventsMax = 128;
constexpr std::size_t kRequestBytesMax = 8192;

using Answers = std::unordered_map<std::string, std::string>;  // by path

std::string gzipped(const std::string& plain) {
  libdeflate_compressor* const compressor = libdeflate_alloc_compressor(6);
  std::string packed(libdeflate_gzip_compress_bound(compressor, plain.size()), '\0');
  packed.resize(libdeflate_gzip_compress(compressor, plain.data(), plain.size(), packed.data(),
                                         packed.size()));
  libdeflate_free_compressor(compressor);
  return packed;
}

std::string answer_of(const std::filesystem::path& file, MemorySite::Coding coding) {
  std::ifstream stream(file, std::ios::binary);
  std::string body{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::string kind = file.extension();
  const bool is_text = kind == ".html" || kind == ".css" || kind == ".js";
  const bool is_coded = is_text && coding == MemorySite::Coding::gzip;
  if (is_coded) body = gzipped(body);
  return fmt::format(
             "HTTP/1.1 200 OK\r\nServer: memory\r\nContent-Type: {}\r\n{}Content-Length: "
             "{}\r\n\r\n",
             kind == ".css" ? "text/css" : "text/html",
             is_coded ? "Content-Encoding: gzip\r\n" : "", body.size()) +
         body;
}

Answers answers_of(const std::string& folder, MemorySite::Coding coding) {
  Answers answers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    answers.emplace(entry.path().string().substr(folder.size()), answer_of(entry.path(), coding));
  }
  return answers;
}

// Returns the file of a request: "/a b" for "GET /a%20b?c HTTP/1.1".
std::string path_of(std::string_view request) {
  request.remove_prefix(std::min(request.size(), request.find(' ') + 1));
  const std::string_view escaped = request.substr(0, request.find_first_of(" ?"));
  std::string path;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] == '%' && i + 2 < escaped.size()) {
      path += static_cast<char>(std::stoi(std::string(escaped.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      path += escaped[i];
    }
  }
  return path.ends_with('/') ? path + "index.html" : path;
}

// An epoll_wait loop. A request arrives in one piece, and the next one after its response.
class AnsweringLoop {
 public:
  AnsweringLoop(int listener, Answers answers)
      : epoll_(epoll_create1(0)), listener_(listener), answers_(std::move(answers)) {
    watch(listener, EPOLLIN);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, kEventsMax> events;
    for (;;) {
      const int count = epoll_wait(epoll_, events.data(), kEventsMax, -1);
      for (int i = 0; i < count; ++i) {
        const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
        descriptor == listener_ ? accept_all() : serve(descriptor);
      }
    }
  }

 private:
  void watch(int descriptor, std::uint32_t events) {
    epoll_event event = {.events = events, .data = {.fd = descriptor}};
    CHECK_EQ(epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event), 0);
  }

  void accept_all() {
    for (;;) {
      const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (descriptor < 0) return;
      watch(descriptor, EPOLLIN | EPOLLOUT | EPOLLET);
    }
  }

  void serve(int descriptor) {
    std::string_view& rest = rests_[descriptor];
    if (!rest.empty()) {
      send_some(descriptor, rest);
      return;
    }
    std::array<char, kRequestBytesMax> buffer;
    const ssize_t count = recv(descriptor, buffer.data(), buffer.size(), 0);
    if (count <= 0) {
      if (count == 0 || errno != EAGAIN) leave(descriptor);
      return;
    }
    const auto found = answers_.find(path_of({buffer.data(), static_cast<std::size_t>(count)}));
    rest = found == answers_.end() ? kNotFound : std::string_view(found->second);
    send_some(descriptor, rest);
  }

  void send_some(int descriptor, std::string_view& rest) {
    const ssize_t sent = send(descriptor, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EAGAIN) {
      leave(descriptor);
    }
  }

  void leave(int descriptor) {
    rests_.erase(descriptor);
    close(descriptor);
  }

  static constexpr std::string_view kNotFound =
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nnot found\n";

  int epoll_;
  int listener_;
  Answers answers_;
  std::unordered_map<int, std::string_view> rests_;  // of answers, by connection
};

}  // namespace

MemorySite::MemorySite(const std::string& folder, Coding coding)
    : endpoint_(async::Endpoint::loopback(0)) {
  const auto listener = async::open_listener(endpoint_, kBacklog);
  CHECK(listener.has_value(), "{}", listener.error().to_string());
  // Clients wait until all files are read.
  process_ = ChildProcess::run([&]() -> int {
    claim_core(kServerCore);
    AnsweringLoop(*listener, answers_of(folder, coding)).run();
  });
  close(*listener);
}

}  // namespace gossamer::bench
