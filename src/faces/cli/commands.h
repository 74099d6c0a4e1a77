// The commands of the program, each defined in the file of its code.
#pragma once

#include "cli/command.h"

namespace gossamer::cli {

extern const Command crawl_command;
extern const Command check_command;
extern const Command mirror_command;
extern const Command resume_command;
extern const Command demo_command;
extern const Command index_command;
extern const Command search_command;
extern const Command top_command;
extern const Command fetch_command;
extern const Command init_command;
extern const Command doctor_command;
extern const Command completions_command;
extern const Command man_command;

// gossamer cluster: crawls that several machines share.
extern const Command cluster_status_command;
extern const Command cluster_pause_command;
extern const Command cluster_resume_command;
extern const Command cluster_stop_command;
extern const Command cluster_add_command;
extern const Command cluster_block_command;
extern const Command cluster_unblock_command;
extern const Command cluster_purge_command;
extern const Command cluster_accept_command;
extern const Command cluster_export_command;
extern const Command cluster_doctor_command;

// gossamer job: the contents of a crawl directory or of its results.
extern const Command status_command;
extern const Command list_command;
extern const Command changes_command;
extern const Command export_command;
extern const Command why_command;
extern const Command repair_command;

// gossamer inspect: documents, URLs and robots.txt, without a network.
extern const Command url_parse_command;
extern const Command url_join_command;
extern const Command url_canon_command;
extern const Command links_command;
extern const Command text_command;
extern const Command extract_command;
extern const Command metadata_command;
extern const Command robots_command;
extern const Command serve_command;

// gossamer warc: archives.
extern const Command warc_ls_command;
extern const Command warc_cat_command;
extern const Command warc_check_command;
extern const Command warc_index_command;
extern const Command warc_extract_command;

}  // namespace gossamer::cli
