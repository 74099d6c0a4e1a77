// What a check has found, in words. Addresses and texts are of strangers: none of them can drive a
// terminal, end a line, or mean anything in JSON, XML or Markdown.
#pragma once

#include <string>

#include "check/findings.h"

namespace gossamer::check {

// For people. With `shows_unchecked` also what was not checked; else that is only counted.
std::string to_text(const Findings& findings, bool shows_unchecked = false);
// The last lines of that: how much was checked, and what came of it.
std::string summary_of(const Findings& findings);

// For machines: one object; docs/check.md has the schema.
std::string to_json(const Findings& findings);

// For those who show the results of tests: one case per address.
std::string to_junit(const Findings& findings);

// For a comment on a pull request. BOUND: 60,000 bytes, since comments have a limit.
std::string to_markdown(const Findings& findings);

}  // namespace gossamer::check
