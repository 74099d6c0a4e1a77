// The head of a response: the status line and the fields, as received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::wire {

// One string, the bytes as received, and the positions of the fields in it.
//
// BORROWS: every view that a member returns views this object.
class ResponseHead {
 public:
  struct Field {
    std::string_view name;
    std::string_view value;  // trimmed
  };

  ResponseHead() = default;

  // Parses a whole head: all lines including the empty one at the end. It is as strict as RFC 9112
  // allows, with three exceptions that real servers need and that are unambiguous:
  //   - Lines may end with a bare LF, all or some (RFC 9112 section 2.2). If only some do, a reader
  //     that does not accept bare LFs must find the same end of the head and the same framing: the
  //     empty line ends like the line before it, and if that is CRLF, no framing field is next to a
  //     bare LF.
  //   - The space and reason phrase after the status code may be missing.
  //   - A field value may continue in a line that begins with a blank (obs-fold); the fold is read
  //     as one space. The first line and the framing fields cannot be folded.
  // A CR elsewhere, NUL and other control characters, blanks around a name, lines without a colon
  // and versions other than 1.0 and 1.1 fail with Errc::malformed.
  // BOUND: Errc::over_limit beyond `fields_max` fields.
  static Result<ResponseHead> parse(std::string_view raw, std::size_t fields_max);

  // The same piece by piece: returns true once the empty line was read, after which nothing must
  // follow. Fails as soon as an invalid line has ended.
  Result<bool> append(std::string_view part, std::size_t fields_max);

  // Returns all bytes, from the status line to the empty line.
  std::string_view raw() const noexcept { return raw_; }
  int status() const noexcept { return status_; }  // 0 to 999
  int minor_version() const noexcept { return minor_version_; }
  std::string_view reason() const noexcept { return at(reason_); }
  // Returns whether lines ended with a bare LF, all or some.
  bool has_bare_line_ends() const noexcept { return has_bare_line_ends_; }

  // The fields in their order.
  std::size_t size() const noexcept { return fields_.size(); }
  Field operator[](std::size_t index) const noexcept {
    return {at(fields_[index].name), at(fields_[index].value)};
  }

  // Returns the value of the first field of that name, in any case.
  std::optional<std::string_view> find(std::string_view name) const noexcept;
  // Returns the values of all fields of that name, in their order.
  std::vector<std::string_view> find_all(std::string_view name) const;
  // Calls `use(value)` for each of them.
  template <class Use>
  void for_each(std::string_view name, Use use) const {
    for (std::size_t i = next(name, 0); i < fields_.size(); i = next(name, i + 1)) {
      use(at(fields_[i].value));
    }
  }
  // Returns whether a token is in the comma-separated lists of that name, in any case.
  bool has_token(std::string_view name, std::string_view token) const noexcept;

 private:
  static constexpr std::uint32_t kUnfolded = std::uint32_t{1} << 31;

  // BOUND: heads are far shorter than 2 GiB; the highest bit means that the position is in
  // unfolded_.
  struct Place {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };
  struct FieldPlaces {
    Place name;
    Place value;
  };

  std::string_view at(Place place) const noexcept {
    const bool is_unfolded = (place.begin & kUnfolded) != 0;
    return std::string_view(is_unfolded ? unfolded_ : raw_)
        .substr(place.begin & ~kUnfolded, place.size);
  }
  Place place_of(std::string_view part) const noexcept;
  std::size_t next(std::string_view name, std::size_t from) const noexcept;

  void note_line_end(bool is_bare) noexcept;
  const char* ambiguity(bool is_bare) const noexcept;
  Result<void> parse_line(std::string_view line, std::size_t fields_max);
  Result<void> parse_status_line(std::string_view line);
  Result<void> parse_field(std::string_view line);
  Result<void> unfold(std::string_view line);

  std::string raw_;
  std::string unfolded_;  // values that were folded
  std::vector<FieldPlaces> fields_;
  Place reason_;
  std::uint32_t parsed_bytes_ = 0;  // of raw_, whole lines
  std::int16_t status_ = -1;        // no status line yet
  std::uint8_t minor_version_ = 1;
  bool has_bare_line_ends_ = false;
  bool has_whole_line_ends_ = false;   // CRLF
  bool was_bare_ = false;              // the end of the last line
  bool is_framing_near_bare_ = false;  // a framing field is before or after a bare LF
};

// Returns the target of a redirect, as written. Fails with Errc::malformed if the head has several
// different ones, because an attacker may have injected the second.
Result<std::optional<std::string_view>> location(const ResponseHead& head);

}  // namespace gossamer::wire
