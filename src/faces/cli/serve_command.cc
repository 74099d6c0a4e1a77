#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/signals.h"
#include "async/task.h"
#include "base/ascii.h"
#include "base/escape.h"
#include "base/figures.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "cli/started_crawls.h"
#include "index/search_reader.h"
#include "net/tls_context.h"
#include "redis/server_url.h"
#include "run/shared/cluster_work.h"
#include "serve/server.h"
#include "settings/cluster_arguments.h"
#include "settings/job_arguments.h"
#include "settings/job_signature.h"
#include "store/job_folder.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kServeCommand = "serve";
constexpr std::string_view kWarcEnding = ".warc.gz";
// The kernel accepts no longer path of a socket.
constexpr std::size_t kSocketBytesMax = 107;

struct ServeArguments {
  serve::ServeSettings settings;
  std::string bind;
  std::string token_file;
  std::vector<std::string> clusters;
  std::string redis_password_file;
  net::TlsOptions redis_tls;
  std::uint64_t port = 0;
  std::uint64_t replay_port = 0;
  bool opens_browser = false;
};

void declare_serve(options::Table& table, ServeArguments& arguments) {
  serve::ServeSettings& settings = arguments.settings;
  table.summary(
      "Search, replay and watch crawls in a browser. Prints an address with a secret; open it.\n"
      "Reads crawl directories, WARC and ARC files and WACZ packages of any tool.");
  table.optional_words(options::texts(settings.paths, "DIR|FILE"), "what to serve");
  table.option("port", options::count(arguments.port), "listen on this port").unset = "any";
  table.option("replay-port", options::count(arguments.replay_port), "the port of replayed pages")
      .unset = "any";
  table
      .option("bind", options::text(arguments.bind, "ADDRESS"),
              "listen on this address; requires --token-file")
      .unset = "127.0.0.1 and ::1";
  table.repeated("host", options::texts(settings.hosts, "NAME"),
                 "accept requests for this host name");
  table.option("token-file", options::file(arguments.token_file), "read the token from a file")
      .unset = "a random one";
  table.repeated("control", options::texts(settings.control_sockets, "SOCKET"),
                 "show and control the crawl that listens there");
  table.repeated("cluster", options::texts(arguments.clusters, "URL"),
                 "show and control a shared crawl: redis://HOST:PORT,HOST:PORT/NAME");
  table.option("cluster-password-file", options::file(arguments.redis_password_file),
               "read the password of Redis from FILE, not from GOSSAMER_REDIS_PASSWORD");
  table.option("cluster-cacert", options::file(arguments.redis_tls.ca_file),
               "for rediss://: also trust the certificates in FILE (PEM)");
  table.repeated("index", options::texts(settings.indexes, "FILE"),
                 "search this index, too; made by gossamer index");
  table.option("new", options::folder(settings.new_folder),
               "let the browser start crawls in new folders of DIR; serves those in it, too");
  table.flag("allow-scripts", settings.allows_scripts, "run the scripts of replayed pages");
  table.flag("open", arguments.opens_browser, "open the address in a browser");
  table.footer("Manual: docs/serve.md");
}

// Names and addresses as a browser writes them in the Host field.
bool is_host_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '.';
  });
}

