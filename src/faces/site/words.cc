#include "site/words.h"

#include <array>
#include <cstddef>
#include <vector>

namespace gossamer::site {
namespace {

constexpr std::array<std::string_view, 96> kWords = {
    "amber",   "anchor", "apple",   "arrow",  "autumn", "basin",   "bell",    "birch",   "bridge",
    "candle",  "canyon", "cedar",   "chalk",  "cloud",  "copper",  "coral",   "cotton",  "crane",
    "crystal", "dawn",   "delta",   "dew",    "dune",   "eagle",   "echo",    "ember",   "fern",
    "field",   "finch",  "flint",   "forest", "garden", "glacier", "grain",   "granite", "harbor",
    "hazel",   "heron",  "hollow",  "island", "ivory",  "jasper",  "juniper", "kettle",  "lagoon",
    "lantern", "leaf",   "linen",   "loom",   "maple",  "marble",  "meadow",  "mill",    "mirror",
    "moss",    "needle", "north",   "oak",    "ocean",  "olive",   "orchard", "otter",   "paper",
    "pebble",  "pine",   "plum",    "pond",   "quarry", "quartz",  "raven",   "reed",    "ridge",
    "river",   "saddle", "salt",    "sand",   "shadow", "silver",  "slate",   "sparrow", "spring",
    "stone",   "summer", "thistle", "thread", "timber", "valley",  "velvet",  "violet",  "walnut",
    "water",   "wharf",  "willow",  "winter", "woven",  "wren"};

// Appends lower-case letters of the script. In windows-1251 they have one byte each, in Shift_JIS
// two.
void append_letters(std::string& out, Script script, std::size_t count, base::Random& random) {
  for (std::size_t i = 0; i < count; ++i) {
    if (script == Script::cyrillic) {
      out.push_back(static_cast<char>(0xE0 + random.below(32)));
    } else {
      out.push_back(static_cast<char>(0x82));
      out.push_back(static_cast<char>(0x9F + random.below(0xF1 - 0x9F + 1)));
    }
  }
}

void append_word(std::string& out, Script script, base::Random& random) {
  if (script == Script::latin) {
    out += kWords[random.next() % kWords.size()];
  } else {
    append_letters(out, script, 2 + random.below(7), random);
  }
}

std::string make_sentence(Script script, base::Random& random) {
  std::string sentence;
  append_word(sentence, script, random);
  if (script == Script::latin) sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  for (std::size_t left = 5 + random.below(12); left > 0; --left) {
    sentence += left % 7 == 0 ? ", " : " ";
    append_word(sentence, script, random);
  }
  return sentence + ". ";
}

// Pages are assembled from whole sentences, which is fast.
const std::vector<std::string>& sentences(Script script) {
  constexpr std::size_t kCount = 256;
  static const std::array<std::vector<std::string>, 3> all = [] {
    std::array<std::vector<std::string>, 3> made;
    base::Random random(20);
    for (const Script each : {Script::latin, Script::cyrillic, Script::hiragana}) {
      auto& list = made[static_cast<std::size_t>(each)];
      for (std::size_t i = 0; i < kCount; ++i) list.push_back(make_sentence(each, random));
    }
    return made;
  }();
  return all[static_cast<std::size_t>(script)];
}

}  // namespace

std::string_view word(std::uint64_t number) noexcept { return kWords[number % kWords.size()]; }

std::string slug(std::uint64_t number) {
  std::string out;
  append_slug(out, number);
  return out;
}

void append_slug(std::string& out, std::uint64_t number) {
  out += word(number);
  out += '-';
  out += word(number / kWords.size());
}

void append_sentences(std::string& out, Script script, std::size_t bytes_min,
                      base::Random& random) {
  const auto& all = sentences(script);
  const std::size_t end = out.size() + bytes_min;
  while (out.size() < end) out += all[random.next() % all.size()];
}

void append_phrase(std::string& out, Script script, base::Random& random) {
  append_word(out, script, random);
  for (std::uint64_t left = random.below(3); left > 0; --left) {
    out += ' ';
    append_word(out, script, random);
  }
}

}  // namespace gossamer::site
