#include "robots/gunzip.h"

#include <array>

#include "base/bytes.h"
#include "base/inflater.h"

namespace gossamer::robots {

struct Gunzip::State {
  base::Inflater inflater = base::Inflater(base::Inflater::Format::gzip);
  Bytes packed;  // the input that is left
  bool is_between_members = false;
  std::array<std::byte, 64 * 1024> piece;
};

Gunzip::Gunzip() : state_(std::make_unique<State>()) {}

Gunzip::~Gunzip() = default;

void Gunzip::give(std::string_view packed) { state_->packed = as_bytes(packed); }

Gunzip::Outcome Gunzip::next(std::string_view& piece) {
  Bytes& packed = state_->packed;
  while (true) {
    if (state_->is_between_members) {
      // Members can follow each other; anything else is padding or garbage.
      if (packed.empty() || packed.front() != std::byte{0x1F}) return Outcome::done;
      state_->inflater.begin_again();
      state_->is_between_members = false;
    }
    const base::CodecStep step = state_->inflater.run(packed, state_->piece);
    packed = packed.subspan(step.consumed);
    if (step.status == base::CodecStatus::ended) state_->is_between_members = true;
    if (step.produced > 0) {
      piece = as_text(Bytes(state_->piece).first(step.produced));
      return Outcome::piece;
    }
    const bool is_stuck = packed.empty() || step.consumed == 0;
    if (step.status == base::CodecStatus::more && is_stuck) return Outcome::needs_more;
    if (step.status == base::CodecStatus::damaged) return Outcome::broken;
  }
}

}  // namespace gossamer::robots
