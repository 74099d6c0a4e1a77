#pragma once

// For programs that use Gossamer as a library: links, their positions, and which are broken.
#include "check/document.h"
#include "check/findings.h"
#include "check/formats.h"
#include "check/link_book.h"
#include "check/page_checker.h"
#include "check/reader.h"
#include "run/link_check.h"

namespace gossamer {

using run::check_links;
using run::CheckResult;
using run::CheckSettings;
using run::LinkCheck;

}  // namespace gossamer
