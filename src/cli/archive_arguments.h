#pragma once

#include "base/result.h"
#include "run/archive_settings.h"

namespace gossamer::cli {

class Arguments;
struct CrawlArguments;

// The options about archives. BORROWS: all, until they are parsed.
void declare_archive(Arguments& declared, run::ArchiveSettings& archive);

// Fails with Errc::invalid_argument if the options make no sense together.
Result<void> settle_archive(CrawlArguments& arguments);

}  // namespace gossamer::cli
