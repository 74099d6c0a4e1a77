#include "options/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/edit_distance.h"
#include "base/number.h"

namespace gossamer::options {
namespace {

std::string about_unknown(std::string_view name, std::span<const Option> options) {
  // The dashes would make all names look alike.
  std::vector<std::string_view> candidates = {"help"};
  for (const Option& option : options) {
    for (const std::string& known : option.names) {
      if (known.starts_with("--")) candidates.push_back(std::string_view(known).substr(2));
    }
  }
  const std::size_t dashes = std::min(name.find_first_not_of('-'), name.size());
  const std::string_view near = base::nearest(name.substr(dashes), candidates);
  std::string message = fmt::format("unknown option {}", name);
  const auto rest = std::ranges::find(options, Use::rest, &Option::use);
  if (rest != options.end()) return message + fmt::format("; write {} after --", rest->help);
  return near.empty() ? message : message + fmt::format("; did you mean --{}?", near);
}

class WordSorter {
 public:
  WordSorter(std::span<const Option> options, const std::vector<std::string>& words,
             std::span<const ForeignOption> foreign)
      : options_(options), words_(words), foreign_(foreign) {
    given_.values.resize(options.size());
  }

  Result<GivenWords> sort() {
    while (at_ < words_.size()) take_word(words_[at_++]);
    if (given_.asks_for_help) return std::move(given_);
    place_words();
    if (!fault_.empty()) return fail(Errc::invalid_argument, fault_);
    return std::move(given_);
  }

 private:
  void take_word(const std::string& word) {
    if (word == "--") {
      const auto behind =
          words_.begin() + static_cast<std::ptrdiff_t>(std::exchange(at_, words_.size()));
      std::vector<std::string>& into = words_behind_dashes();
      into.insert(into.end(), behind, words_.end());
    } else if (word.starts_with("--")) {
      take_long(word);
    } else if (word.starts_with('-') && word.size() > 1) {
      take_short(word);
    } else {
      plain_.push_back(word);
    }
  }

  void take_long(const std::string& word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals < word.size()) value = word.substr(equals + 1);
    take_option(name, std::move(value));
  }

  // "-vq", "-ofile"
  void take_short(const std::string& word) {
    // "-np" of wget does not mean -n and -p.
    if (find(word.substr(0, 2)) == nullptr && note_foreign(word)) return;
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = {'-', word[i]};
      const Option* const option = find(name);
      const bool takes_value = option != nullptr && option->takes_value();
      std::optional<std::string> value;
      if (takes_value && i + 1 < word.size()) value = word.substr(i + 1);
      take_option(name, std::move(value));
      if (takes_value || option == nullptr) return;
    }
  }

  void take_option(const std::string& name, std::optional<std::string> value) {
    if (name == "-h" || name == "--help") {
      given_.asks_for_help = true;
      return;
    }
    const Option* const option = find(name);
    if (option == nullptr) {
      if (!note_foreign(name)) note(about_unknown(name, options_));
      return;
    }
    std::vector<std::string>& values = values_of(*option);
    if (!option->takes_value()) {
      if (option->use == Use::counted) return count(values, value.value_or("1"));
      values = {value.value_or("true")};
      return;
    }
    if (!value && at_ == words_.size()) {
      return note(fmt::format("{} requires a value: {}", name, option->placeholder));
    }
    if (option->use == Use::single) values.clear();
    values.push_back(value ? std::move(*value) : words_[at_++]);
  }

  static void count(std::vector<std::string>& values, std::string more) {
    std::uint64_t before = 0;
    std::uint64_t number = 0;
    if (!values.empty() && base::parse_number(values[0], before) &&
        base::parse_number(more, number)) {
      more = fmt::format("{}", before + number);
    }
    values = {std::move(more)};
  }

  // Assigns words to their places, in order.
  void place_words() {
    std::size_t next = 0;
    for (const Option& option : options_) {
      if (option.use != Use::word && option.use != Use::words) continue;
      std::vector<std::string>& values = values_of(option);
      while (next < plain_.size() && (values.empty() || option.takes_many())) {
        values.push_back(plain_[next++]);
      }
      if (values.empty() && option.is_required) note(option.placeholder + " is required");
    }
    if (next < plain_.size()) note("unexpected argument '" + plain_[next] + "'");
  }

  // Returns the option for words after "--", if there is one; otherwise they are plain words.
  std::vector<std::string>& words_behind_dashes() {
    const auto found = std::ranges::find(options_, Use::rest, &Option::use);
    return found == options_.end() ? plain_ : values_of(*found);
  }

  const Option* find(std::string_view name) const {
    for (const Option& option : options_) {
      if (std::ranges::find(option.names, name) != option.names.end()) return &option;
    }
    return nullptr;
  }

  std::vector<std::string>& values_of(const Option& option) {
    return given_.values[static_cast<std::size_t>(&option - options_.data())];
  }

  bool note_foreign(std::string_view name) {
    const auto found = std::ranges::find_if(
        foreign_, [name](const ForeignOption& option) { return option.has_name(name); });
    if (found == foreign_.end()) return false;
    note(fmt::format("unknown option {}; {}", name, found->hint));
    return true;
  }

  void note(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
  }

  const std::span<const Option> options_;
  const std::vector<std::string>& words_;
  const std::span<const ForeignOption> foreign_;
  std::size_t at_ = 0;
  std::vector<std::string> plain_;
  GivenWords given_;
  std::string fault_;  // the first one
};

}  // namespace

Result<GivenWords> sort_words(std::span<const Option> options,
                              const std::vector<std::string>& words,
                              std::span<const ForeignOption> foreign) {
  return WordSorter(options, words, foreign).sort();
}

}  // namespace gossamer::options
