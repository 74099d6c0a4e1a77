// The head of a response: the status line and the fields, as they came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gossamer::wire {

// One string, the bytes as received, and the places of the fields in it.
//
// BORROWS: every view returned by a member looks into this object.
class ResponseHead {
 public:
  struct Field {
    std::string_view name;
    std::string_view value;  // without the blanks around it
  };

  ResponseHead() = default;

  // Reads a whole head: all lines and the empty one at their end. Strict, as RFC 9112 lets a
  // client be, but for three things that real servers do and that can be read in one way only:
  //   - lines may end with a bare LF, all or some (RFC 9112 section 2.2). Where some do, readers
  //   who
  //     do not know them must not find another end of the head or another frame of the body: the
  //     empty line ends as the line before it does, and if that is CRLF, no field that frames the
  //     body stands beside a bare LF;
  //   - the space and reason phrase after the status code may be missing;
  //   - a field value may go on in a line that begins with a blank (obs-fold); it is read with one
  //     space there. Not the first line, and not in the fields that frame the body.
  // A CR elsewhere, NUL and other control characters, blanks around a name, lines without a colon,
  // versions other than 1.0 and 1.1 are refused with Errc::malformed.
  // BOUND: Errc::over_limit beyond `fields_max` fields.
  static Result<ResponseHead> parse(std::string_view raw, std::size_t fields_max);

  // The same piece by piece: true once the empty line was read, behind which nothing may stand.
  // Fails as soon as a line that is wrong has ended.
  Result<bool> append(std::string_view part, std::size_t fields_max);

  // From the first byte of the status line to the empty line.
  std::string_view raw() const noexcept { return raw_; }
  int status() const noexcept { return status_; }  // 0 to 999
  int minor_version() const noexcept { return minor_version_; }
  std::string_view reason() const noexcept { return at(reason_); }
  // Lines ended with LF alone, all or some.
  bool has_bare_line_ends() const noexcept { return has_bare_line_ends_; }

  // The fields in their order.
  std::size_t size() const noexcept { return fields_.size(); }
  Field operator[](std::size_t index) const noexcept {
    return {at(fields_[index].name), at(fields_[index].value)};
  }

  // The value of the first field of that name, in any case.
  std::optional<std::string_view> find(std::string_view name) const noexcept;
  // The values of all fields of that name, in their order.
  std::vector<std::string_view> find_all(std::string_view name) const;
  // Calls `use(value)` for each of them.
  template <class Use>
  void for_each(std::string_view name, Use use) const {
    for (std::size_t i = next(name, 0); i < fields_.size(); i = next(name, i + 1)) {
      use(at(fields_[i].value));
    }
  }
  // Whether a token is in the comma-separated lists of that name, in any case.
  bool has_token(std::string_view name, std::string_view token) const noexcept;

 private:
  static constexpr std::uint32_t kUnfolded = std::uint32_t{1} << 31;

  // BOUND: heads are far shorter than 2 GiB; the highest bit tells that the place is in unfolded_.
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
  bool is_ambiguous(bool is_bare) const noexcept;
  Result<void> parse_line(std::string_view line, std::size_t fields_max);
  Result<void> parse_status_line(std::string_view line);
  Result<void> parse_field(std::string_view line);
  Result<void> unfold(std::string_view line);

  std::string raw_;
  std::string unfolded_;  // values that stood in several lines
  std::vector<FieldPlaces> fields_;
  Place reason_;
  std::uint32_t parsed_bytes_ = 0;  // of raw_, whole lines
  std::int16_t status_ = -1;        // no status line yet
  std::uint8_t minor_version_ = 1;
  bool has_bare_line_ends_ = false;
  bool has_whole_line_ends_ = false;   // CRLF
  bool was_bare_ = false;              // the end of the last line
  bool is_framing_near_bare_ = false;  // a framing field stands before or after a bare LF
};

// Where a redirect leads, as it stands there. Fails with Errc::malformed if the head names several
// places: whoever put the second one in may not be the server.
Result<std::optional<std::string_view>> location(const ResponseHead& head);

}  // namespace gossamer::wire
