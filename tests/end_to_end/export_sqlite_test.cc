// Compares the database of `gossamer job export --sqlite` with the records of the crawl.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/end_to_end/crawl_run.h"
#include "tests/support/server_thread.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;
using ::testing::HasSubstr;
using Row = std::vector<std::string>;

// All rows that a query has, as text; "-" for NULL.
std::vector<Row> query(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::vector<Row> rows;
  const auto add = [](void* into, int columns, char** values, char**) {
    Row row;
    for (int i = 0; i < columns; ++i) row.emplace_back(values[i] == nullptr ? "-" : values[i]);
    static_cast<std::vector<Row>*>(into)->push_back(std::move(row));
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &rows, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
  return rows;
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "-";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

TEST(ExportSqlite, HasEveryItem) {
  const TestFolder folder;
  SiteThread server(plain_site(5));
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "-o", "/dev/null", "--items", "a[href]",
         "--extract", "to=:scope@href; text=:scope", server.url("/")});
  server.stop();
  const std::string database = folder.file("pages.db");
  CommandRun run({"job", "export", folder.file("job"), "--sqlite", database});
  ASSERT_EQ(run.wait(), 0) << run.err();
  const auto rows = query(database, "SELECT url, number, extracted->>'to' FROM items");
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0][1], "1");
  EXPECT_TRUE(rows[0][2].starts_with("http://")) << rows[0][2];
  EXPECT_EQ(query(database, "SELECT sum(json_array_length(extracted)) FROM pages")[0][0],
            std::to_string(rows.size()));
}

TEST(ExportSqlite, HasEveryPageEverySkipAndEveryHost) {
  const TestFolder folder;
  site::SiteOptions options = plain_site(40);
  options.missing = 0.1;
  options.redirects = 0.1;
  options.disallowed = 0.2;
  SiteThread server(options);
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "-o", "/dev/null", server.url("/")});
  server.stop();
  const std::string database = folder.file("pages.db");
  CommandRun run({"job", "export", folder.file("job"), "--jsonl", "-", "--sqlite", database});
  ASSERT_EQ(run.wait(), 0) << run.err();

  std::map<std::string, Json> records;
  for (const std::string& line : run.out_lines()) {
    Json record = Json::parse(line);
    records.emplace(record["url"], std::move(record));
  }
  const auto rows = query(database,
                          "SELECT url, status, next_url, error, bytes, mime, depth, via, title,"
                          " digest, warc_file, warc_offset, typeof(timings_total) FROM pages");
  EXPECT_GT(rows.size(), 20U);
  ASSERT_EQ(rows.size(), records.size());
  std::uint64_t bytes = 0;
  std::uint64_t errors = 0;
  for (const Row& row : rows) {
    ASSERT_TRUE(records.contains(row[0])) << row[0];
    const Json& record = records[row[0]];
    std::size_t column = 1;
    for (const char* name :
         {"status", "next_url", "error", "bytes", "mime", "depth", "via", "title", "digest"}) {
      EXPECT_EQ(row[column++], text_of(record[name])) << row[0] << " " << name;
    }
    EXPECT_EQ(row[10], text_of(record["warc"]["file"]));
    EXPECT_EQ(row[11], text_of(record["warc"]["offset"]));
    EXPECT_EQ(row[12], "real");
    bytes += record["bytes"].get<std::uint64_t>();
    if (!record["error"].is_null() || record["status"] >= 400) ++errors;
  }
  const std::string root = server.url("/");  // http://127.0.0.1:1234/
  EXPECT_EQ(query(database, "SELECT * FROM hosts"),
            (std::vector<Row>{{root.substr(7, root.size() - 8), std::to_string(rows.size()),
                               std::to_string(errors), std::to_string(bytes)}}));
  CommandRun skipped({"job", "list", folder.file("job"), "--state", "skipped"});
  ASSERT_EQ(skipped.wait(), 0);
  const auto skips = query(database, "SELECT url, reason FROM skips");
  EXPECT_GT(skips.size(), 0U);
  EXPECT_EQ(skips.size(), skipped.out_lines().size());
  EXPECT_EQ(query(database, "PRAGMA integrity_check"), (std::vector<Row>{{"ok"}}));
}

