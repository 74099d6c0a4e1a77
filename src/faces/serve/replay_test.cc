#include "serve/replay.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "captures/missing_parts.h"
#include "serve/range.h"
#include "tests/support/served_archive.h"
#include "tests/support/temporary_folder.h"

namespace gossamer::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::ServedPage;
using tests::warc_record;

class ReplayTest : public testing::Test {
 protected:
  void serve(std::initializer_list<ServedPage> pages) {
    std::string text;
    for (const ServedPage& page : pages) text += warc_record(page);
    const std::string path = tests::write_file(folder_.path() + "/a.warc", text);
    auto opened = captures::Collection::open({path});
    ASSERT_TRUE(opened) << opened.error().to_string();
    collection_ = std::move(*opened);
    collection_->update(true);
  }

  Replayed get(std::string_view rest) {
    const auto address = parse_replay_address("/r/t.v/" + std::string(rest));
    EXPECT_TRUE(address) << rest;
    return replay(*collection_, *address);
  }

  tests::TemporaryFolder folder_;
  std::unique_ptr<captures::Collection> collection_;
};

// Many clients that read slowly hold no memory for them.
TEST_F(ReplayTest, LargeBodiesAreInAFile) {
  const std::string film(3'000'000, 'f');
  std::string page = "<a href=https://live.example/>x</a>";
  while (page.size() < film.size()) page += "<p>A long text.</p>\n";
  serve({{.url = "https://a.example/film",
          .head = "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n",
          .body = film},
         {.url = "https://a.example/page", .body = page}});
  for (const std::string form : {"", "id_"}) {
    const Replayed shown = get("2026" + form + "/https://a.example/film");
    EXPECT_TRUE(shown.response.bytes() == film);
    EXPECT_THAT(shown.response.body, IsEmpty());
  }
  Replayed end = get("2026/https://a.example/film");
  server::Request request;
  request.fields = {{"Range", "bytes=2999998-"}};
  select_range(request, end.response);
  EXPECT_EQ(end.response.status, 206);
  EXPECT_EQ(end.response.bytes(), "ff");
  const Replayed shown = get("2026/https://a.example/page");
  EXPECT_TRUE(shown.response.bytes().starts_with("<a href=\"/r/t.v/2026/https://live.example/\""));
  EXPECT_GT(shown.response.bytes().size(), page.size());
  EXPECT_THAT(shown.response.body, IsEmpty());
}

TEST(ReplayAddress, HasATokenAViewATimeAndAUrl) {
  const auto address = parse_replay_address("/r/tok.v1/20260131if_/https://a.example/x?y=/z#f");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->token, "tok");
  EXPECT_EQ(address->view, "v1");
  EXPECT_EQ(address->time, "20260131");
  EXPECT_EQ(address->form, ReplayAddress::Form::frame);
  EXPECT_EQ(address->url, "https://a.example/x?y=/z");
  EXPECT_EQ(address->address_of("https://b.example/", ReplayAddress::Form::page),
            "/r/tok.v1/20260131/https://b.example/");
  EXPECT_FALSE(parse_replay_address("/r/tok/latest/http://a/")->at);
  for (const std::string bad :
       {"/", "/r/", "/r/t/20260131", "/r/t/x/http://a/", "/r/t/2026/ftp://a/",
        "/r/t/2026/file:///etc", "/r/t/2026/javascript:1", "/r/t./2026/http://a/",
        "/r/t.a-b/2026/http://a/", "/r/t/20261331/http://a/", "/r/t/202601311200001/http://a/",
        "/r/t/2026/"}) {
    EXPECT_FALSE(parse_replay_address(bad)) << bad;
  }
}

