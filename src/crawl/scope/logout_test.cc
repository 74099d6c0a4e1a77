#include "scope/logout.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::crawler {
namespace {

bool leads(const std::string& target) {
  return leads_to_logout(*url::Url::parse("https://a.example" + target));
}

TEST(LogoutTest, IsRecognisedByTheUrl) {
  for (const char* target : {"/logout",
                             "/Logout",
                             "/user/logout/",
                             "/logout.php",
                             "/Account/LogOff",
                             "/users/sign_out",
                             "/sign-out?next=/",
                             "/wp-login.php?action=logout&_wpnonce=1",
                             "/?logout",
                             "/?do=LogOut",
                             "/index.php?title=Special:UserLogout",
                             "/j_spring_security_logout",
                             "/saml/logout;jsession=1",
                             "/abmelden",
                             "/konto/Ausloggen.html",
                             "/d%C3%A9connexion",
                             "/?cerrar-sesion=1",
                             "/logout_all",
                             "/%6Cogout",
                             "/app?next=/logout"}) {
    EXPECT_TRUE(leads(target)) << target;
  }
}

TEST(LogoutTest, PagesAboutLogoutsAreNotLogouts) {
  for (const char* target :
       {"/", "/login", "/logoutput", "/log-output", "/how-to-log-out-of-windows", "/blog/out",
        "/signs/off", "/catalogout", "/sign", "/?q=login", "/log?out=1", "/changelog"}) {
    EXPECT_FALSE(leads(target)) << target;
  }
  EXPECT_FALSE(leads("/" + std::string(100'000, 'a') + "-logout")) << "no name of a page";
}

TEST(LogoutTest, IsRecognisedByTheText) {
  for (const char* text :
       {"Log out", "LOGOUT", " log  out ", "Sign out (jan)", "Abmelden", "Log out \xE2\x86\x92",
        "Se d\xC3\xA9"
        "connecter"}) {
    EXPECT_TRUE(says_logout(text)) << text;
  }
  for (const char* text : {"", "Log in", "How to log out", "log out of Windows without a mouse",
                           "Sign", "out", "Catalog outlet"}) {
    EXPECT_FALSE(says_logout(text)) << text;
  }
}

TEST(LogoutTest, AWordThatOnlyEndsLikeOneIsAnother) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  for (const char c : kLetters) {
    EXPECT_FALSE(leads(std::string("/") + c + "logout")) << c;
    EXPECT_FALSE(says_logout(std::string(1, c) + "logout")) << c;
  }
}

TEST(LogoutTest, HasAtMostEightyBytesAndFourWords) {
  EXPECT_TRUE(leads("/" + std::string(73, 'a') + "-logout"));
  EXPECT_FALSE(leads("/" + std::string(74, 'a') + "-logout"));
  EXPECT_TRUE(says_logout("Log out " + std::string(72, 'a')));
  EXPECT_FALSE(says_logout("Log out " + std::string(73, 'a')));
  EXPECT_TRUE(says_logout("Sign out (Jan Smith)"));
  EXPECT_FALSE(says_logout("Sign out of all devices"));
}

}  // namespace
}  // namespace gossamer::crawler