TEST(ExportSqlite, HasTheFieldsThatWereChosen) {
  const TestFolder folder;
  SiteThread server(plain_site(5));
  const Outcome all = crawl({"-j", folder.file("job"), "-q", "--no-progress", "--fields",
                             "url,links,headers,status", server.url("/")});
  ASSERT_EQ(all.records.size(), 5u) << all.err;
  const std::string database = folder.file("pages.db");
  CommandRun run({"job", "export", folder.file("job"), "--jsonl", "-", "--sqlite", database,
                  "--fields", "url,links,headers,status"});
  ASSERT_EQ(run.wait(), 0) << run.err();
  std::set<std::string> lines(all.lines.begin(), all.lines.end());
  for (const std::string& line : run.out_lines()) EXPECT_TRUE(lines.contains(line)) << line;
  EXPECT_EQ(run.out_lines().size(), lines.size());
  for (const Json& record : all.records) {
    const std::string url = record["url"];
    const auto rows = query(database, "SELECT links, headers FROM pages WHERE url = '" + url + "'");
    ASSERT_EQ(rows.size(), 1u) << url;
    EXPECT_EQ(Json::parse(rows[0][0]), record["links"]);
    EXPECT_EQ(Json::parse(rows[0][1]), record["headers"]);
  }
}

// SQLite has no such names without quotes, and does not distinguish capitals.
TEST(ExportSqlite, HasAColumnForEveryName) {
  const TestFolder folder;
  SiteThread server(plain_site(2));
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "--extract",
         "t-x=title; t=title; T=h1; T_2=h1", server.url("/")});
  const std::string database = folder.file("pages.db");
  CommandRun run({"job", "export", folder.file("job"), "--sqlite", database, "--fields",
                  "url,extracted.t-x,extracted.t,extracted.T,extracted.T_2"});
  ASSERT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(
      query(database, "SELECT name FROM pragma_table_info('pages')"),
      (std::vector<Row>{
          {"url"}, {"extracted_t-x"}, {"extracted_t"}, {"extracted_T_2"}, {"extracted_T_2_2"}}));
}

// The archive has more than the crawl: errors, redirects, long URLs.
TEST(ExportSqlite, HasTheLinksThatTheCrawlWrites) {
  const TestFolder folder;
  const auto answer = [](std::string_view head, std::string_view body) {
    return http::Scripted{.bytes = "HTTP/1.1 " + std::string(head) +
                                   "\r\nContent-Type: text/html\r\nContent-Length: " +
                                   std::to_string(body.size()) + "\r\n\r\n" + std::string(body)};
  };
  support::ScriptedServerThread server(
      {answer("404 Not Found", ""),
       answer("200 OK", "<a href=/1#>1</a><a href=/1#x>1</a><a href=/" + std::string(90, 'l') +
                            "></a><a href=/2></a><a href=/3></a>"),
       answer("404 Not Found", "<a href=/4>4</a>"),
       answer("302 Found\r\nLocation: /3", "<a href=/3>3</a>"), answer("200 OK", "no links")});
  const Outcome all =
      crawl({"-j", folder.file("job"), "-q", "--no-progress", "--fields", "url,links",
             "--max-url-length", "80", "--concurrency", "1", server.url("/")});
  ASSERT_EQ(all.lines.size(), 4u) << all.err;
  EXPECT_THAT(all.lines[0], HasSubstr(R"(/1#", "kind")"));
  EXPECT_THAT(all.lines[1], HasSubstr(R"("links": null)"));
  EXPECT_THAT(all.lines[3], HasSubstr(R"("links": [])"));
  CommandRun run({"job", "export", folder.file("job"), "--jsonl", "-", "--fields", "url,links"});
  ASSERT_EQ(run.wait(), 0) << run.err();
  const std::vector<std::string> written = run.out_lines();
  EXPECT_EQ(std::set<std::string>(written.begin(), written.end()),
            std::set<std::string>(all.lines.begin(), all.lines.end()));
}

TEST(ExportSqlite, RefusesFieldsThatItCannotWrite) {
  const TestFolder folder;
  SiteThread server(plain_site(1));
  crawl({"-j", folder.file("job"), "-q", "--no-progress", server.url("/")});
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"job", "export", folder.file("job")});
    CommandRun run(words);
    EXPECT_EQ(run.wait(), 2);
    return run.err();
  };
  EXPECT_THAT(refused({"--markdown", folder.file("texts"), "--fields", "url"}),
              HasSubstr("--fields requires --jsonl or --sqlite"));
  EXPECT_THAT(refused({"--jsonl", "-", "--fields", "url,text"}),
              HasSubstr("--fields text: crawl directories do not store it; use --markdown"));
  EXPECT_THAT(refused({"--jsonl", "-", "--fields", "nonsense"}),
              HasSubstr("`gossamer crawl --list-fields` lists all"));
}