TEST_F(ReplayTest, LinksLeadToTheArchiveWhetherItHasThemOrNot) {
  serve({{.url = "https://a.example/",
          .body = "<a href='https://live.example/x'>x</a><img src=p.png srcset='q.png 2x'>"
                  "<link rel=preconnect href=//cdn.example><iframe src=/f></iframe>"
                  "<meta http-equiv=refresh content='0;url=https://live.example/'>"
                  "<template><img src=https://live.example/t></template>"
                  "<p style='background:url(/b.png)'>"}});
  const Replayed page = get("2026/https://a.example/");
  EXPECT_TRUE(page.is_archived);
  const std::string& body = page.response.body;
  EXPECT_THAT(body, HasSubstr("href=\"/r/t.v/2026/https://live.example/x\""));
  EXPECT_THAT(body, HasSubstr("src=\"/r/t.v/2026/https://a.example/p.png\""));
  EXPECT_THAT(body, HasSubstr("srcset=\"/r/t.v/2026/https://a.example/q.png 2x\""));
  EXPECT_THAT(body, Not(HasSubstr("cdn.example")));
  EXPECT_THAT(body, HasSubstr("src=\"/r/t.v/2026if_/https://a.example/f\""));
  EXPECT_THAT(body, HasSubstr("url=/r/t.v/2026/https://live.example/\""));
  EXPECT_THAT(body, HasSubstr("src=\"/r/t.v/2026/https://live.example/t\""));
  EXPECT_THAT(body, HasSubstr("/r/t.v/2026/https://a.example/b.png"));
}

TEST_F(ReplayTest, NoAddressOfTheLiveWebIsLeft) {
  serve({{.url = "https://a.example/",
          .body =
              "<noscript><img src=//live.example/1></noscript><svg><image href=//live.example/2 />"
              "<use xlink:href=//live.example/3 /></svg><object data=//live.example/4></object>"
              "<video poster=//live.example/5><source src=//live.example/6></video>"
              "<body background=//live.example/7><input type=image src=//live.example/8>"
              "<style>@import '//live.example/9';</style><base href=//live.example/>"
              "<link rel='canonical preconnect' href=//live.example/11>"
              "<iframe srcdoc='<img src=//live.example/10>'></iframe>"}});
  const std::string body = get("2026/https://a.example/").response.body;
  constexpr std::string_view kInside = "/r/t.v/2026/https://";
  std::size_t links = 0;
  for (std::size_t at = 0; (at = body.find("live.example", at)) != std::string::npos; ++at) {
    ASSERT_GE(at, kInside.size());
    EXPECT_EQ(body.substr(at - kInside.size(), kInside.size()), kInside) << body.substr(0, at);
    ++links;
  }
  EXPECT_GE(links, 9);
}

TEST_F(ReplayTest, TypesThatBrowsersShowAsDocumentsAreText) {
  for (const std::string type : {"text/xsl", "text/xml", "multipart/x-mixed-replace", "text/x-any",
                                 "application/xhtml+xml", "application/rss+xml", "x/y"}) {
    serve({{.url = "https://a.example/",
            .head = "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n\r\n",
            .body = "<a href=https://live.example/>"}});
    const std::string shown = get("2026/https://a.example/").response.type;
    const bool is_harmless = shown.starts_with("text/plain") ||
                             shown == "application/octet-stream" || shown.starts_with("text/html");
    EXPECT_TRUE(is_harmless) << type << " " << shown;
  }
  for (const std::string type : {"image/png", "font/woff2", "video/mp4", "application/json",
                                 "application/pdf", "text/javascript;charset=utf-8"}) {
    serve({{.url = "https://a.example/",
            .head = "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n\r\n"}});
    EXPECT_EQ(get("2026/https://a.example/").response.type, type);
  }
  serve({{.url = "https://a.example/",
          .head = "HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\n\r\n",
          .body = "<svg/>"}});
  EXPECT_EQ(get("2026/https://a.example/").response.find("Content-Disposition"), "attachment");
}

TEST_F(ReplayTest, RecordsWithoutAUsableUrlAreDamage) {
  const std::string_view html = "<a href=https://live.example/>";
  const std::string large = "https://a.example/?" + std::string(9000, 'a');
  serve({{.url = "example,museum)/", .body = html}, {.url = large, .body = html}});
  EXPECT_FALSE(get("2026/https://museum.example/").is_archived);
  collection_->read([](const auto& archives, const captures::CaptureIndex& index) {
    EXPECT_EQ(index.captures(), 0);
    EXPECT_EQ(archives[0].damage, 2);
    return 0;
  });
}

TEST_F(ReplayTest, TypesInTheIndexAreCut) {
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Type: a/" + std::string(5000, 'b') + "\r\n\r\n";
  serve({{.url = "https://a.example/", .head = head}});
  collection_->read([](const auto&, const captures::CaptureIndex& index) {
    EXPECT_EQ(index.type_name(1).size(), 127);
    return 0;
  });
}

