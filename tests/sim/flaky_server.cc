#include <fmt/format.h>
#include <tests/sim/flaky_server.h>

#include <algorithm>
#include <utility>

#include "async/scope.h"
#include "async/sleep.h"
#include "base/hash.h"
#include "tests/simulated/range.h"

namespace gossamer::sim {
namespace {

enum class Framing { length, chunked, until_close };

std::string chunked(std::string_view body, base::Random& random) {
  std::string out;
  while (!body.empty()) {
    const std::size_t size = std::min<std::size_t>(body.size(), 1 + random.below(700));
    out += fmt::format("{:x}\r\n", size);
    out += body.substr(0, size);
    out += "\r\n";
    body.remove_prefix(size);
  }
  return out + "0\r\n\r\n";
}

struct Answer {
  std::string bytes;
  bool keeps_alive = true;
};

Answer write_answer(std::string_view path, base::Random& random) {
  const auto framing = static_cast<Framing>(random.below(3));
  const std::string body = page_at(path);
  Answer answer;
  if (random.chance(0.1)) answer.bytes = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
  answer.bytes += "HTTP/1.1 200 OK\r\n";
  answer.keeps_alive = framing != Framing::until_close && !random.chance(0.2);
  if (!answer.keeps_alive) answer.bytes += "Connection: close\r\n";
  if (framing == Framing::length) {
    answer.bytes += fmt::format("Content-Length: {}\r\n\r\n", body.size()) + body;
  } else if (framing == Framing::chunked) {
    answer.bytes += "Transfer-Encoding: chunked\r\n\r\n" + chunked(body, random);
  } else {
    answer.bytes += "\r\n" + body;
  }
  return answer;
}

// Does something to it that no client may take for the whole page.
void spoil(Answer& answer, base::Random& random) {
  const std::size_t body = answer.bytes.find("\r\n\r\n") + 4;
  const bool can_be_told = answer.bytes.find("\r\nContent-Length") != std::string::npos ||
                           answer.bytes.find("\r\nTransfer-Enc") != std::string::npos;
  answer.keeps_alive = false;
  if (random.chance(0.2)) {
    answer.bytes = "220 mail.example ESMTP\r\n";
  } else if (can_be_told && random.chance(0.7)) {
    answer.bytes.resize(body + random.below(answer.bytes.size() - body));
  } else {
    answer.bytes.resize(random.below(body));  // in the head
  }
}

}  // namespace

std::string page_at(std::string_view path) {
  base::Random random(base::hash64(path));
  std::string page(random.below(6000), ' ');
  for (char& c : page) c = static_cast<char>(random.below(256));
  return page;
}

async::Task<Result<void>> FlakyServer::run(async::Endpoint at) {
  auto listener = async::Listener::bind(at);
  if (!listener) co_return fail(std::move(listener).error());
  async::Scope scope(async::OnFailure::keep_going);
  while (auto socket = co_await listener->accept()) {
    scope.spawn(serve(std::move(*socket), base::Random(random_.next())));
  }
  scope.cancel();
  co_return co_await scope.join();
}

async::Task<Result<void>> FlakyServer::serve(async::Socket socket, base::Random random) {
  std::string heard;
  for (;;) {
    while (heard.find("\r\n\r\n") == std::string::npos) {
      auto lent = co_await socket.receive();
      if (!lent) co_return fail(std::move(lent).error());
      if (lent->end()) co_return {};
      heard += as_text(lent->bytes());
    }
    const std::size_t end = heard.find("\r\n\r\n") + 4;
    const std::size_t path = heard.find(' ') + 1;
    std::string asked = heard.substr(path, heard.find(' ', path) - path);
    heard.erase(0, end);
    auto goes_on = co_await answer(socket, std::move(asked), random);
    if (!goes_on || !*goes_on) co_return {};
  }
}

async::Task<Result<bool>> FlakyServer::answer(async::Socket& socket, std::string path,
                                              base::Random& random) {
  Answer answer = write_answer(path, random);
  ++answers_;
  if (random.chance(flakiness_)) spoil(answer, random);
  const bool is_slow = random.chance(flakiness_ / 2);
  const Duration before = draw({Duration::zero(), is_slow ? Duration(90s) : 100ms}, random);
  if (auto slept = co_await async::sleep(before); !slept) co_return fail(std::move(slept).error());
  const std::size_t piece = 1 + random.below(4000);
  for (std::size_t at = 0; at < answer.bytes.size(); at += piece) {
    if (at > 0 && is_slow) {
      auto slept = co_await async::sleep(draw({Duration::zero(), 30s}, random));
      if (!slept) co_return fail(std::move(slept).error());
    }
    const std::string part = answer.bytes.substr(at, piece);
    if (auto sent = co_await socket.send(as_bytes(part)); !sent) {
      co_return fail(std::move(sent).error());
    }
  }
  // Some close though they said they would not.
  co_return answer.keeps_alive && !random.chance(flakiness_ / 2);
}

}  // namespace gossamer::sim
