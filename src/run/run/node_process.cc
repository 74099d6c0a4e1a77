#include "run/node_process.h"

#include <utility>

#include "base/log.h"
#include "cluster/node_report.h"
#include "run/control/control_protocol.h"
#include "run/control/crawl_progress.h"

namespace gossamer::run {

std::string NodeProcess::report() {
  const CrawlProgress progress = progress_of(parts_.engine, parts_.frontier);
  std::uint64_t errors = 0;
  for (const auto& [cause, count] : progress.errors) errors += count;
  return cluster::to_json({.pages = progress.pages,
                           .bytes = progress.wire_bytes,
                           .errors = errors,
                           .queued = progress.waiting,
                           .in_flight = progress.in_flight,
                           .hosts = progress.hosts,
                           .pages_per_second = static_cast<double>(progress.pages_per_second)});
}

async::Task<void> NodeProcess::execute(std::string order) {
  auto request = parse_control_request(order);
  if (!request) {
    LOG(error, "cannot execute an order of the shared crawl: {}", request.error().message());
    co_return;
  }
  using Kind = ControlRequest::Kind;
  const Kind kind = request->kind;
  if (kind != Kind::add && kind != Kind::block && kind != Kind::unblock) {
    LOG(error, "an order of the shared crawl is not to add a URL or to block or unblock a host");
    co_return;
  }
  const std::string reply = co_await steering_.answer(std::move(*request));
  if (parse_reply(reply)) {
    LOG(info, "an order of the shared crawl: {}", reply);
  } else {
    LOG(warn, "an order of the shared crawl was refused: {}", reply);
  }
}

}  // namespace gossamer::run
