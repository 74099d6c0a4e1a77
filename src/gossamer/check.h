#pragma once

// For programs that use Gossamer as a library: links, their positions, and which are broken.
#include "check/document.h"
#include "check/findings.h"
#include "check/formats.h"
#include "check/link_book.h"
#include "check/page_checker.h"
#include "check/reader.h"
