/* The C interface as a C program sees it: the answers of the command line byte for byte, from any
   number of threads, whatever comes in, and without growth of memory. Argument: the executable. */
#define _POSIX_C_SOURCE 200809L
#include <planner/planner.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures = 0;

static void check(int good, const char* what, const char* detail) {
  if (good) return;
  ++failures;
  fprintf(stderr, "FAILED: %s: %.2000s\n", what, detail);
}

static const struct {
  const char* request;
  const char* arguments; /* of the command line, the same */
} cases[] = {
    {"{\"command\":\"optimize\",\"options\":{\"model\":\"gpt1t\",\"gpus\":32768}}",
     "optimize --model gpt1t --gpus 32768"},
    {"{\"command\":\"optimize\",\"options\":{\"model\":\"gpt1t\",\"gpus\":32768,\"tp\":[1,2,8],"
     "\"recompute\":[\"full\",\"none\"],\"all-axes\":true,\"top\":2}}",
     "optimize --model gpt1t --gpus 32768 --tp 1,2,8 --recompute full,none --all-axes --top 2"},
    {"{\"command\":\"estimate\",\"options\":{\"model\":\"gpt22b\",\"gpus\":\"8\",\"tp\":8,"
     "\"memory\":79.5,\"tokens\":\"1.5T\",\"sequence-parallel\":false,\"explain\":true}}",
     "estimate --model gpt22b --gpus 8 --tp 8 --memory 79.5 --tokens 1.5T "
     "--no-sequence-parallel --explain"},
    {"{\"command\":\"estimate\",\"options\":{\"model\":\"gpt1t\",\"gpus\":8,\"tp\":8}}",
     "estimate --model gpt1t --gpus 8 --tp 8"},
    {"{\"command\":\"network\",\"options\":{\"topology\":\"rail-only\",\"gpus\":32768.0,"
     "\"planes\":null,\"require-prices\":false}}",
     "network --topology rail-only --gpus 32768"},
    {"{\"command\":\"compare\",\"arguments\":[\"gpt1t-32768-fat-tree\",\"gpt1t-32768-rail-only\"]}",
     "compare gpt1t-32768-fat-tree gpt1t-32768-rail-only"},
    {"{\"command\":\"show\",\"arguments\":[\"modell\",\"gpt1t\"]}", "show modell gpt1t"},
    {"{\"command\":\"list\",\"arguments\":[\"models\"],\"options\":{}}", "list models"},
    {"{\"command\":\"schema\",\"arguments\":[\"request\"]}", "schema request"},
    {"{\"command\":\"optimise\"}", "optimise"},
    {"{\"command\":\"optimize\",\"options\":{\"model\":\"gpt1t\",\"gpu\":8}}",
     "optimize --model gpt1t --gpu 8"},
    {"{\"command\":\"network\",\"options\":{\"gpus\":0}}", "network --gpus 0"},
    {"{\"command\":\"network\",\"options\":{\"gpus\":[1,2]}}", "network --gpus 1,2"},
    {"{\"command\":\"optimize\",\"arguments\":[\"x\"]}", "optimize x"},
    {"{\"command\":\"estimate\",\"options\":{\"model\":\"lama2-7b\",\"gpus\":8}}",
     "estimate --model lama2-7b --gpus 8"},
};
enum { CASES = sizeof cases / sizeof *cases };

static char* output_of(const char* planner, const char* arguments) {
  char command[4096];
  snprintf(command, sizeof command, "'%s' %s --json 2>/dev/null", planner, arguments);
  FILE* const pipe = popen(command, "r");
  size_t size = 0, capacity = 1 << 16, read;
  char* text = malloc(capacity);
  while ((read = fread(text + size, 1, capacity - size - 1, pipe)) > 0) {
    size += read;
    if (capacity - size < 2) text = realloc(text, capacity *= 2);
  }
  text[size] = '\0';
  pclose(pipe);
  return text;
}

static void equals_the_command_line(const char* planner) {
  for (size_t i = 0; i < CASES; ++i) {
    char* const ours = planner_call(cases[i].request);
    char* const theirs = output_of(planner, cases[i].arguments);
    check(strcmp(ours, theirs) == 0, cases[i].arguments, ours);
    planner_free(ours);
    free(theirs);
  }
}

