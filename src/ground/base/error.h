// A failure as a value: a code from the vocabulary, the exact detail, and the context.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/errc.h"

namespace gossamer::base {

// Two words in size. Moving moves one pointer. An Error without detail or context (a cancellation,
// say) allocates nothing, so failing costs no more than returning. Copying allocates, so it has a
// name: copy().
class [[nodiscard]] Error {
 public:
  // `detail` says what exactly failed: "connect 93.184.216.34:443: timed out after 10 s". The
  // conversion from a bare code is implicit, so that a code works wherever an Error is expected.
  explicit(false) Error(Errc code) noexcept : code_(code) {}
  Error(Errc code, std::string detail);

  // Makes the failure of a system call. `what` is the call and its object ("open /var/x/journal");
  // to_string() adds the system's message. Allocates only if `what` is not empty.
  // REQUIRES: error_number > 0.
  static Error from_errno(int error_number, std::string what = {});

  // A moved-from Error keeps its code; it may be assigned to and destroyed.
  Error(Error&&) noexcept = default;
  Error& operator=(Error&&) noexcept = default;
  Error(const Error&) = delete;
  Error& operator=(const Error&) = delete;
  ~Error() = default;

  Error copy() const;

  Errc code() const noexcept { return code_; }
  std::string_view detail() const noexcept;
  // Returns the errno value of this failure, 0 if there is none.
  int error_number() const noexcept { return error_number_; }

  // Adds a clause about the wider operation: "while fetching https://a.example/". Each layer adds
  // one, on the way out. An empty context adds nothing.
  Error with_context(std::string context) &&;

  // Returns one line: "<code>: <detail>: <errno text>, <innermost context>, ..., <outermost
  // context>". An empty part is omitted with its separator:
  //   timed_out: connect 93.184.216.34:443: 10 s passed, while fetching https://a.example/, try 2
  // Data from outside is included unescaped; escape the line before printing it (base/escape.h).
  std::string to_string() const;
  // Returns the same line without the code, for the user: "cannot read a.toml: No such file or
  // directory". An error without detail and errno says its code in words: "timed out".
  std::string message() const;

  // Only the code distinguishes failures; the texts are for people.
  friend bool operator==(const Error& error, Errc code) noexcept { return error.code_ == code; }

 private:
  struct Text;
  struct TextDeleter {
    void operator()(Text* text) const noexcept;
  };

  Text& text();
  std::string reason() const;
  std::string contexts() const;

  Errc code_;
  int error_number_ = 0;
  std::unique_ptr<Text, TextDeleter> text_;
};

static_assert(sizeof(Error) <= 16);

}  // namespace gossamer::base

namespace gossamer {
using base::Error;
}
