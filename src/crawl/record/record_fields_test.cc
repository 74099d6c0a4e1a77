#include "record/record_fields.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace gossamer::crawler {
namespace {

FetchRecord answered() {
  FetchRecord record;
  record.url = "http://a.example/";
  record.status = 200;
  record.bytes = 12;
  record.facts.protocol = "HTTP/1.1";
  record.facts.total = 1500us;
  record.facts.first_byte = 1ms;
  return record;
}

TEST(RecordFieldsTest, HaveUniqueNamesAndDescriptions) {
  std::set<std::string_view> names;
  for (const RecordField& field : record_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_FALSE(field.meaning.empty()) << field.name;
    EXPECT_FALSE(describe(field.kind).empty()) << field.name;
  }
}

TEST(RecordFieldsTest, AreSelectedByNameInAnyOrder) {
  FieldChoice choice;
  EXPECT_TRUE(choose_field("status", choice));
  EXPECT_TRUE(choose_field("url", choice));
  EXPECT_FALSE(choose_field("colour", choice));
  EXPECT_FALSE(choose_field("", choice));
  EXPECT_EQ(to_json(answered(), choice), R"({"status": 200, "url": "http://a.example/"})");
}

TEST(RecordFieldsTest, ShowMetadataAsAnObject) {
  FieldChoice choice;
  EXPECT_TRUE(choose_field("metadata", choice));
  EXPECT_TRUE(choose_field("page_kind", choice));
  FetchRecord record = answered();
  EXPECT_EQ(to_json(record, choice), "{}");
  record.metadata = std::make_shared<content::Metadata>(
      content::Metadata{.language = "en",
                        .page_kind = "forum",
                        .open_graph = {{.name = "title", .value = "T"}},
                        .json_ld = "[1]"});
  const std::string json = to_json(record, choice);
  EXPECT_TRUE(json.starts_with(R"({"metadata": {"language": "en", "detected_language": null, )"))
      << json;
  EXPECT_NE(json.find(R"("open_graph": {"title": "T"}, "twitter": null, "json_ld": [1], )"),
            std::string::npos)
      << json;
  EXPECT_TRUE(json.ends_with(R"(}, "page_kind": "forum"})")) << json;
}

TEST(RecordFieldsTest, AreSelectedAsObjectOrMember) {
  FieldChoice choice;
  EXPECT_TRUE(choose_field("timings.total", choice));
  EXPECT_EQ(to_json(answered(), choice), R"({"timings": {"total": 1.500}})");
  choice.clear();
  EXPECT_TRUE(choose_field("timings", choice));
  EXPECT_EQ(choice.size(), 5u);
  EXPECT_EQ(to_json(answered(), choice),
            R"({"timings": {"dns": 0.000, "connect": 0.000, "tls": 0.000, "ttfb": 1.000, )"
            R"("total": 1.500}})");
}

TEST(RecordFieldsTest, OmitAbsentValues) {
  FetchRecord record;
  record.url = "http://a.example/";
  FieldChoice choice;
  for (const char* name : {"ip", "status", "timings"}) EXPECT_TRUE(choose_field(name, choice));
  EXPECT_EQ(to_json(record, choice), R"({"status": null})");
}

TEST(RecordFieldsTest, IncludeMainTexts) {
  FetchRecord record = answered();
  record.markdown = "a\n\n- b\n";
  FieldChoice choice;
  for (const char* name : {"text", "markdown", "extract_truncated"}) {
    EXPECT_TRUE(choose_field(name, choice));
  }
  EXPECT_EQ(to_json(record, choice),
            R"({"markdown": "a\u000a\u000a- b\u000a", "extract_truncated": false})");
  EXPECT_EQ(to_json(answered(), choice), "{}");
}

TEST(RecordFieldsTest, IncludeLinksAndHeadersOnlyIfNamed) {
  FetchRecord record = answered();
  FieldChoice choice;
  for (const char* name : {"links", "headers"}) EXPECT_TRUE(choose_field(name, choice));
  EXPECT_EQ(to_json(record, choice), R"({"links": null, "headers": null})");
  record.links.emplace();
  record.head = "HTTP/1.1 200 OK\r\n\r\n";
  EXPECT_EQ(to_json(record, choice), R"({"links": [], "headers": null})");
  record.links = {{.url = "http://b.example/", .kind = "page", .text = "b", .rel = "nofollow"}};
  record.head = "HTTP/1.1 200 OK\r\nServer: x\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\n";
  EXPECT_EQ(to_json(record, choice),
            R"({"links": [{"url": "http://b.example/", "kind": "page", "text": "b", )"
            R"("rel": "nofollow"}], "headers": {"server": "x", "set-cookie": ["a=1", "b=2"]}})");
  EXPECT_EQ(to_json(record).find("\"links\""), std::string::npos);
  EXPECT_EQ(to_json(record).find("headers"), std::string::npos);
  for (const ChosenField& field : flat_record_fields({})) EXPECT_NE(field.name(), "links");
}

TEST(RecordFieldsTest, IncludeExtractedValues) {
  FetchRecord record = answered();
  FieldChoice choice;
  EXPECT_TRUE(choose_field("extracted", choice));
  EXPECT_EQ(to_json(record, choice), "{}");
  record.extracted = {{.name = "price", .is_list = false, .values = {"1 \"x\""}},
                      {.name = "none", .is_list = false, .values = {}},
                      {.name = "tags", .is_list = true, .values = {"a", "b"}}};
  EXPECT_EQ(to_json(record, choice),
            R"({"extracted": {"price": "1 \"x\"", "none": null, "tags": ["a", "b"]}})");
  choice.clear();
  for (const char* name : {"url", "extracted.tags", "extracted.none", "status"}) {
    EXPECT_TRUE(choose_field(name, choice));
  }
  EXPECT_EQ(choice[1].name(), "extracted.tags");
  EXPECT_EQ(to_json(record, choice),
            R"({"url": "http://a.example/", "extracted": {"tags": ["a", "b"], "none": null}, )"
            R"("status": 200})");
  record.extracted.clear();
  EXPECT_EQ(to_json(record, choice), R"({"url": "http://a.example/", "status": 200})");
}

}  // namespace
}  // namespace gossamer::crawler
