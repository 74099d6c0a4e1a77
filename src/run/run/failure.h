#pragma once

#include <cstdint>
#include <expected>
#include <utility>

#include "base/error.h"

namespace gossamer::run {

// The part of a crawl that failed.
enum class Part : std::uint8_t {
  settings,
  network,  // what every request needs: name servers, certificates, threads
  login,    // a site rejected the login or could not be reached
  control,  // the control socket or the metrics
  job,      // the crawl directory
  cluster,  // the shared crawl
  archive,
  sink,  // the consumer of the pages
  cookies,
  crawl,  // an internal failure during the crawl
};

struct Failure {
  Part part = Part::crawl;
  Error error;
};

// A value, or the part that failed and why.
template <class T>
using Outcome = std::expected<T, Failure>;

[[nodiscard]] inline std::unexpected<Failure> fail_in(Part part, Error error) {
  return std::unexpected<Failure>(Failure{.part = part, .error = std::move(error)});
}

}  // namespace gossamer::run
