#include "record/record_format.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::crawler {
namespace {

FetchRecord page(std::string title) {
  FetchRecord record;
  record.url = "http://a.example/x";
  record.status = 200;
  record.title = std::move(title);
  record.bytes = 12;
  return record;
}

FieldChoice choice(std::initializer_list<const char*> names) {
  FieldChoice fields;
  for (const char* name : names) EXPECT_TRUE(choose_field(name, fields)) << name;
  return fields;
}

std::string title_cell(std::string title) {
  std::string line =
      RecordFormat(CrawlFormat::csv, choice({"title"})).line(page(std::move(title))).value();
  EXPECT_TRUE(line.ends_with('\r')) << "RFC 4180 ends lines so";
  line.pop_back();
  return line;
}

TEST(RecordFormatTest, QuotesSpecialCharactersInCsv) {
  EXPECT_EQ(title_cell("plain"), "plain");
  EXPECT_EQ(title_cell("a, b"), "\"a, b\"");
  EXPECT_EQ(title_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(title_cell(" x "), "\" x \"");
  EXPECT_EQ(title_cell(""), "");
}

TEST(RecordFormatTest, WritesEachKeyOfJsonOnce) {
  FetchRecord record = page("t");
  record.extracted = {{.name = "h", .is_list = false, .values = {"1"}},
                      {.name = "q", .is_list = false, .values = {"2"}}};
  const auto json = [&](std::initializer_list<const char*> names) {
    return RecordFormat(CrawlFormat::jsonl, choice(names)).line(record).value();
  };
  EXPECT_EQ(json({"extracted.h", "status", "extracted.q", "status"}),
            R"({"extracted": {"h": "1", "q": "2"}, "status": 200})");
  EXPECT_EQ(json({"extracted.q", "extracted"}), json({"extracted"}));
}

TEST(RecordFormatTest, KeepsARecordOfCsvOnOneLineOfUtf8) {
  EXPECT_EQ(title_cell("a\r\nb\tc"), "a  b c");
  EXPECT_EQ(title_cell("caf\xC3\xA9 \xFF"), "caf\xC3\xA9 \xEF\xBF\xBD");
}

TEST(RecordFormatTest, EscapesHarmfulCodePointsInCsv) {
  EXPECT_EQ(title_cell("a\xC2\x9B"
                       "b\xE2\x80\xAE"
                       "c\xE2\x80\xA8"),
            "a\\u{9b}b\\u{202e}c\\u{2028}");
}

TEST(RecordFormatTest, EscapesFormulas) {
  EXPECT_EQ(title_cell("=HYPERLINK(\"http://evil\")"), "\"'=HYPERLINK(\"\"http://evil\"\")\"");
  for (const char* title : {"+1", "-1", "@SUM(A1)", "\t=1"}) {
    EXPECT_TRUE(title_cell(title).starts_with('\'')) << title;
  }
  std::string cell;
  append_csv_cell(cell, "-1.5", false);
  EXPECT_EQ(cell, "-1.5") << "a number of our own is none";
}

TEST(RecordFormatTest, HasALineForEachItem) {
  FetchRecord record = page("t");
  for (std::uint32_t item = 1; item <= 2; ++item) {
    record.extracted.push_back({.name = "name", .values = {std::to_string(item)}, .item = item});
    record.extracted.push_back({.name = "tags", .is_list = true, .values = {"x"}, .item = item});
  }
  const CrawlContents contents = {.extracted = {"name", "tags"}, .has_items = true};
  EXPECT_EQ(RecordFormat(CrawlFormat::jsonl, {}, contents).lines(record),
            (std::vector<std::string>{
                R"({"url": "http://a.example/x", "extracted": {"name": "1", "tags": ["x"]}})",
                R"({"url": "http://a.example/x", "extracted": {"name": "2", "tags": ["x"]}})"}));
  const RecordFormat csv(CrawlFormat::csv, {}, contents);
  EXPECT_EQ(csv.header(), "url,extracted.name,extracted.tags\r");
  EXPECT_EQ(csv.lines(record).back(), "http://a.example/x,2,\"[\"\"x\"\"]\"\r");
  const RecordFormat chosen(CrawlFormat::csv, choice({"title", "extracted.name"}), contents);
  EXPECT_EQ(chosen.lines(record), (std::vector<std::string>{"t,1\r", "t,2\r"}));
  EXPECT_EQ(RecordFormat(CrawlFormat::urls, {}, contents).lines(record).size(), 1u);
  EXPECT_TRUE(csv.lines(page("no items")).empty());
}

TEST(RecordFormatTest, HasAColumnForEachExtractedField) {
  const RecordFormat format(CrawlFormat::csv, {}, {.extracted = {"price", "tags"}});
  EXPECT_NE(format.header()->find(",extracted.price,extracted.tags,extract_truncated,"),
            std::string::npos)
      << *format.header();
  FetchRecord record = page("");
  record.extracted = {{.name = "price", .is_list = false, .values = {"=1"}},
                      {.name = "tags", .is_list = true, .values = {"a", "b"}}};
  EXPECT_NE(format.line(record)->find(R"(,'=1,"[""a"", ""b""]",false,)"), std::string::npos)
      << *format.line(record);
  EXPECT_EQ(RecordFormat(CrawlFormat::csv).header()->find("extract"), std::string::npos);
  EXPECT_EQ(RecordFormat(CrawlFormat::text, choice({"url", "extracted.price"})).line(record),
            "http://a.example/x\t=1");
}

TEST(RecordFormatTest, HasColumnsForMetadataOnlyIfThereIsSome) {
  for (const char* name : {"metadata", "page_kind"}) {
    EXPECT_EQ(RecordFormat(CrawlFormat::csv).header()->find(name), std::string::npos) << name;
  }
  const RecordFormat format(CrawlFormat::csv, {}, {.has_metadata = true});
  EXPECT_NE(format.header()->find(",extract_truncated,metadata.language,"), std::string::npos);
  FetchRecord record = page("");
  EXPECT_EQ(RecordFormat(CrawlFormat::csv, choice({"metadata.words", "robots"})).line(record),
            ",\r");
  record.metadata = std::make_shared<content::Metadata>(
      content::Metadata{.headings = {{.level = 1, .text = "H"}}, .words = 7});
  record.robots = "noindex, noarchive";
  const FieldChoice fields =
      choice({"metadata.words", "metadata.headings", "metadata.author", "robots"});
  EXPECT_EQ(RecordFormat(CrawlFormat::csv, fields).line(record),
            R"(7,"[{""level"": 1, ""text"": ""H""}]",,"noindex, noarchive")"
            "\r");
}

TEST(RecordFormatTest, BeginsCsvWithTheNamesOfItsColumns) {
  const RecordFormat all(CrawlFormat::csv);
  EXPECT_TRUE(all.header()->starts_with("ts,url,status,next_url,")) << *all.header();
  EXPECT_TRUE(all.header()->ends_with(",timings.ttfb,timings.total\r")) << *all.header();
  EXPECT_EQ(RecordFormat(CrawlFormat::csv, choice({"url", "bytes"})).line(page("")),
            "http://a.example/x,12\r");
  EXPECT_FALSE(RecordFormat(CrawlFormat::jsonl).header());
}

TEST(RecordFormatTest, WritesOnlyUrlsOfSuccessfulPages) {
  const RecordFormat format(CrawlFormat::urls);
  FetchRecord record = page("");
  EXPECT_EQ(format.line(record), "http://a.example/x");
  record.status = 204;
  EXPECT_TRUE(format.line(record));
  record.status = 301;
  EXPECT_FALSE(format.line(record));
  record.status = 404;
  EXPECT_FALSE(format.line(record));
  record.status = 200;
  record.error = "peer_closed";
  EXPECT_FALSE(format.line(record)) << "only a part of it came";
  record.error = "over_limit";
  record.is_truncated = true;
  EXPECT_TRUE(format.line(record)) << "the bound is our own";
  record.status.reset();
  EXPECT_FALSE(format.line(record));
}

TEST(RecordFormatTest, PutsTabsBetweenTheFieldsOfText) {
  EXPECT_EQ(RecordFormat(CrawlFormat::text, choice({"status", "error", "title"}))
                .line(page("a\tb\x1b[2J")),
            "200\t-\ta\\x09b\\x1b[2J");
}

TEST(RecordFormatTest, WritesJson) {
  EXPECT_EQ(RecordFormat(CrawlFormat::jsonl).line(page("t")), to_json(page("t")));
}

TEST(RecordFormatTest, ListsOnlyTheUrlsOfSuccesses) {
  const RecordFormat urls(CrawlFormat::urls, {});
  for (const int status : {200, 204, 299}) {
    FetchRecord record = page("t");
    record.status = status;
    EXPECT_EQ(urls.line(record), record.url) << status;
  }
  for (const int status : {199, 300, 301, 404}) {
    FetchRecord record = page("t");
    record.status = status;
    EXPECT_EQ(urls.line(record), std::nullopt) << status;
  }
}

TEST(RecordFormatTest, ReplacesEveryWrongByteInCsv) {
  for (int byte = 0x80; byte < 0x100; ++byte) {
    EXPECT_EQ(title_cell(std::string(1, static_cast<char>(byte))), "\xEF\xBF\xBD") << byte;
  }
}

}  // namespace
}  // namespace gossamer::crawler