TEST_F(ReplayTest, PoliciesOfThePageLoseTheirEffect) {
  serve({{.url = "https://a.example/",
          .head =
              "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Security-Policy: default-src "
              "'none'\r\nSet-Cookie: a=b\r\nRefresh: 0;url=https://live.example/\r\n"
              "Link: <https://live.example/p>; rel=preload\r\nClear-Site-Data: \"*\"\r\n"
              "Service-Worker-Allowed: /\r\nStrict-Transport-Security: max-age=1\r\n\r\n",
          .body = "<meta http-equiv='Content-Security-Policy' content=\"img-src 'none'\">"
                  "<script src=x.js integrity=sha256-x crossorigin></script>"}});
  const Replayed page = get("2026/https://a.example/");
  EXPECT_THAT(page.response.body, Not(HasSubstr("http-equiv")));
  EXPECT_THAT(page.response.body, Not(HasSubstr("integrity")));
  for (const auto& [name, value] : page.response.fields) {
    EXPECT_TRUE(name == "Cache-Control" || name == "X-Archive-Captured") << name;
  }
}

TEST_F(ReplayTest, ShowsTheNearestCapture) {
  serve({{.url = "https://a.example/", .date = "2025-01-01T00:00:00Z", .body = "old"},
         {.url = "https://a.example/", .date = "2026-01-01T00:00:00Z", .body = "new"}});
  EXPECT_EQ(get("2024/https://a.example/").response.body, "old");
  EXPECT_EQ(get("20250601/https://a.example/").response.body, "old");
  EXPECT_EQ(get("202508/https://a.example/").response.body, "new");
  const Replayed last = get("latest/http://www.a.example/");
  EXPECT_EQ(last.response.body, "new");
  EXPECT_EQ(last.response.find("X-Archive-Captured"), "20260101000000");
}

TEST_F(ReplayTest, AMissIsAClearPageAndNeverTheLiveWeb) {
  serve({{.url = "https://a.example/", .body = "x"}});
  const Replayed miss = get("2026/https://live.example/<script>");
  EXPECT_FALSE(miss.is_archived);
  EXPECT_EQ(miss.response.status, 404);
  EXPECT_THAT(miss.response.body, HasSubstr("Not in the archive"));
  EXPECT_THAT(miss.response.body, HasSubstr("https://live.example/"));
  EXPECT_THAT(miss.response.body, Not(HasSubstr("<script>")));
}

TEST_F(ReplayTest, RedirectsStayInside) {
  serve({{.url = "https://a.example/old",
          .head = "HTTP/1.1 301 Moved\r\nLocation: //b.example/new?x=1\r\n\r\n"},
         {.url = "http://c.example/",
          .head = "HTTP/1.1 301 Moved\r\nLocation: https://c.example/\r\n\r\n"},
         {.url = "https://c.example/", .body = "secure"},
         {.url = "https://d.example/",
          .head = "HTTP/1.1 302 Found\r\nLocation: https://d.example/\r\n\r\n"}});
  const Replayed moved = get("2026/https://a.example/old");
  EXPECT_EQ(moved.response.status, 302);
  EXPECT_EQ(moved.response.find("Location"), "/r/t.v/2026/https://b.example/new?x=1");
  EXPECT_EQ(get("2026/http://c.example/").response.find("Location"),
            "/r/t.v/2026/https://c.example/");
  EXPECT_EQ(get("2026/https://c.example/").response.body, "secure");
  EXPECT_EQ(get("2026/https://d.example/").response.status, 508);
}