TEST(ExportSqlite, SaysThatThereIsNoArchiveForItsTable) {
  const TestFolder folder;
  SiteThread server(plain_site(2));
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "--archive", "none", server.url("/")});
  CommandRun run({"job", "export", folder.file("job"), "--sqlite", folder.file("pages.db")});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_THAT(run.err(), HasSubstr("the table links is empty, since the crawl has no archive"));
}

TEST(ExportSqlite, SaysThatThereIsNoArchiveForLinksAndHeaders) {
  const TestFolder folder;
  SiteThread server(plain_site(3));
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "--archive", "none", server.url("/")});
  CommandRun run({"job", "export", folder.file("job"), "--jsonl", "-", "--fields", "url,links"});
  EXPECT_EQ(run.wait(), 1);
  EXPECT_THAT(run.err(), HasSubstr("the links and headers of 3 pages are missing, since the"
                                   " archive lacks them: "));
  EXPECT_THAT(run.err(), HasSubstr("it is not archived"));
  EXPECT_THAT(run.out(), HasSubstr(R"("links": null)"));
  CommandRun wrong({"job", "export", folder.file("job"), "--jsonl", "-", "--fields", "url,text"});
  EXPECT_EQ(wrong.wait(), 2);
}

TEST(ExportSqlite, HasTheLinksOfEveryPageInTheArchive) {
  const TestFolder folder;
  site::SiteOptions options = plain_site(40);
  options.missing = 0.1;
  options.redirects = 0.1;
  SiteThread server(options);
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "-o", "/dev/null", server.url("/")});
  server.stop();
  const std::string database = folder.file("pages.db");
  CommandRun run({"job", "export", folder.file("job"), "--sqlite", database});
  ASSERT_EQ(run.wait(), 0) << run.err();
  using Rows = std::vector<Row>;
  // Whatever was found on a page is a link of that page; what a redirect leads to is none.
  EXPECT_EQ(query(database,
                  "SELECT p.url FROM pages p JOIN pages v ON v.url = p.via"
                  " WHERE v.next_url IS NULL AND NOT EXISTS"
                  " (SELECT 1 FROM links l WHERE l.from_url = p.via AND l.to_url = p.url)"),
            Rows{});
  // The crawl counts those that belong to it, each once however it is spelt.
  EXPECT_EQ(query(database,
                  "SELECT url FROM pages WHERE links_found >"
                  " (SELECT count(DISTINCT to_url) FROM links WHERE from_url = url)"),
            Rows{});
  EXPECT_EQ(query(database,
                  "SELECT DISTINCT is_page = (SELECT count(*) FROM pages WHERE url = to_url)"
                  " FROM links"),
            Rows{{"1"}});
  EXPECT_EQ(query(database,
                  "SELECT count(*) > 100, sum(kind = 'page' AND element = 'a.href' AND text != '')"
                  " > 100 FROM links"),
            (Rows{{"1", "1"}}));
}

