#include "render/readiness.h"

namespace gossamer::render {

void Readiness::note_request(Instant now) {
  quiet_since_ = now;
  quiet_looks_ = 0;
}

bool Readiness::is_ready(const Look& look, std::size_t requests, Instant now) {
  quiet_looks_ = last_ == look && requests == 0 ? quiet_looks_ + 1 : 0;
  if (!last_ || last_->links != look.links) changed_ = now;
  last_ = look;
  if (now >= deadline()) return true;
  if (!look.has_selected) return false;
  const bool is_quiet =
      quiet_looks_ >= options_.quiet_looks && now - quiet_since_ >= options_.quiet;
  if (look.is_loaded && is_quiet) return true;
  return look.links > 0 && now - changed_ >= options_.stable;
}

void Readiness::begin_again(Instant now) {
  time_max_ += options_.time_again;
  note_request(now);
  changed_ = now;
  last_.reset();
}

}  // namespace gossamer::render
