// Models that mean harm, or include what they should not: every one is refused with a diagnostic, soon and
// without reading what it must not read.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "front/promela/preprocess.hpp"
#include "front/promela/support.hpp"

namespace parley::front::promela {
namespace {

namespace fs = std::filesystem;

// A folder of its own, with a model's folder inside, so that there is an outside too.
class PreprocessFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "parley-preprocess-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    fs::create_directories(root_ / "model" / "parts");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) { std::ofstream(root_ / path) << text; }

  // Messages for a model in the model's folder, then the text that came out.
  std::string read(const std::string& text, const std::vector<std::string>& include_folders = {}) {
    testing::Loaded l;
    PreprocessOptions options;
    for (const std::string& folder : include_folders)
      options.include_folders.push_back((root_ / folder).string());
    const diag::FileId file = l.sources.add((root_ / "model" / "m.pml").string(), text);
    const std::string out = preprocess(l.sources, file, options, l.diagnostics).text;
    std::string messages = l.messages();
    if (!messages.empty()) return messages;
    std::string words;
    for (const char c : out)
      if (c != '\n')
        words += c;
      else if (!words.empty())
        words += '|';
    return words;
  }

  static std::string code(const std::string& messages) {
    const std::size_t begin = messages.find("error ");
    return begin == std::string::npos ? messages
                                      : messages.substr(begin + 6, messages.find(':', begin) - begin - 6);
  }

