// Stage 7: the skeleton of a crawler. A queue of pages, a set of pages seen, and a few workers that
// take from the queue and add to it. When nothing is unfinished, join() returns, and the workers,
// which wait for work that will never come, are cancelled.
//
//   07_worker_queue PORT
#include <gossamer/loop.h>

#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include "tiny_http.h"

using namespace gossamer;

namespace {

async::Task<Result<std::string>> fetch(async::Endpoint server, std::string path) {
  auto connection = co_await async::Socket::connect(server);
  if (!connection) co_return fail(std::move(connection).error());
  const std::string request = tiny_http::request_for(path);
  if (auto sent = co_await connection->send(as_bytes(request)); !sent) {
    co_return fail(std::move(sent).error());
  }
  std::string response;
  for (;;) {
    auto chunk = co_await connection->receive();
    if (!chunk) co_return fail(std::move(chunk).error());
    if (chunk->end()) co_return response;
    response += as_text(chunk->bytes());
  }
}

class Crawler {
 public:
  explicit Crawler(async::Endpoint server) : server_(server) {}

  async::Task<Result<void>> crawl() {
    add("/");
    async::Scope workers;
    for (int i = 0; i < kWorkers; ++i) workers.spawn(work());
    if (auto done = co_await queue_.join(); !done) workers.cancel();
    workers.cancel();
    co_return co_await workers.join();
  }

  std::size_t pages() const { return seen_.size(); }
  std::size_t failures() const { return failures_; }

 private:
  static constexpr int kWorkers = 4;
  using Queue = async::Queue<std::string>;

  // Testing and inserting happen in one step without an await, so no page is fetched twice.
  void add(const std::string& path) {
    if (seen_.insert(path).second) queue_.try_push(std::string(path));
  }

  async::Task<void> work() {
    for (;;) {
      auto page = co_await queue_.pop();
      if (!page) co_return;  // cancelled: there is no more work
      auto response = co_await async::with_timeout(10s, fetch(server_, **page));
      if (!response || response->find("200 OK") == response->npos) {
        ++failures_;
        continue;
      }
      for (const std::string& link : tiny_http::links_in(*response)) add(link);
    }  // the claim on the page ends here, on every path: it is finished
  }

  async::Endpoint server_;
  Queue queue_{Queue::kUnbounded};
  std::set<std::string> seen_;
  std::size_t failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return tiny_http::usage("07_worker_queue PORT");
  Crawler crawler(async::Endpoint::loopback(tiny_http::port_from(argv[1])));
  async::Loop loop;
  if (auto done = loop.run(crawler.crawl()); !done) {
    std::printf("%s\n", done.error().to_string().c_str());
    return 1;
  }
  std::printf("%zu pages, %zu failed\n", crawler.pages(), crawler.failures());
}
