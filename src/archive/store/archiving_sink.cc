#include "store/archiving_sink.h"

#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/log.h"

namespace gossamer::store {
namespace {

constexpr Duration kBetweenTries = 1s;

}  // namespace

async::Task<Result<ArchivePlace>> ArchivingSink::keep(const crawler::Exchange& exchange,
                                                      std::optional<NotModified> not_modified) {
  const Instant patience =
      base::add_saturating(async::Loop::current().now(), options_.space_patience);
  for (;;) {
    Result<ArchivePlace> place = fail(Errc::no_space, "the disk is almost full");
    if (!options_.has_room || options_.has_room()) {
      place = co_await archive_.put(exchange, not_modified);
    }
    if (place || place.error() == Errc::cancelled) co_return place;
    const bool is_full = place.error() == Errc::no_space;
    if (!is_full || async::Loop::current().now() >= patience) {
      co_return fail(Errc::io_failed, "cannot write to the archive: " + place.error().message());
    }
    LOG(warn, "no space left for the archive; waiting");
    if (auto slept = co_await async::sleep(kBetweenTries); !slept) {
      co_return fail(std::move(slept).error());
    }
  }
}

async::Task<Result<void>> ArchivingSink::put(crawler::Page page) {
  if (page.capture) {
    crawler::Exchange exchange = {.url = page.record.url,
                                  .ts = page.record.ts,
                                  .facts = page.record.facts,
                                  .capture = std::move(*page.capture)};
    page.capture.reset();
    std::optional<NotModified> before;
    if (page.record.status == 304 && options_.stored_before) {
      before = options_.stored_before(page.record);
    }
    auto place = co_await keep(exchange, std::move(before));
    if (!place) co_return fail(std::move(place).error());
    page.record.archive = std::move(*place);
    if (options_.on_archived) options_.on_archived(page.record);
    if (options_.take_exchange) options_.take_exchange(page.record, std::move(exchange));
  }
  co_return co_await next_.put(std::move(page));
}

async::Task<Result<void>> ArchivingSink::put_other(crawler::Exchange exchange) {
  auto place = co_await keep(exchange);
  if (!place) co_return fail(std::move(place).error());
  co_return co_await next_.put_other(std::move(exchange));
}

}  // namespace gossamer::store