TEST(ExportSqlite, HasMetadataAndTheFaultsThatTheCrawlFound) {
  const TestFolder folder;
  site::SiteOptions options = plain_site(30);
  options.redirects = 0.2;
  SiteThread server(options);
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "-o", "/dev/null", "--audit",
         folder.file("faults.jsonl"), server.url("/")});
  server.stop();
  const std::string database = folder.file("pages.db");
  CommandRun run({"job", "export", folder.file("job"), "--sqlite", database});
  ASSERT_EQ(run.wait(), 0) << run.err();
  std::multiset<Row> expected;
  std::ifstream lines(folder.file("faults.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const Json fault = Json::parse(line);
    expected.insert({fault["url"].get<std::string>(), fault["rule"].get<std::string>(),
                     text_of(fault["detail"])});
  }
  EXPECT_GT(expected.size(), 10U);
  const auto rows = query(database, "SELECT url, rule, detail FROM audit");
  EXPECT_EQ(std::multiset<Row>(rows.begin(), rows.end()), expected);
  EXPECT_EQ(query(database,
                  "SELECT count(*) FROM pages WHERE (metadata_words > 0) !="
                  " (status = 200 AND mime = 'text/html')"),
            (std::vector<Row>{{"0"}}));
}

// What a process left that was killed in the middle of it does not block the next one.
TEST(ExportSqlite, RemovesAnUnfinishedExport) {
  const TestFolder folder;
  SiteThread server(plain_site(5));
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "-o", "/dev/null", server.url("/")});
  server.stop();
  const std::string database = folder.file("pages.db");
  folder.write("pages.db.gossamer-part", "half of a database");
  CommandRun run({"job", "export", folder.file("job"), "--sqlite", database});
  ASSERT_EQ(run.wait(), 0) << run.err();
  EXPECT_EQ(query(database, "PRAGMA integrity_check"), (std::vector<Row>{{"ok"}}));
  EXPECT_FALSE(std::filesystem::exists(database + ".gossamer-part"));
}

TEST(ExportSqlite, SaysWhoseLinksTheArchiveHasNot) {
  const TestFolder folder;
  SiteThread server(plain_site(5));
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "-o", "/dev/null", server.url("/")});
  server.stop();
  std::filesystem::remove_all(folder.file("job/archive"));
  const std::string database = folder.file("pages.db");
  CommandRun run({"job", "export", folder.file("job"), "--sqlite", database});
  EXPECT_EQ(run.wait(), 1);
  EXPECT_THAT(run.err(), HasSubstr("the links of 5 pages are missing"));
  EXPECT_EQ(query(database, "SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM links)"),
            (std::vector<Row>{{"5", "0"}}));
}

TEST(ExportSqlite, OverwritesNothing) {
  const TestFolder folder;
  SiteThread server(plain_site(3));
  crawl({"-j", folder.file("job"), "-q", "--no-progress", "-o", "/dev/null", server.url("/")});
  const std::string path = folder.write("mine", "mine");
  CommandRun run({"job", "export", folder.file("job"), "--sqlite", path});
  EXPECT_EQ(run.wait(), 2);
  EXPECT_THAT(run.err(), HasSubstr("already exists"));
  EXPECT_EQ(support::file_content(path), "mine");
  CommandRun nowhere(
      {"job", "export", folder.file("job"), "--sqlite", folder.file("no/such/file")});
  EXPECT_EQ(nowhere.wait(), 3);
  EXPECT_THAT(nowhere.err(), HasSubstr("No such file"));
}

}  // namespace
}  // namespace gossamer::cli