TEST_F(ReplayTest, RevisitsShowTheBodyThatTheyReferTo) {
  const std::string_view digest = "WARC-Payload-Digest: sha1:AAAA\r\n";
  serve({{.url = "https://a.example/1", .body = "body", .id = "<urn:uuid:a>", .fields = digest},
         {.url = "https://a.example/2",
          .date = "2026-02-01T00:00:00Z",
          .id = "<urn:uuid:b>",
          .fields = "WARC-Refers-To: <urn:uuid:a>\r\n",
          .type = "revisit"},
         {.url = "https://a.example/3", .id = "<urn:uuid:c>", .fields = digest, .type = "revisit"},
         {.url = "https://a.example/4",
          .id = "<urn:uuid:d>",
          .fields = "WARC-Refers-To-Target-URI: https://a.example/1\r\n"
                    "WARC-Refers-To-Date: 2026-01-31T12:00:00Z\r\n",
          .type = "revisit"},
         {.url = "https://a.example/5", .id = "<urn:uuid:e>", .type = "revisit"}});
  for (const std::string number : {"1", "2", "3", "4"}) {
    EXPECT_EQ(get("2026/https://a.example/" + number).response.body, "body") << number;
  }
  EXPECT_EQ(get("2026/https://a.example/5").response.status, 502);
}

TEST_F(ReplayTest, RevisitsOfRedirectsLeadToTheirOwnTarget) {
  const std::string_view digest = "WARC-Payload-Digest: sha1:AAAA\r\n";
  serve({{.url = "https://a.example/a",
          .head = "HTTP/1.1 301 Moved\r\nLocation: /b\r\n\r\n",
          .id = "<urn:uuid:a>",
          .fields = digest},
         {.url = "https://a.example/c",
          .head = "HTTP/1.1 301 Moved\r\nLocation: /d\r\n\r\n",
          .id = "<urn:uuid:c>",
          .fields = digest,
          .type = "revisit"}});
  EXPECT_EQ(get("2026/https://a.example/c").response.find("Location"),
            "/r/t.v/2026/https://a.example/d");
}

TEST_F(ReplayTest, AnotherArchiveReplacesNoBody) {
  const std::string digest = "WARC-Payload-Digest: sha1:AAAA\r\n";
  const std::string refers = "WARC-Refers-To: <urn:uuid:a>\r\n" + digest;
  const std::string hostile = tests::write_file(
      folder_.path() + "/hostile.warc",
      warc_record(
          {.url = "https://h.example/", .body = "evil", .id = "<urn:uuid:a>", .fields = digest}));
  const std::string mine = tests::write_file(
      folder_.path() + "/mine.warc",
      warc_record(
          {.url = "https://a.example/", .body = "good", .id = "<urn:uuid:a>", .fields = digest}) +
          warc_record({.url = "https://a.example/2", .fields = refers, .type = "revisit"}));
  const std::string alone = tests::write_file(
      folder_.path() + "/alone.warc",
      warc_record({.url = "https://a.example/3", .fields = refers, .type = "revisit"}));
  auto opened = captures::Collection::open({hostile, mine});
  ASSERT_TRUE(opened);
  collection_ = std::move(*opened);
  collection_->update(true);
  EXPECT_EQ(get("2026/https://a.example/2").response.body, "good");
  // Nor where the digest is wrong.
  opened = captures::Collection::open({hostile, alone});
  ASSERT_TRUE(opened);
  collection_ = std::move(*opened);
  collection_->update(true);
  EXPECT_EQ(get("2026/https://a.example/3").response.status, 502);
}

TEST_F(ReplayTest, BodiesOfOtherArchivesNeedTheDigest) {
  // Of "good".
  const std::string digest =
      "WARC-Payload-Digest: sha1:fc19318dd13128ce14344d066510a982269c241b\r\n";
  const std::string one = tests::write_file(
      folder_.path() + "/one.warc",
      warc_record({.url = "https://a.example/", .body = "good", .fields = digest}));
  const std::string other = tests::write_file(
      folder_.path() + "/other.warc",
      warc_record({.url = "https://a.example/2", .fields = digest, .type = "revisit"}));
  auto opened = captures::Collection::open({one, other});
  ASSERT_TRUE(opened);
  collection_ = std::move(*opened);
  collection_->update(true);
  EXPECT_EQ(get("2026/https://a.example/2").response.body, "good");
}

