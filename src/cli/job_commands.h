#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/kept_crawl.h"

namespace gossamer::cli {

// gossamer status DIR: how far the crawl of a directory has come.
int run_status_command(const std::vector<std::string>& arguments);
// gossamer resume DIR [OPTION...]: goes on with it as it was begun.
int run_resume_command(const std::vector<std::string>& arguments);
// gossamer list DIR: its URLs, by state.
int run_list_command(const std::vector<std::string>& arguments);
// gossamer changes DIR: what its last refresh found different.
int run_changes_command(const std::vector<std::string>& arguments);
// gossamer mirror URL [DIR]: an offline copy of a site, made or updated.
int run_mirror_command(const std::vector<std::string>& arguments);
// gossamer export DIR: other things made of it.
int run_export_command(const std::vector<std::string>& arguments);

// Writes a copy to browse into `folder`, which is called `shown_folder` when it is done. Says on
// stdout where the copies of the roots are, on stderr what could not be copied. Gives the exit
// code: kUsage or kFileFailed without a copy, kFailed if a page is not there as a whole.
int write_mirror(std::string_view command, const store::KeptCrawl& kept, const std::string& folder,
                 const std::string& shown_folder);

}  // namespace gossamer::cli
