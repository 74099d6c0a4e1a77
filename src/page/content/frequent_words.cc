#include "content/frequent_words.h"

namespace gossamer::content {

using enum Script;

const std::array<LanguageWords, kLanguages> kFrequentWords = {{
#include "content/frequent_words.inc"
}};

}  // namespace gossamer::content
