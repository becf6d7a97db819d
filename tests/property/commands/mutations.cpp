// Every random mutation of a shipped file, given to the command that reads such files, ends in an
// answer or a clean error, in 200 MB, whatever its numbers became.
#include "support/mutations.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <map>

#include "planner/commands/format.hpp"

using namespace planner;
using namespace planner::commands;
using namespace planner::testing;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMeasured = false;  // the sanitizers' own memory
constexpr int kMutations = 1'000;
#else
constexpr bool kMeasured = true;
constexpr int kMutations = 10'000;
#endif

/// What uses a file of this folder.
Call call_for(const std::string& folder, const std::string& path) {
  const auto with = [](std::string command, std::map<std::string, std::string> options,
                       std::vector<std::string> arguments = {}) {
    options["data-dir"] = PLANNER_SOURCE_DIR;
    return Call{.command = std::move(command),
                .arguments = std::move(arguments),
                .options = {options.begin(), options.end()}};
  };
  std::map<std::string, std::string> plan{{"model", "gpt22b"}, {"gpus", "64"}, {"threads", "1"}};
  if (folder == "models" || folder.starts_with("examples/models")) {
    plan["model"] = path;
    plan["global-batch"] = "256";
    plan["seq"] = "2048";
    return with("optimize", plan);
  }
  for (const auto& [of, option] :
       {std::pair{"catalog/systems", "system"}, std::pair{"catalog/economics", "economics"},
        std::pair{"catalog/calibrations", "calibration"}}) {
    if (folder != of) continue;
    plan[option] = path;
    return with("optimize", plan);
  }
  if (folder == "catalog/nodes") return with("hfreduce", {{"node", path}});
  if (folder == "catalog/storage") return with("hfreduce", {{"storage", path}});
  if (folder == "catalog/prices") {
    return with("network", {{"topology", "fat-tree"}, {"gpus", "64"}, {"prices", path}});
  }
  if (folder == "catalog/rates") return with("reliability", {{"rates", path}, {"gpus", "64"}});
  if (folder == "catalog/collectives") {
    return with("collective",
                {{"kind", "all-reduce"}, {"bytes", "1GB"}, {"gpus", "64"}, {"library", path}});
  }
  if (folder == "examples/clusters") return with("cost", {}, {path});
  return with("show", {}, {folder.substr(folder.rfind('/') + 1), path});
}

double peak_MB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1000;  // in KiB there
}

}  // namespace

TEST_CASE("mutated files give an answer or a clean error, in bounds") {
  const std::string path = "/tmp/planner-mutation-" + std::to_string(::getpid()) + ".json";
  const std::vector<ShippedFile> files = shipped_files();
  std::mt19937 random(20261122);
  int answered = 0;
  for (int i = 0; i < kMutations; ++i) {
    const ShippedFile& file = files[static_cast<std::size_t>(i) % files.size()];
    const std::string text = mutated(file.text, random);
    std::ofstream(path) << text;
    const Reply reply = reply_to(call_for(file.folder, path));
    const bool said = !rendered(reply, json_format()).empty();
    answered += reply.errors.empty() ? 1 : 0;
    CAPTURE(file.folder);
    CAPTURE(file.name);
    CAPTURE(text);
    CHECK(said);
    CHECK(reply.exit_code != ExitCode::bug);
    CHECK(reply.errors.empty() == (reply.exit_code == ExitCode::done));
  }
  ::unlink(path.c_str());
  MESSAGE(kMutations << " mutations, " << answered << " answered; peak " << peak_MB() << " MB");
  CHECK(answered > kMutations / 20);
  CHECK(answered < kMutations);
  if (kMeasured) CHECK(peak_MB() < 200);
}
