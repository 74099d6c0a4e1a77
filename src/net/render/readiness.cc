#include "render/readiness.h"

namespace gossamer::render {

bool Readiness::is_ready(const Look& look, std::size_t requests, Instant now) {
  const bool is_same = last_ == look;
  if (!last_ || last_->links != look.links) changed_ = now;
  last_ = look;
  if (now >= deadline()) return true;
  if (!look.has_selected) return false;
  const bool is_quiet = requests == 0 && now - quiet_since_ >= options_.quiet;
  if (look.is_loaded && is_same && is_quiet) return true;
  return now - changed_ >= options_.stable && (look.is_loaded || look.links > 0);
}

void Readiness::begin_again(Instant now) {
  time_max_ += options_.time_again;
  quiet_since_ = now;
  changed_ = now;
  last_.reset();
}

}  // namespace gossamer::render
