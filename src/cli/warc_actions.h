// What `gossamer warc` can do, one function for each word behind it.
#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

int run_warc_list(const std::vector<std::string>& words);
int run_warc_cat(const std::vector<std::string>& words);
int run_warc_check(const std::vector<std::string>& words);
int run_warc_index(const std::vector<std::string>& words);
int run_warc_extract(const std::vector<std::string>& words);

}  // namespace gossamer::cli
