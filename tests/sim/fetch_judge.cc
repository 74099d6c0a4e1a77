#include "tests/sim/fetch_judge.h"

#include <fmt/format.h>

#include <optional>

#include "async/loop.h"
#include "http/body.h"
#include "tests/sim/flaky_server.h"

namespace gossamer::sim {

async::Task<Result<void>> FetchJudge::fetch(http::Client& client, std::string url,
                                            std::string path) {
  ++tally_.fetches;
  const Instant begun = async::Loop::current().now();
  http::Request request = {.url = *url::Url::parse(url), .fields = {}};
  auto response = co_await client.send(request);
  std::optional<http::WholeBody> body;
  if (response) {
    wire::WholeDecoder decoder;
    body = co_await http::read_whole(*response, decoder);
  }
  const Duration took = async::Loop::current().now() - begun;
  if (took > client.options().deadlines.whole + late_max_) {
    problem(fmt::format("{} took {}", url, base::to_string(took)));
  }
  const bool is_whole = body && !body->trouble;
  ++(is_whole ? tally_.whole : tally_.failed);
  if (!body) co_return fail(std::move(response).error());
  const std::string truth = page_at(path);
  if (is_whole != response->is_complete()) problem(url + ": complete or not?");
  if (is_whole && body->bytes != truth) problem(url + " is called whole, and is not");
  if (!truth.starts_with(body->bytes)) problem(url + " has bytes that were never sent");
  co_return {};
}

void FetchJudge::check_pool(http::Client& client) {
  const http::Pool& pool = client.pool();
  if (pool.open() != pool.idle()) problem("a connection is neither idle nor closed");
  client.close_idle();
  if (pool.open() + pool.origins() > 0) problem("the pool kept something");
}

}  // namespace gossamer::sim
