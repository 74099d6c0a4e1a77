#include "cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/edit_distance.h"
#include "base/escape.h"
#include "cli/check_command.h"
#include "cli/completions_command.h"
#include "cli/crawl_command.h"
#include "cli/demo_command.h"
#include "cli/doctor_command.h"
#include "cli/fetch_command.h"
#include "cli/init_command.h"
#include "cli/job_commands.h"
#include "cli/links_command.h"
#include "cli/man_command.h"
#include "cli/robots_command.h"
#include "cli/text_command.h"
#include "cli/top_command.h"
#include "cli/url_command.h"
#include "cli/warc_command.h"
#include "cli/why_command.h"

namespace gossamer::cli {

namespace {

constexpr Command kCommands[] = {
    {"crawl", "URL... [--depth N] [--limit N]", "fetch every page of a site", run_crawl_command},
    {"check", "URL|FILE... [--format NAME]", "look for broken links, on sites and in files",
     run_check_command},
    {"mirror", "URL [DIR] [-- OPTION...]", "make or update an offline copy of a site",
     run_mirror_command},
    {"demo", "[--seed N] [--pages N]", "crawl a synthetic site, without a network",
     run_demo_command},
    {"top", "SOCKET [pause|add URL|...]", "look into a crawl that runs, and steer it",
     run_top_command},
    {"status", "DIR [--json]", "say how far the crawl of a directory has come", run_status_command},
    {"resume", "DIR [-- OPTION...]", "go on with the crawl of a directory", run_resume_command},
    {"list", "DIR [--state NAME] [--host HOST]", "list the URLs of a crawl directory",
     run_list_command},
    {"changes", "DIR [--json]", "tell what a crawl that asked again found different",
     run_changes_command},
    {"export", "DIR --jsonl FILE", "make other things of a crawl directory", run_export_command},
    {"why", "RESULTS.jsonl... URL...", "say why a crawl fetched a URL, or did not",
     run_why_command},
    {"fetch", "URL... [-i] [-I] [-o FILE] [--json]", "fetch URLs", run_fetch_command},
    {"links", "FILE|- [--base URL] [--json]", "list the links of a page", run_links_command},
    {"text", "FILE|-", "show the text of a page", run_text_command},
    {"url", "parse|join|canon URL...", "take URLs apart, join and normalise them", run_url_command,
     "parse|join|canon"},
    {"robots", "FILE|- --agent NAME URL...", "ask a robots.txt about URLs", run_robots_command},
    {"warc", "ls|cat|check|index|extract FILE...", "look into archives: WARC, ARC, WACZ",
     run_warc_command, "ls|cat|check|index|extract"},
    {"init", "[FILE] [--force]", "write a configuration file with every key", run_init_command},
    {"doctor", "[CONNECTIONS]", "say what this machine lets Gossamer do", run_doctor_command},
    {"completions", "bash|zsh|fish", "print what a shell needs to complete words",
     run_completions_command},
    {"man", "[COMMAND] [--into DIR]", "print a manual page", run_man_command},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

int exit_code_for(const Error& error) {
  switch (error.code()) {
    case Errc::refused:
    case Errc::reset:
    case Errc::peer_closed:
    case Errc::unreachable:
    case Errc::not_connected:
    case Errc::dns_failed:
    case Errc::timed_out:
    case Errc::unavailable: return kNetworkFailed;
    // Sockets are denied for other reasons than files: by us, or by a firewall with EPERM.
    case Errc::denied:
      return error.error_number() == EACCES || error.error_number() == EROFS ? kFileFailed
                                                                             : kNetworkFailed;
    case Errc::tls_failed: return kTlsFailed;
    case Errc::malformed:
    case Errc::over_limit:
    case Errc::unsupported: return kProtocolFailed;
    case Errc::not_found:
    case Errc::exists:
    case Errc::no_space:
    case Errc::io_failed: return kFileFailed;
    case Errc::invalid_argument: return kUsage;
    case Errc::cancelled:
    case Errc::closed:
    case Errc::no_resources:
    case Errc::internal: return kFailed;
  }
  return kFailed;
}

int exit_code_for_status(int status) {
  if (status == 401 || status == 407) return kAuthenticationFailed;
  return status >= 400 ? kServerError : kOk;
}

std::string message_of(const Error& error) {
  if (error.detail().empty()) return error.to_string();
  std::string message(error.detail());
  if (error.error_number() != 0) message.append(": ").append(std::strerror(error.error_number()));
  return message;
}

std::string cannot_read(std::string_view file) {
  return fmt::format("cannot read {}: {}", file, std::strerror(errno));
}

std::string cannot_write(std::string_view file) {
  return fmt::format("cannot write {}: {}", file, std::strerror(errno));
}

int worse(int one, int other) {
  if (one <= kFailed || other <= kFailed) return std::max(one, other);
  return std::min(one, other);
}

int usage_error(std::string_view command, std::string_view message) {
  const std::string line =
      "gossamer " + std::string(command) + ": " + base::escape_for_terminal(message) + "\n";
  std::fputs(line.c_str(), stderr);
  return kUsage;
}

int job_error(std::string_view command, const Error& error) {
  const std::string_view what = error.error_number() != 0 ? "cannot open " : "";
  const int exit_code = usage_error(command, fmt::format("{}{}", what, message_of(error)));
  const bool is_of_system =
      error.error_number() != 0 || error == Errc::io_failed || error == Errc::no_space;
  return is_of_system ? kFileFailed : exit_code;
}

}  // namespace gossamer::cli