  fs::path root_;
};

TEST_F(PreprocessFiles, IncludesFromTheFoldersOfTheModel) {
  write("model/a.h", "#include \"parts/b.h\"\na\n");
  write("model/parts/b.h", "#include \"c.h\"\n#include \"d.h\"\nb\n");
  write("model/parts/c.h", "c\n");  // beside the file that includes it
  write("model/d.h", "d\n");        // beside the model
  fs::create_directories(root_ / "lib");
  write("lib/e.h", "e\n");
  EXPECT_EQ(read("#include \"a.h\"\nm\n"), "c|d|b|a|m");
  EXPECT_EQ(read("#define FILE \"d.h\"\n#include FILE\n"), "d");
  EXPECT_EQ(read("#include \"parts/../d.h\"\n"), "d");
  EXPECT_EQ(read("#include \"e.h\"\n#include <e.h>\n", {"lib"}), "e|e");
  EXPECT_EQ(read("#include <d.h>\n"),
            "1:10 error include-not-found: there is no file 'd.h' (files in <> are looked for in the folders "
            "of -I only; "
            "write \"file\" for one beside the model)\n");
  EXPECT_EQ(read("#include \"e.h\"\n"),
            "1:10 error include-not-found: there is no file 'e.h' (it is looked for beside the model and in "
            "the folders "
            "of -I)\n");
}

TEST_F(PreprocessFiles, NothingOutsideTheFolders) {
  write("secret", "root:x:0\n");
  fs::create_symlink("../secret", root_ / "model" / "link");
  fs::create_directory_symlink("..", root_ / "model" / "up");
  EXPECT_EQ(read("#include \"/etc/passwd\"\n"),
            "1:10 error include-refused: '/etc/passwd' is an absolute path, and those are not included (name "
            "the file as "
            "seen from the model, and its folder with -I)\n");
  for (const char* name : {"../secret", "parts/../../secret", "link", "up/secret"})
    EXPECT_EQ(read("#include \"" + std::string(name) + "\"\n"),
              "1:10 error include-refused: '" + std::string(name) +
                  "' lies outside the model's folder and those of -I (name a folder above it with -I if this "
                  "model may "
                  "read it)\n");
  EXPECT_EQ(read("#include \"../secret\"\n", {"."}), "root:x:0") << "the user opened the folder above";
  // A folder whose name begins like the model's is another folder.
  fs::create_directories(root_ / "model2");
  write("model2/x.h", "x\n");
  EXPECT_EQ(code(read("#include \"../model2/x.h\"\n")), "include-refused");
  // A line marker names a file, and nobody opens it.
  EXPECT_EQ(read("# 1 \"/etc/passwd\"\nx\n"), "x");
}

TEST_F(PreprocessFiles, OnlyRegularFilesOfLimitedSize) {
  ASSERT_EQ(mkfifo((root_ / "model" / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", root_ / "model" / "zero");
  write("model/large", std::string(5u << 20, ' '));
  EXPECT_EQ(read("#include \"pipe\"\n"),
            "1:10 error include-refused: 'pipe' is no regular file (only files are included)\n");
  EXPECT_EQ(code(read("#include \"zero\"\n")), "include-refused");
  EXPECT_EQ(code(read("#include \"zero\"\n", {"/dev"})), "include-refused") << "even below -I";
  EXPECT_EQ(read("#include \"parts\"\n"),
            "1:10 error include-refused: 'parts' is no regular file (only files are included)\n");
  EXPECT_EQ(read("#include \"large\"\n"),
            "1:10 error include-refused: 'large' is larger than 4 MB (put only the model's parts there)\n");
}

TEST_F(PreprocessFiles, CirclesAndManyIncludes) {
  write("model/self.h", "x\n#include \"self.h\"\n#include \"self.h\"\n");
  const std::string messages = read("#include \"self.h\"\n");
  EXPECT_NE(messages.find(
                "2:10 error preprocessor-limit: 'self.h' includes itself (keep the text of a file that may "
                "be included twice between #ifndef NAME, #define NAME and #endif)"),
            std::string::npos)
      << messages;
  EXPECT_NE(messages.find("[1:10 included here]"), std::string::npos) << messages;
  write("model/guarded.h", "#ifndef G\n#define G\n#include \"guarded.h\"\ng\n#endif\n");
  EXPECT_EQ(read("#include \"guarded.h\"\n#include \"guarded.h\"\n"), "g");
  write("model/big.h", "/*" + std::string(1u << 20, '*') + "*/\n");
  std::string many;
  for (int i = 0; i < 20; ++i) many += "#include \"big.h\"\n";
  EXPECT_EQ(read(many).substr(0, 80),
            std::string("16:10 error preprocessor-limit: the included files are larger than 16 MB together")
                .substr(0, 80));
  write("model/open.h", "#if 1\nx\n");
  EXPECT_EQ(read("#include \"open.h\"\n#endif\n"),
            "2:2 error unmatched-conditional: #endif stands outside any condition (there is no #if, #ifdef "
            "or #ifndef for "
            "it in this file)\n"
            "1:2 error unmatched-conditional: this condition has no #endif in its file (write #endif where "
            "the text that "
            "depends on it ends) [1:10 included here]\n");
  write("model/name.h", "#define f(a) a\nf\n");
  EXPECT_EQ(read("#include \"name.h\"\n(1)\n"), "f|(1)")
      << "a call does not go on behind its file, as in gcc";
}

std::string messages(const std::string& text, PreprocessLimits limits = {}) {
  testing::Loaded l;
  PreprocessOptions options;
  options.limits = limits;
  const diag::FileId file = l.sources.add("model.pml", text);
  (void)preprocess(l.sources, file, options, l.diagnostics);
  return l.messages();
}

// x_n is two of x_(n-1).
std::string doubling(int steps, const std::string& glue) {
  std::string text = "#define x0 1\n";
  for (int i = 1; i <= steps; ++i) {
    const std::string below = "x" + std::to_string(i - 1);
    text += "#define x" + std::to_string(i) + ' ' + below + glue + below + '\n';
  }
  return text + "int v = x" + std::to_string(steps) + ";\n";
}

TEST(PreprocessHostile, MacroBombs) {
  EXPECT_EQ(messages(doubling(16, "+")), "") << "65536 terms are still a text";
  EXPECT_EQ(messages(doubling(40, " ")),
            "42:9 error preprocessor-limit: more than 1000000 macros are replaced (write what the macro "
            "stands for as an "
            "inline, a proctype or a loop; --cpp runs the compiler's preprocessor, which has no limit)\n");
  std::string wide = "#define d0(x) x x x x x x x x\n";
  for (int i = 1; i < 12; ++i)
    wide += "#define d" + std::to_string(i) + "(x) d" + std::to_string(i - 1) + "(x x x x x x x x)\n";
  EXPECT_NE(messages(wide + "d11(1)\n").find("macros make more than 4000000 tokens"), std::string::npos);
  std::string pasting = "#define c(a) a##a\n#define e(a) c(a)\nint v = ";
  for (int i = 0; i < 60; ++i) pasting += "e(";
  EXPECT_NE(
      messages(pasting + "v" + std::string(60, ')') + "\n").find("# and ## make more than 16 MB of text"),
      std::string::npos);
}

TEST(PreprocessHostile, DepthIsNoProblemOrALimit) {
  constexpr int kDepth = 66000;
  std::string chain = "#define c0 1\n", conditions, ends;
  for (int i = 1; i <= kDepth; ++i) {
    chain += "#define c" + std::to_string(i) + " c" + std::to_string(i - 1) + '\n';
    conditions += "#if 1\n";
    ends += "#endif\n";
  }
  EXPECT_EQ(messages(chain + "int v = c" + std::to_string(kDepth) + ";\n"), "");
  EXPECT_EQ(messages(conditions + ends), "");
  EXPECT_EQ(messages("#if " + std::string(kDepth, '(') + '1' + std::string(kDepth, ')') + "\n#endif\n"), "");
  EXPECT_EQ(messages("#if " + std::string(kDepth, '~') + "0\n#error wrong\n#endif\n"), "");
  std::string question = "#if ";
  for (int i = 0; i < kDepth; ++i) question += "0 ? 1 : ";
  EXPECT_EQ(messages(question + "1\n#else\n#error wrong\n#endif\n"), "");
  const auto calls = [](int depth) {
    std::string text = "#define f(a) a\nint v = ";
    for (int i = 0; i < depth; ++i) text += "f(";
    return text;
  };
  EXPECT_EQ(messages(calls(150) + "1" + std::string(150, ')')), "");
  EXPECT_NE(messages(calls(300) + "1" + std::string(300, ')')).find("nested more than 200 deep"),
            std::string::npos);
  EXPECT_NE(messages(calls(kDepth) + "1" + std::string(kDepth, ')')).find("preprocessor-limit"),
            std::string::npos);
  EXPECT_NE(messages(calls(kDepth)).find("the arguments of macro 'f' are never closed"), std::string::npos);
}

TEST(PreprocessHostile, TheTimeLimitEndsIt) {
  PreprocessLimits limits;
  limits.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  EXPECT_EQ(messages(doubling(40, " "), limits),
            "42:9 error preprocessor-limit: the time limit ended the preprocessing of this model (give it "
            "more time with "
            "--time, or fewer macros)\n");
}

TEST(PreprocessHostile, AnyBytes) {
  EXPECT_EQ(messages(std::string("#define\0 x\n", 11)).substr(0, 20), "1:8 error bad-macro:");
  for (const char* text :
       {"#", "#define f(", "#define f(a,", "#if", "#if (", "\"", "'", "\\", "/*", "#include \"", "#include",
        "#define f(x) x\nf(", "#define f(x) #x\nf(\\)", "#line", "# 99999999999", "#define x ##",
        "#define a(x) x##x##x\na(\")", "\xff\xfe#\xc2\x9b"})
    (void)messages(text);
}

}  // namespace
}  // namespace parley::front::promela