TEST_F(ReplayTest, ARevisitWithoutADigestTakesNoBodyOfAnotherArchive) {
  const std::string other = tests::write_file(
      folder_.path() + "/other.warc",
      warc_record({.url = "https://a.example/", .body = "evil", .id = "<urn:uuid:a>"}));
  const std::string mine =
      tests::write_file(folder_.path() + "/mine.warc",
                        warc_record({.url = "https://a.example/2",
                                     .fields = "WARC-Refers-To-Target-URI: https://a.example/\r\n"
                                               "WARC-Refers-To-Date: 2026-01-31T12:00:00Z\r\n",
                                     .type = "revisit"}) +
                            warc_record({.url = "https://a.example/3",
                                         .fields = "WARC-Refers-To: <urn:uuid:a>\r\n",
                                         .type = "revisit"}));
  auto opened = captures::Collection::open({other, mine});
  ASSERT_TRUE(opened);
  collection_ = std::move(*opened);
  collection_->update(true);
  EXPECT_EQ(get("2026/https://a.example/2").response.status, 502);
  EXPECT_EQ(get("2026/https://a.example/3").response.status, 502);
}

TEST_F(ReplayTest, ManyCapturesOfOneUrlAreSortedInBatches) {
  captures::CaptureIndex index;
  constexpr int kCaptures = 50'000;
  for (int i = kCaptures; i > 0; --i) {
    captures::Capture capture = {.url = "https://a.example/", .at = WallTime{.seconds = i}};
    capture.place.offset = static_cast<std::uint64_t>(i);
    index.add(std::move(capture), 0, 0);
    if (i % 2000 == 0) index.sort();
  }
  index.sort();
  const auto captures = index.captures_of("https://a.example/");
  ASSERT_EQ(captures.size(), kCaptures);
  for (int i = 0; i < kCaptures; ++i)
    ASSERT_EQ(captures[static_cast<std::size_t>(i)]->at.seconds, i + 1);
}

TEST_F(ReplayTest, ReadingStopsWhenItIsTold) {
  const std::string path = tests::write_file(
      folder_.path() + "/b.warc", warc_record({.url = "https://a.example/", .body = "x"}));
  auto opened = captures::Collection::open({path});
  ASSERT_TRUE(opened);
  (*opened)->stop();
  (*opened)->update(true);
  (*opened)->read([](const auto& archives, const captures::CaptureIndex& index) {
    EXPECT_EQ(index.captures(), 0);
    EXPECT_FALSE(archives[0].has_been_read);
    return 0;
  });
}

TEST_F(ReplayTest, AnIncompleteBodySaysSo) {
  for (const std::string_view fields : {"", "WARC-Truncated: length\r\n"}) {
    serve({{.url = "https://a.example/", .body = "<p>a part", .fields = fields}});
    EXPECT_EQ(get("2026/https://a.example/").response.find("X-Archive-Incomplete") == "1",
              !fields.empty());
  }
}

TEST_F(ReplayTest, ArchivedErrorsKeepTheirStatus) {
  serve({{.url = "https://a.example/",
          .head = "HTTP/1.1 404 No\r\nContent-Type: text/html\r\n\r\n",
          .body = "their 404"}});
  const Replayed page = get("2026/https://a.example/");
  EXPECT_EQ(page.response.status, 404);
  EXPECT_TRUE(page.is_archived);
  EXPECT_EQ(page.response.body, "their 404");
}

TEST_F(ReplayTest, RawBytesAreTextOrAFile) {
  serve({{.url = "https://a.example/", .body = "<a href=/x>"},
         {.url = "https://a.example/p",
          .head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n",
          .body = "\x89PNG"}});
  const Replayed page = get("2026id_/https://a.example/");
  EXPECT_EQ(page.response.body, "<a href=/x>");
  EXPECT_EQ(page.response.type, "text/plain; charset=utf-8");
  const Replayed image = get("2026id_/https://a.example/p");
  EXPECT_EQ(image.response.type, "application/octet-stream");
  EXPECT_EQ(image.response.find("Content-Disposition"), "attachment");
}

TEST_F(ReplayTest, PagesInOtherEncodingsBecomeUtf8) {
  serve({{.url = "https://a.example/",
          .head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252\r\n\r\n",
          .body = "\xE4"}});
  const Replayed page = get("2026/https://a.example/");
  EXPECT_EQ(page.response.type, "text/html; charset=utf-8");
  EXPECT_THAT(page.response.body, HasSubstr("\xC3\xA4"));
}