Result<std::string> read_token(const std::string& path) {
  std::ifstream file(path);
  file.peek();  // a folder can be opened, but not read
  if (!file) return fail(Errc::invalid_argument, "cannot read a token from " + path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return std::string(base::trimmed(text, " \t\r\n"));
}

Result<void> complete_clusters(ServeArguments& arguments) {
  if (arguments.clusters.empty()) {
    if (arguments.redis_password_file.empty() && arguments.redis_tls.ca_file.empty()) return {};
    return fail(Errc::invalid_argument,
                "--cluster-password-file and --cluster-cacert require --cluster");
  }
  const auto password = settings::read_redis_password(arguments.redis_password_file);
  if (!password) return fail(password.error().copy());
  for (const std::string& url : arguments.clusters) {
    const auto parsed = redis::parse_server_url(url);
    if (!parsed) return fail(parsed.error().copy());
    arguments.settings.clusters.push_back(
        {.url = url, .password = *password, .tls = arguments.redis_tls});
    const auto access = run::access_of(arguments.settings.clusters.back(), *parsed);
    if (!access) return fail(access.error().copy());
  }
  return {};
}

// Fails with Errc::invalid_argument if the options contradict each other.
Result<void> complete_serve(ServeArguments& arguments) {
  serve::ServeSettings& settings = arguments.settings;
  if (settings.paths.empty() && settings.new_folder.empty() && arguments.clusters.empty()) {
    return fail(Errc::invalid_argument,
                "name what to serve, a folder for new crawls (--new DIR) or a shared crawl "
                "(--cluster URL)");
  }
  if (auto settled = complete_clusters(arguments); !settled) return settled;
  std::error_code failure;
  if (!settings.new_folder.empty() &&
      !std::filesystem::is_directory(settings.new_folder, failure)) {
    return fail(Errc::invalid_argument, "--new requires a folder, not " + settings.new_folder);
  }
  constexpr std::uint64_t kPortMax = 65535;
  if (arguments.port > kPortMax || arguments.replay_port > kPortMax) {
    return fail(Errc::invalid_argument, "a port is a number from 0 to 65535");
  }
  settings.port = static_cast<std::uint16_t>(arguments.port);
  settings.replay_port = static_cast<std::uint16_t>(arguments.replay_port);
  if (!arguments.token_file.empty()) {
    auto token = read_token(arguments.token_file);
    if (!token) return fail(std::move(token).error());
    if (auto good = serve::check_token(*token); !good) return good;
    settings.token = std::move(*token);
  }
  for (const std::string& host : settings.hosts) {
    if (!is_host_name(host)) {
      return fail(Errc::invalid_argument, "--host requires a name without a port, not " + host);
    }
  }
  for (const std::string& socket : settings.control_sockets) {
    if (socket.size() > kSocketBytesMax) {
      return fail(Errc::invalid_argument, "the path of --control is too long for a socket");
    }
  }
  for (const std::string& index : settings.indexes) {
    if (auto opened = index::SearchReader::open(index); !opened) {
      return fail(Errc::invalid_argument,
                  "cannot open the search index " + index + ": " + opened.error().message());
    }
  }
  if (arguments.bind.empty()) return {};
  auto address = async::Endpoint::parse_address(arguments.bind);
  if (!address) {
    return fail(Errc::invalid_argument, "--bind requires an IP address, not " + arguments.bind);
  }
  if (settings.token.empty()) {
    return fail(Errc::invalid_argument,
                "--bind requires --token-file: other machines can reach this address");
  }
  if (arguments.opens_browser) {
    return fail(Errc::invalid_argument, "--open and --bind exclude each other");
  }
  settings.address = *address;
  return {};
}

// Opens a browser, which is told the address by a file: every user of the machine can read the
// arguments of a program, and the address has the token in it. The user sees the address anyway, so
// a browser that does not start is not an error.
class BrowserStart {
 public:
  explicit BrowserStart(const std::string& address) {
    if (!start(address)) {
      terminal::print_err("gossamer serve: cannot start a browser; open the address yourself\n");
    }
  }
  BrowserStart(const BrowserStart&) = delete;
  BrowserStart& operator=(const BrowserStart&) = delete;
  ~BrowserStart() {
    std::error_code failure;
    if (is_made_) std::filesystem::remove_all(folder_, failure);
    // It may still run, as the browser itself.
    if (child_ > 0) waitpid(child_, nullptr, WNOHANG);
  }

 private:
  bool start(const std::string& address) {
    // With mode 0700.
    is_made_ = mkdtemp(folder_.data()) != nullptr;
    if (!is_made_) return false;
    const std::string path = folder_ + "/open.html";
    std::ofstream file(path);
    file << "<!doctype html><meta charset=utf-8><title>Gossamer</title><meta http-equiv=refresh "
            "content=\"0;url="
         << address << "\">\n";
    file.close();
    if (!file) return false;
    std::string program = "xdg-open";
    std::string page = "file://" + path;
    char* const words[] = {program.data(), page.data(), nullptr};
    return posix_spawnp(&child_, program.c_str(), nullptr, nullptr, words, environ) == 0;
  }

  static std::string pattern() {
    std::error_code failure;
    return std::filesystem::temp_directory_path(failure) / "gossamer-XXXXXX";
  }

  std::string folder_ = pattern();
  bool is_made_ = false;
  pid_t child_ = 0;
};

// The archive of a crawl directory whose crawl had --warc-file.
struct ArchiveElsewhere {
  std::string name;  // as --warc-file had it; empty: the directory has its own archive
  std::vector<std::string> files;  // empty: they are not where the crawl directory is, nor here
};

// Returns the files NAME-00001.warc.gz, ... of a folder, in order.
std::vector<std::string> warc_files(const std::filesystem::path& name) {
  const std::string prefix = name.filename().string() + "-";
  const std::filesystem::path folder = name.has_parent_path() ? name.parent_path() : ".";
  std::vector<std::string> files;
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure);
       !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string file = entry->path().filename().string();
    if (!file.starts_with(prefix) || !file.ends_with(kWarcEnding)) continue;
    const std::string_view number = std::string_view(file).substr(
        prefix.size(), file.size() - std::min(file.size(), prefix.size() + kWarcEnding.size()));
    if (number.empty() || !std::ranges::all_of(number, base::is_digit)) continue;
    files.push_back(
        (name.has_parent_path() ? folder / file : std::filesystem::path(file)).string());
  }
  std::ranges::sort(files);
  return files;
}

