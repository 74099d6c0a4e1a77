#include "tests/simulated/pipe.h"

#include <cstring>

#include "base/check.h"

namespace gossamer::sim {

void Pipe::put(Bytes bytes) {
  CHECK_LE(bytes.size(), room());
  const auto appended = travelling_.append(bytes);
  CHECK(appended.has_value());
  unacknowledged_ += bytes.size();
  ledger_.sent += bytes.size();
}

void Pipe::arrive(std::size_t size) {
  const auto appended = arrived_.append(travelling_.view().first(size));
  CHECK(appended.has_value());
  travelling_.consume(size);
}

void Pipe::lose(std::size_t size, std::uint64_t Ledger::* place) {
  travelling_.consume(size);
  ledger_.*place += size;
}

void Pipe::take(MutableBytes into) {
  CHECK_LE(into.size(), arrived_.size());
  std::memcpy(into.data(), arrived_.view().data(), into.size());
  arrived_.consume(into.size());
  ledger_.received += into.size();
}

void Pipe::leave() {
  ledger_.unread += arrived_.size();
  arrived_.clear();
}

void Pipe::acknowledge(std::size_t size) {
  CHECK_LE(size, unacknowledged_);
  unacknowledged_ -= size;
}

Ledger Pipe::ledger() const {
  Ledger ledger = ledger_;
  ledger.in_flight = travelling_.size() + arrived_.size();
  return ledger;
}

}  // namespace gossamer::sim
