#include "cli/foreign_options.h"

#include <array>

namespace gossamer::cli {
namespace {

constexpr auto kForeign = std::to_array<options::ForeignOption>({
    {"-w,--wait", "use --delay"},
    {"--random-wait", "pauses follow the response time; see --delay"},
    {"--limit-rate", "--rate limits requests per second; there is no limit of bytes per second"},
    {"--no-check-certificate", "use --insecure"},
    {"--spider", "use `gossamer check` to find broken links"},
    {"-r,--recursive", "crawl always follows links"},
    {"-np,--no-parent", "use --scope prefix"},
    {"-m,--mirror", "use `gossamer mirror URL` for an offline copy"},
    {"-K,--convert-links", "`gossamer mirror URL` makes links lead to files"},
    {"-p,--page-requisites", "use --assets"},
    {"-A,--accept", "use --include REGEX"},
    {"-R,--reject", "use --exclude REGEX or --skip-extensions"},
    {"-X,--exclude-directories", "use --exclude REGEX"},
    {"-D,--domains", "use --scope domain"},
    {"--span-hosts", "use --scope any"},
    {"-N,--timestamping", "use --job DIR with --refresh"},
    {"-c,--continue", "use --job DIR; the same command resumes the crawl"},
    {"-nc,--no-clobber", "use --job DIR; stored pages are not fetched again"},
    {"-P,--directory-prefix", "use `gossamer mirror URL DIR`"},
    {"-e,--execute", "for robots=off use --no-robots"},
    {"--tries,--retry", "use --max-tries"},
    {"--http-user", "use --user"},
    {"--http-password,--password", "use --password-env or --netrc"},
    {"--post-data", "use `gossamer fetch -d DATA URL` for a single request"},
    {"--delete-after", "crawl saves no pages unless you use --job or --warc-file"},
    {"-Q", "use --quota"},
    {"-O", "use -o FILE for the results, or `gossamer fetch URL -o FILE` for one page"},
    {"--output-document", "use `gossamer fetch URL -o FILE` for one page"},
    {"--sockets", "use --concurrency"},
    {"--max-depth", "use --depth"},
});

constexpr auto kForeignToCheck = std::to_array<options::ForeignOption>({
    {"--offline", "use --no-external"},
    {"--max-retries,--tries", "use --max-tries"},
    {"--max-redirects", "use --max-redirect"},
    {"--max-concurrency,--threads", "use --concurrency"},
    {"--host-request-interval,--wait", "use --delay"},
    {"--include-fragments", "fragments are checked; see --fragments"},
    {"--require-https", "use --fail-on-warnings; https pages with http links are found"},
    {"--exclude-all-private,--exclude-private", "they are not checked; see --allow-private"},
    {"--basic-auth", "use --user"},
    {"--archive", "use --suggest or --suggest-from DIR"},
    {"--dump", "use `gossamer inspect links FILE`"},
    {"--check-extern", "links to other sites are checked; see --no-external"},
    {"--recursion-level", "use --depth"},
});

}  // namespace

std::span<const options::ForeignOption> foreign_crawl_options() { return kForeign; }
std::span<const options::ForeignOption> foreign_check_options() { return kForeignToCheck; }

}  // namespace gossamer::cli