// Files of names in settings that others wrote are not looked for.
ArchiveElsewhere archive_elsewhere(const std::string& path) {
  const auto job = store::JobFolder::open(path, store::JobFolder::Access::read);
  if (!job) return {};
  ArchiveElsewhere found = {.name = settings::stored_setting(*job, "warc-file").value_or(""),
                            .files = {}};
  const auto text = job->read_configuration();
  if (found.name.empty() || !text || !run::doubt_about(path, *text).empty()) return found;
  found.files = warc_files(found.name);
  const std::filesystem::path beside = std::filesystem::path(path + "/..") / found.name;
  if (found.files.empty()) found.files = warc_files(beside.lexically_normal());
  return found;
}

// The settings may be those of others, so a name that a shell would not read as one word is not put
// into a command.
bool is_plain_word(std::string_view text) {
  return !text.starts_with('-') && std::ranges::all_of(text, [](char c) {
    return base::is_letter(c) || base::is_digit(c) || std::string_view("/._-+@").contains(c);
  });
}

// A crawl with --warc-file has no responses in its directory. Serves them, too, or says where they
// are.
void add_archives(std::vector<std::string>& paths) {
  const std::vector<std::string> named = paths;
  const auto is_named = [&named](const std::string& path) {
    std::error_code failure;
    return std::ranges::any_of(named, [&](const std::string& one) {
      return one == path || std::filesystem::equivalent(one, path, failure);
    });
  };
  for (const std::string& path : named) {
    const ArchiveElsewhere archive = archive_elsewhere(path);
    if (archive.name.empty()) continue;
    for (const std::string& file : archive.files) {
      if (!is_named(file)) paths.push_back(file);
    }
    if (!archive.files.empty() || named.size() > 1) continue;
    terminal::print_err("gossamer serve: the responses of {} are in {}-*.warc.gz (--warc-file)\n",
                        base::escape_for_terminal(path), base::escape_for_terminal(archive.name));
    if (!is_plain_word(path) || !is_plain_word(archive.name)) continue;
    terminal::print_err("to show them: gossamer serve {} {}-*.warc.gz\n", path, archive.name);
  }
}

// BORROWS: the loop.
async::Task<Result<void>> serve_all(async::Loop& loop, ServeArguments arguments) {
  StartedCrawls crawls;
  arguments.settings.starter = &crawls;
  async::Scope scope;
  bool is_stopping = false;
  auto signals = async::SignalWatch::make(loop, {SIGINT, SIGTERM, SIGHUP}, [&](int signal) {
    scope.cancel();
    // A terminal that is closed may send SIGHUP several times, and after Ctrl-C.
    if (std::exchange(is_stopping, true)) return signal == SIGHUP ? void() : crawls.kill_all();
    if (crawls.running() == 0) return;
    terminal::print_err("Stopping {}. Ctrl-C kills them; `gossamer resume` continues them.\n",
                        base::counted(crawls.running(), "crawl"));
  });
  if (!signals) co_return fail(std::move(signals).error());
  auto server = serve::Server::open(std::move(arguments.settings));
  if (!server) co_return fail(std::move(server).error());
  terminal::print_out("{}\n", (*server)->address());
  terminal::standard_output().flush();
  terminal::print_err("Open this address in a browser. Ctrl-C ends the server.\n");
  std::optional<BrowserStart> browser;
  if (arguments.opens_browser) browser.emplace((*server)->address());
  scope.spawn((*server)->run());
  Result<void> served;
  try {
    served = co_await scope.join();
  } catch (const std::exception& exception) {
    served = fail(Errc::internal, exception.what());  // the crawls must end with the server
  }
  co_await crawls.stop_all();
  co_return served;
}

int run_serve(ServeArguments& arguments) {
  if (auto settled = complete_serve(arguments); !settled) {
    return usage_error(kServeCommand, settled.error().detail());
  }
  add_archives(arguments.settings.paths);
  if (arguments.settings.allows_scripts) {
    terminal::print_err(
        "gossamer serve: scripts of archived pages will run; they can read the archive of their "
        "page\n");
  }
  async::Loop loop;
  const auto done = loop.run(serve_all(loop, std::move(arguments)));
  if (done || done.error() == Errc::cancelled) return kOk;
  static_cast<void>(usage_error(kServeCommand, done.error().message()));
  return exit_code_for(done.error());
}

}  // namespace

constinit const Command serve_command =
    command_of<declare_serve, run_serve>(kServeCommand, "[DIR|FILE...] [--new DIR] [--open]",
                                         "search, replay and watch crawls in a browser");

}  // namespace gossamer::cli