// With scripts, a page reads only its own crawl. What other crawls have changes nothing.
TEST_F(ReplayTest, OtherCrawlsHideNoSpellingsAndHaveNoParts) {
  const tests::TemporaryFolder other;
  const std::string mine = tests::write_file(
      folder_.path() + "/mine.warc",
      warc_record({.url = "https://a.example/", .body = "<img src=1.png><img src=2.png>"}) +
          warc_record({.url = "https://a.example/1.png", .body = "mine"}));
  const std::string theirs =
      tests::write_file(other.path() + "/theirs.warc",
                        warc_record({.url = "http://a.example/1.png", .body = "theirs"}) +
                            warc_record({.url = "https://a.example/2.png", .body = "theirs"}));
  auto opened = captures::Collection::open({mine, theirs});
  ASSERT_TRUE(opened);
  collection_ = std::move(*opened);
  collection_->update(true);
  auto address = parse_replay_address("/r/t/2026id_/http://a.example/1.png");
  EXPECT_EQ(replay(*collection_, *address).response.body, "theirs");
  address->crawl = 0;
  EXPECT_EQ(replay(*collection_, *address).response.body, "mine");
  const auto missing_from = [&](captures::PartsFrom parts_from) {
    const auto found =
        captures::find_missing_parts(*collection_, "https://a.example/", {}, parts_from);
    return found ? found->missing.size() : 99;
  };
  EXPECT_EQ(missing_from(captures::PartsFrom::all_crawls), 0);
  EXPECT_EQ(missing_from(captures::PartsFrom::own_crawl), 1);
}

TEST_F(ReplayTest, DamagedArchivesAreReadAsFarAsTheyGo) {
  const std::string text =
      warc_record({.url = "https://a.example/", .body = "<p>x"}) +
      warc_record({.url = "https://a.example/2", .body = std::string(500, 'y')});
  for (std::size_t size = 0; size < text.size(); size += 7) {
    const std::string path = tests::write_file(folder_.path() + "/cut.warc", text.substr(0, size));
    auto opened = captures::Collection::open({path});
    ASSERT_TRUE(opened);
    (*opened)->update(true);
    for (const std::string url : {"https://a.example/", "https://a.example/2"}) {
      static_cast<void>(replay(**opened, *parse_replay_address("/r/t/2026/" + url)));
    }
  }
}

// A page as a browser had it, beside its response.
std::string rendered_record(std::string_view url, std::string_view date, std::string_view html) {
  return fmt::format(
      "WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\n"
      "WARC-Record-ID: <urn:uuid:9>\r\nWARC-Refers-To: <urn:uuid:1>\r\n"
      "Content-Type: text/html;charset=utf-8\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      url, date, html.size(), html);
}

TEST_F(ReplayTest, APageIsShownAsItsScriptsLeftItUnlessTheyRun) {
  constexpr std::string_view kUrl = "https://a.example/";
  constexpr std::string_view kDate = "2026-01-31T12:00:00Z";
  const std::string text =
      warc_record({.url = kUrl, .date = kDate, .body = "<script src=/s.js></script>"}) +
      rendered_record(kUrl, kDate, "<p>made<img src=/p.png>") +
      warc_record({.url = kUrl, .date = "2026-02-01T12:00:00Z", .body = "later"});
  auto opened = captures::Collection::open({tests::write_file(folder_.path() + "/r.warc", text)});
  ASSERT_TRUE(opened);
  collection_ = std::move(*opened);
  collection_->update(true);
  const Replayed page = get("20260131/https://a.example/");
  EXPECT_EQ(page.response.body, "<p>made<img src=\"/r/t.v/20260131/https://a.example/p.png\">");
  EXPECT_EQ(page.response.type, "text/html; charset=utf-8");
  EXPECT_THAT(get("20260131id_/https://a.example/").response.body, HasSubstr("<script"));
  EXPECT_EQ(get("20260201/https://a.example/").response.body, "later");
  auto address = parse_replay_address("/r/t/20260131/https://a.example/");
  ASSERT_TRUE(address);
  address->runs_scripts = true;
  EXPECT_THAT(replay(*collection_, *address).response.body, HasSubstr("<script"));
  const auto parts =
      captures::find_missing_parts(*collection_, std::string(kUrl), parse_capture_time("20260131"),
                                   captures::PartsFrom::all_crawls);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->missing.size(), 1U);
  EXPECT_EQ(parts->missing[0].url, "https://a.example/p.png");
}

}  // namespace
}  // namespace gossamer::serve
