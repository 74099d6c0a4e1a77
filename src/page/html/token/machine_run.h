// Code that the source files of Machine share.
#pragma once

#include "html/token/ascii.h"
#include "html/token/machine.h"
#include "html/token/scan.h"

namespace gossamer::html {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

template <class... Stops>
std::string_view Machine::take_run(Stops... stops) {
  if (*at_ == '\r') return "\n";
  const char* const begin = at_;
  const char* const stop = find_any(begin + 1, end_, stops..., '\r', '\0');
  at_ = stop - 1;
  return {begin, stop};
}

template <class... Stops>
Machine::Next Machine::emit_run(Stops... stops) {
  emit(take_run(stops...));
  return Next::consumed;
}

}  // namespace gossamer::html
