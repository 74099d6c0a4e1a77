#include "tests/simulated/ledger.h"

#include <fmt/format.h>

namespace gossamer::sim {

Ledger& Ledger::operator+=(const Ledger& other) {
  sent += other.sent;
  received += other.received;
  lost_in_reset += other.lost_in_reset;
  swallowed += other.swallowed;
  unread += other.unread;
  in_flight += other.in_flight;
  return *this;
}

std::string describe(const Ledger& ledger) {
  return fmt::format(
      "sent {} = received {} + lost in reset {} + swallowed {} + unread {} + in flight {}",
      ledger.sent, ledger.received, ledger.lost_in_reset, ledger.swallowed, ledger.unread,
      ledger.in_flight);
}

}  // namespace gossamer::sim
