// Writes the result of a check. URLs and texts come from other hosts: none of them can control a
// terminal, end a line, or have a meaning in JSON, XML or Markdown.
#pragma once

#include <string>

#include "check/findings.h"

namespace gossamer::check {

// For people. `shows_unchecked` also lists what was not checked; otherwise that is only counted.
std::string to_text(const Findings& findings, bool shows_unchecked = false);
// The last lines of that: how much was checked, and the result.
std::string summary_of(const Findings& findings);

// For machines: one object; docs/check.md has the schema.
std::string to_json(const Findings& findings);

// For tools that show test results: one case per URL.
std::string to_junit(const Findings& findings);

// For code scanning (SARIF 2.1.0): one result per place of a link. Paths become relative URLs.
std::string to_sarif(const Findings& findings);

// For a comment on a pull request. BOUND: 60,000 bytes, since comments have a limit.
std::string to_markdown(const Findings& findings);

}  // namespace gossamer::check
