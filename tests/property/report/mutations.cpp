// Every random mutation of a shipped file, given to the command that reads such files, ends in an
// answer or a clean error: in less than a second and 200 MB, whatever its numbers became.
#include "support/mutations.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <ctime>
#include <map>

#include "planner/api/api.hpp"
#include "planner/report/report.hpp"

using namespace planner;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMeasured = false;  // the sanitizers' own time and memory
constexpr int kMutations = 1'000;
#else
constexpr bool kMeasured = true;
constexpr int kMutations = 10'000;
#endif

/// What uses a file of this folder.
Request request_for(const std::string& folder, const std::string& path) {
  Request request{.command = Command::optimize, .data_dir = PLANNER_SOURCE_DIR};
  std::map<std::string, std::string> plan{{"model", "gpt22b"}, {"gpus", "64"}, {"threads", "1"}};
  const auto without_model = [&](Command command) {
    request.command = command;
    plan.clear();
    if (command != Command::show && command != Command::cost) request.gpus = 64;
  };
  if (folder == "models" || folder.starts_with("examples/models")) {
    plan["model"] = path;
    plan["global-batch"] = "256";
    plan["seq"] = "2048";
  } else if (folder == "catalog/systems") {
    plan["system"] = path;
  } else if (folder == "catalog/economics") {
    plan["economics"] = path;
  } else if (folder == "catalog/calibrations") {
    plan["calibration"] = path;
  } else if (folder == "catalog/nodes") {
    without_model(Command::hfreduce);
    request.given = {{"node", path}};
  } else if (folder == "catalog/storage") {
    without_model(Command::hfreduce);
    request.given = {{"storage", path}};
  } else if (folder == "catalog/prices") {
    without_model(Command::network);
    plan = {{"topology", "fat-tree"}, {"gpus", "64"}, {"prices", path}};
  } else if (folder == "catalog/rates") {
    without_model(Command::reliability);
    plan = {{"rates", path}, {"gpus", "64"}};
  } else if (folder == "catalog/collectives") {
    without_model(Command::collective);
    request.gpus.reset();
    request.given = {{"kind", "all-reduce"}, {"bytes", "1GB"}, {"gpus", "64"}, {"library", path}};
  } else if (folder == "examples/clusters") {
    without_model(Command::cost);
    request.arguments = {path};
  } else {
    without_model(Command::show);
    request.arguments = {folder.substr(folder.rfind('/') + 1), path};
  }
  request.given.assign(plan.begin(), plan.end());
  return request;
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
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
  double longest = 0;
  for (int i = 0; i < kMutations; ++i) {
    const ShippedFile& file = files[static_cast<std::size_t>(i) % files.size()];
    const std::string text = mutated(file.text, random);
    std::ofstream(path) << text;
    const double before = cpu_seconds();
    const Response response = answer(request_for(file.folder, path));
    const bool said = !render_json(response).empty();
    const double took = cpu_seconds() - before;
    longest = std::max(longest, took);
    answered += response.errors.empty() ? 1 : 0;
    CAPTURE(file.folder);
    CAPTURE(file.name);
    CAPTURE(text);
    CHECK(said);
    CHECK(response.exit_code != ExitCode::bug);
    CHECK(response.errors.empty() == (response.exit_code == ExitCode::done));
    if (kMeasured) CHECK(took < 1);
  }
  ::unlink(path.c_str());
  MESSAGE(kMutations << " mutations, " << answered << " answered; longest " << longest
                     << " s, peak " << peak_MB() << " MB");
  CHECK(answered > kMutations / 20);
  CHECK(answered < kMutations);
  if (kMeasured) CHECK(peak_MB() < 200);
}
