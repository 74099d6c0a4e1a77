#pragma once

#include <cstdint>
#include <expected>
#include <utility>

#include "base/error.h"

namespace gossamer::run {

// The part of a crawl that failed.
enum class Part : std::uint8_t {
  settings,
  network,  // name servers, certificates, threads: what every request needs
  login,    // a site did not let us in, or could not be reached for that
  control,  // the socket through which a crawl is steered
  job,      // the crawl directory
  archive,
  sink,  // whoever takes the pages
  cookies,
  crawl,  // something of ours, while it was crawling
};

struct Failure {
  Part part = Part::crawl;
  Error error;
};

// A value, or which part failed and why.
template <class T>
using Outcome = std::expected<T, Failure>;

[[nodiscard]] inline std::unexpected<Failure> fail_in(Part part, Error error) {
  return std::unexpected<Failure>(Failure{.part = part, .error = std::move(error)});
}

}  // namespace gossamer::run
