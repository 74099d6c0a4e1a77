#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace gossamer::render {

struct ReadinessOptions {
  // A page is ready when nothing was requested or answered for this long, and it did not change.
  Duration quiet = 500ms;
  // So many looks in a row see that. On a busy machine each takes long, as does all that the page
  // does.
  std::size_t quiet_looks = 3;
  // It is also ready when it has links that did not change for this long: some pages never stop
  // requesting. A page without links may still wait for the script or the data that makes them.
  Duration stable = 2s;
  // It is not ready without such an element. Empty: that does not matter.
  std::string selector;
  // BOUND: it is read after this time whatever it does.
  Duration time_max = 10s;
  // As much more for each begin_again().
  Duration time_again = 2s;
  // The pause between two looks at a page.
  Duration interval = 100ms;
};

// The state of a page at one moment.
struct Look {
  bool is_loaded = false;
  bool has_selected = true;  // an element that ReadinessOptions::selector selects
  std::uint64_t links = 0;
  std::uint64_t elements = 0;

  friend bool operator==(const Look&, const Look&) = default;
};

// Decides when a page has done what it does without a user.
class Readiness {
 public:
  Readiness(const ReadinessOptions& options, Instant started)
      : options_(options),
        time_max_(options.time_max),
        started_(started),
        quiet_since_(started),
        changed_(started) {}

  // Call it when a request begins and when it ends.
  void note_request(Instant now);
  // Returns whether the page is ready. `requests` have no answer yet.
  bool is_ready(const Look& look, std::size_t requests, Instant now);
  // Call it when the page was scrolled: it may do more.
  void begin_again(Instant now);
  Instant deadline() const { return base::add_saturating(started_, time_max_); }

 private:
  const ReadinessOptions options_;
  Duration time_max_;
  const Instant started_;
  Instant quiet_since_;
  std::size_t quiet_looks_ = 0;
  Instant changed_;  // its links
  std::optional<Look> last_;
};

}  // namespace gossamer::render
