// Compiles selectors.
// https://drafts.csswg.org/selectors-4/#grammar
#pragma once

#include <string_view>

#include "base/result.h"
#include "dom/selector_program.h"

namespace gossamer::dom {

// BOUND: longer selectors, and those with more levels, elements or conditions, fail with
// Errc::over_limit.
inline constexpr std::size_t kSelectorBytesMax = std::size_t{64} * 1024;
inline constexpr std::size_t kSelectorNestingMax = 16;
inline constexpr std::size_t kCompoundsMax = 256;
inline constexpr std::size_t kSimplesMax = 4096;

base::Result<SelectorProgram> compile_selector(std::string_view text);

}  // namespace gossamer::dom
