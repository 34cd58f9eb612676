// Input that wants to hurt: each ends in a diagnostic, soon and without much memory. The time is not asserted
// (wall clocks lie on busy machines); the memory is, through the address-space limit of a child process.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zip.h>

#include "front/uml/importing.hpp"

namespace parley::front::uml {
namespace {

constexpr const char* kHead =
    "<uml:Model xmi:version=\"2.1\" xmlns:xmi=\"http://schema.omg.org/spec/XMI/2.1\" "
    "xmlns:uml=\"http://www.eclipse.org/uml2/3.0.0/UML\" xmi:id=\"m\">";

std::string machine(const std::string& inside) {
  return std::string(kHead) +
         "<packagedElement xmi:type=\"uml:StateMachine\" xmi:id=\"sm\" name=\"M\"><region xmi:id=\"r\">"
         "<subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"i\"/><subvertex xmi:type=\"uml:State\" "
         "xmi:id=\"s\" "
         "name=\"S\"/><transition xmi:id=\"t0\" source=\"i\" target=\"s\"/>" +
         inside + "</region></packagedElement></uml:Model>";
}

// Runs in a child with 500 MB more than the process has now; true if it ended with the given code reported.
bool reports_within_memory(const std::string& text, const std::string& code) {
  const pid_t child = fork();
  if (child == 0) {
    const rlim_t room = 500u << 20;
    std::ifstream statm("/proc/self/statm");
    rlim_t pages = 0;
    statm >> pages;
    const rlimit limit{pages * 4096 + room, pages * 4096 + room};
    setrlimit(RLIMIT_AS, &limit);
    const rlimit seconds{20, 20};  // of processor time: an endless loop must not hang the tests
    setrlimit(RLIMIT_CPU, &seconds);
    const auto result = import_text(text);
    _exit(!result.model && result.has(code) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Hostile, BillionLaughs) {
  std::string text = "<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY a \"lol\">";
  for (char c = 'b'; c <= 'j'; ++c) {
    text += fmt::format("<!ENTITY {} \"", c);
    for (int i = 0; i < 10; ++i) text += fmt::format("&{};", static_cast<char>(c - 1));
    text += "\">";
  }
  text += "]><uml:Model>&j;</uml:Model>";
  EXPECT_TRUE(reports_within_memory(text, "xml-entity"));
}

TEST(Hostile, ExternalEntity) {
  const auto result = import_text(
      "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY f SYSTEM "
      "\"file:///etc/passwd\">]><uml:Model>&f;</uml:Model>");
  EXPECT_FALSE(result.model);
  EXPECT_TRUE(result.has("xml-entity")) << result.rendered();
}

TEST(Hostile, ParameterEntity) {
  const auto result = import_text(
      "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY % p SYSTEM \"http://127.0.0.1:1/x.dtd\"> "
      "%p;]><uml:Model/>");
  EXPECT_FALSE(result.model);
  EXPECT_TRUE(result.has("xml-entity")) << result.rendered();
}

TEST(Hostile, ExternalDoctypeIsNotFetched) {
  // Old exporters name a DTD; it is not read, and an entity it might declare is not known.
  const auto harmless = import_text("<!DOCTYPE XMI SYSTEM \"http://127.0.0.1:1/uml.dtd\"><a/>");
  EXPECT_TRUE(harmless.has("not-uml")) << harmless.rendered();
  const auto result = import_text("<!DOCTYPE XMI SYSTEM \"http://127.0.0.1:1/uml.dtd\"><a>&x;</a>");
  EXPECT_TRUE(result.has("xml-entity")) << result.rendered();
}

TEST(Hostile, HundredMegabytesOfNesting) {
  std::string text;
  text.reserve(105u << 20);
  while (text.size() < (100u << 20)) text += "<aaa>";
  EXPECT_TRUE(reports_within_memory(text, "xml-limit"));
}

TEST(Hostile, MillionsOfElements) {
  std::string text = "<a>";
  text.reserve(101u << 20);
  while (text.size() < (100u << 20)) text += "<b/>";
  text += "</a>";
  EXPECT_TRUE(reports_within_memory(text, "xml-limit"));
}

TEST(Hostile, MillionsOfAttributes) {
  std::string text = "<a";
  text.reserve(101u << 20);
  for (int i = 0; text.size() < (100u << 20); ++i) text += fmt::format(" a{}=\"\"", i);
  text += "/>";
  EXPECT_TRUE(reports_within_memory(text, "xml-limit"));
}

TEST(Hostile, LongAttribute) {
  const std::string text = "<a b=\"" + std::string(100u << 20, 'x') + "\"/>";
  const pid_t child = fork();  // either answer is fine, not dying is the point
  if (child == 0) _exit(import_text(text).model ? 1 : 0);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Hostile, TooLarge) {
  Options options;
  options.limits.bytes = 1000;
  EXPECT_TRUE(import_text(machine(std::string(2000, ' ')), options).has("xml-limit"));
}

TEST(Hostile, Encodings) {
  EXPECT_TRUE(import_text("<?xml version=\"1.0\" encoding=\"EBCDIC-CP-US\"?><a/>").has("xml-syntax"));
  EXPECT_TRUE(import_text("<?xml version=\"1.0\" encoding=\"UTF-8\"?><a b=\"\xC3\x28\"/>").has("xml-syntax"));
  EXPECT_TRUE(import_text(std::string("\xFF\xFE<\0a\0\0\xD8", 8)).has("xml-syntax"));
  EXPECT_TRUE(import_text(std::string("\xFF\xFE<\0a", 5)).has("xml-syntax"));
  EXPECT_TRUE(import_text("").has("xml-syntax"));
  EXPECT_TRUE(import_text(std::string(100, '\0')).has("xml-syntax"));
}

// A chain is read in a loop, but what walks over it descends once for each operator.
TEST(Hostile, LongChainsOfOperators) {
  for (const std::string link : {" || true", ".x", "[0]", "()"}) {
    std::string guard = "true";
    for (int i = 0; i < 66'000; ++i) guard += link;
    const auto result =
        import_text(machine("<transition xmi:id=\"t\" source=\"s\" target=\"s\" guard=\"g\"><ownedRule "
                            "xmi:id=\"g\"><specification "
                            "xmi:type=\"uml:OpaqueExpression\" xmi:id=\"e\"><language>C</language><body>" +
                            guard + "</body></specification></ownedRule></transition>"));
    EXPECT_TRUE(result.has("uml-text")) << link;
  }
}

TEST(Hostile, Utf16IsRead) {
  std::string wide = "\xFF\xFE";
  for (const char c : "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + machine("")) {
    wide += c;
    wide += '\0';
  }
  const auto result = import_text(wide);
  ASSERT_TRUE(result.model) << result.rendered();
  EXPECT_EQ(result.model->classes.front().name, "M");
}

TEST(Hostile, DuplicateIds) {
  const auto result = import_text(machine("<subvertex xmi:type=\"uml:State\" xmi:id=\"s\" name=\"T\"/>"));
  EXPECT_FALSE(result.model);
  EXPECT_TRUE(result.has("duplicate-id")) << result.rendered();
}

TEST(Hostile, DanglingReferences) {
  const auto target = import_text(machine("<transition xmi:id=\"t\" source=\"s\" target=\"nowhere\"/>"));
  EXPECT_FALSE(target.model);
  EXPECT_TRUE(target.has("uml-unsupported"));
  EXPECT_TRUE(target.report.control_structure_lost());
  EXPECT_NE(target.rendered().find("[t]"), std::string::npos) << "the message names the element";
  // An event that is not there: a message of the environment, and the report says so.
  const auto event =
      import_text(machine("<transition xmi:id=\"t\" source=\"s\" target=\"s\"><trigger xmi:id=\"x\" "
                          "event=\"gone\"/></transition>"));
  ASSERT_TRUE(event.model) << event.rendered();
  EXPECT_EQ(event.report.count(Treatment::Approximated), 1u);
  EXPECT_FALSE(event.model->assumptions.empty());
}

TEST(Hostile, CyclesEnd) {
  // A submachine that contains itself, a class that is its own base, a region that extends itself.
  const auto submachine =
      import_text(machine("<subvertex xmi:type=\"uml:State\" xmi:id=\"u\" name=\"U\" submachine=\"sm\"/>"));
  EXPECT_FALSE(submachine.model);
  const auto base =
      import_text(std::string(kHead) +
                  "<packagedElement xmi:type=\"uml:Class\" xmi:id=\"c\" name=\"C\"><generalization "
                  "xmi:id=\"g\" general=\"c\"/><ownedBehavior xmi:type=\"uml:StateMachine\" "
                  "xmi:id=\"sm\" extendedStateMachine=\"sm\"><region xmi:id=\"r\" extendedRegion=\"r\">"
                  "<subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"i\"/><subvertex "
                  "xmi:type=\"uml:State\" xmi:id=\"s\" redefinedState=\"s\"/><transition xmi:id=\"t\" "
                  "source=\"i\" target=\"s\" redefinedTransition=\"t\"/></region></ownedBehavior>"
                  "</packagedElement></uml:Model>");
  EXPECT_TRUE(base.model) << base.rendered();
}

TEST(Hostile, DeepBehaviourText) {
  for (const char* opening : {"(", "{", "if (a) ", "!", "f(", "a ? ", "[", "- "}) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += opening;
    const auto result =
        import_text(machine("<transition xmi:id=\"t\" source=\"s\" target=\"s\"><effect "
                            "xmi:type=\"uml:OpaqueBehavior\" xmi:id=\"e\"><body>" +
                            text + "</body></effect></transition>"));
    EXPECT_FALSE(result.model) << opening;
    EXPECT_TRUE(result.has("uml-text")) << opening;
  }
}

TEST(Hostile, NotXmlAndNotUml) {
  EXPECT_TRUE(import_text("class A { }").has("xml-syntax"));
  EXPECT_TRUE(import_text("<html><body/></html>").has("not-uml"));
  EXPECT_TRUE(import_text(std::string(kHead) + "</uml:Model>").has("uml-no-machine"));
}

TEST(Hostile, NamesCannotFoolTheTerminal) {
  const auto result = import_text(
      machine("<subvertex xmi:type=\"uml:SynchState\" xmi:id=\"q\" name=\"&#x202e;evil&#x9;\"/>"));
  EXPECT_FALSE(result.model);
  EXPECT_EQ(result.rendered().find("\xE2\x80\xAE"), std::string::npos);
}

std::string zipped(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + "/hostile.zip";
  std::remove(path.c_str());
  int error = 0;
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error);
  zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
  zip_file_add(archive, name.c_str(), source, ZIP_FL_OVERWRITE);
  zip_close(archive);
  return read_file(path);
}

TEST(Archive, ModelInside) {
  const auto result = import_text(
      zipped("project.xmi", read_file(PARLEY_SOURCE_DIR "/examples/uml/lamp_uml14.xmi")), {}, "lamp.zargo");
  ASSERT_TRUE(result.model) << result.rendered();
  EXPECT_EQ(result.report.tool, "ArgoUML");
}

TEST(Archive, Bomb) {
  Options options;
  options.limits.bytes = 1u << 20;
  const auto result = import_text(zipped("project.xmi", std::string(20u << 20, ' ')), options);
  EXPECT_FALSE(result.model);
  EXPECT_TRUE(result.has("archive")) << result.rendered();
}

TEST(Archive, WithoutModelOrDamaged) {
  EXPECT_TRUE(import_text(zipped("readme.txt", "hello")).has("archive"));
  EXPECT_TRUE(import_text("PK\x03\x04 but no zip").has("archive"));
  std::string damaged = zipped("project.xmi", machine(""));
  for (std::size_t i = 40; i < 60; ++i) damaged[i] = '\x55';
  EXPECT_FALSE(import_text(damaged).model);
}

}  // namespace
}  // namespace parley::front::uml