static char* answers[CASES];

static void* every_case(void* unused) {
  (void)unused;
  for (size_t i = 0; i < CASES; ++i) {
    char* const answer = planner_call(cases[i].request);
    if (strcmp(answer, answers[i]) != 0) return answer;
    planner_free(answer);
  }
  return NULL;
}

static void eight_threads_give_the_same(void) {
  pthread_t threads[8];
  for (size_t i = 0; i < CASES; ++i) answers[i] = planner_call(cases[i].request);
  for (size_t i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, every_case, NULL);
  for (size_t i = 0; i < 8; ++i) {
    void* different = NULL;
    pthread_join(threads[i], &different);
    check(different == NULL, "another answer in a thread", different);
    planner_free(different);
  }
  for (size_t i = 0; i < CASES; ++i) planner_free(answers[i]);
}

static int fails_with(const char* request, const char* code) {
  char* const answer = planner_call(request);
  const int good = strstr(answer, "\"ok\": false") != NULL && strstr(answer, code) != NULL;
  check(good, code, answer);
  planner_free(answer);
  return good;
}

static void survives_anything(void) {
  fails_with(NULL, "syntax");
  fails_with("", "syntax");
  fails_with("{}", "no command given");
  fails_with("[]", "wrong-type");
  fails_with("{\"command\": 3}", "wrong-type");
  fails_with("{\"command\": \"list\", \"command\": \"show\"}", "duplicate-key");
  fails_with("{\"comand\": \"list\"}", "did you mean \\\"command\\\"?");
  fails_with("{\"command\": \"list\", \"options\": []}", "wrong-type");
  fails_with("{\"command\": \"optimize\", \"options\": {\"tp\": {\"a\": 1}}}", "--tp: must not be");
  fails_with("{\"command\": \"optimize\", \"options\": {\"tp\": [[1]]}}", "--tp: must not hold");
  fails_with("{\"command\": \"optimize\", \"options\": {\"all-axes\": 1}}", "--all-axes: must be");
  fails_with("{\"command\": \"optimize\", \"options\": {\"gpus\": 1e999}}", "out-of-range");
  fails_with("{\"command\": \"list\", \"arguments\": [\"models\"], \"format\": \"xlsx\"}", "usage");
  fails_with("{\"command\": \"show\", \"arguments\": [\"\xff\xfe\"]}", "syntax");

  const size_t deep = 1 << 20, large = ((size_t)64 << 20) + 2;
  char* text = malloc(large + 1);
  memset(text, '[', deep);
  text[deep] = '\0';
  fails_with(text, "too-deep");
  memset(text, ' ', large);
  text[large] = '\0';
  fails_with(text, "too-large");
  free(text);
}

static long resident_bytes(void) {
  long pages = 0, resident = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (fscanf(file, "%ld %ld", &pages, &resident) != 2) abort();
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

static void ten_thousand_calls_leak_nothing(void) {
  static const char* const requests[] = {
      "{\"command\":\"network\",\"options\":{\"topology\":\"fat-tree\",\"gpus\":1024}}",
      "{\"command\":\"estimate\",\"options\":{\"model\":\"gpt22b\",\"gpus\":8,\"tp\":8}}",
      "{\"command\":\"optimize\",\"options\":{\"gpus\":0}}",
      "{\"command\":\"show\",\"arguments\":[\"h100-sxm\"]}", "{\"command\":"};
  long before = 0;
  for (int i = 0; i < 10000; ++i) {
    if (i == 1000) before = resident_bytes();
    planner_free(planner_call(requests[i % 5]));
  }
  char grown[64];
  const long growth = resident_bytes() - before;
  snprintf(grown, sizeof grown, "%ld bytes in 9,000 calls", growth);
  puts(grown);
#ifndef PLANNER_SANITIZED
  check(growth < 4L << 20, "memory grows", grown);
#endif
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  check(strlen(planner_version()) >= 5, "version", planner_version());
  planner_free(NULL);
  equals_the_command_line(argv[1]);
  eight_threads_give_the_same();
  survives_anything();
  ten_thousand_calls_leak_nothing();
  return failures == 0 ? 0 : 1;
}
