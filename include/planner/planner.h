#ifndef PLANNER_PLANNER_H
#define PLANNER_PLANNER_H

/**
 * The C interface of planner: a request as JSON in, an answer as JSON out. It reaches every command
 * of the command line that answers in JSON, and its answers are those of `planner … --json`, byte
 * for byte.
 *
 *   char* answer = planner_call("{\"command\": \"optimize\","
 *                               " \"options\": {\"model\": \"gpt1t\", \"gpus\": 32768}}");
 *   if (answer != NULL) puts(answer);
 *   planner_free(answer);
 *
 * All functions may be called from many threads at once. None throws, prints or exits; none keeps
 * state between calls.
 */

#if defined(__GNUC__)
#define PLANNER_EXPORT __attribute__((visibility("default")))
#else
#define PLANNER_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Answers a request:
 *
 *   {"command": "optimize",
 *    "options": {"model": "gpt1t", "gpus": 32768, "tp": [1, 2, 4], "all-axes": true},
 *    "arguments": [],
 *    "format": "csv"}
 *
 * command    a command of the command line
 * options    its flags without the dashes. A number stands for its text; a list for its elements
 *            with commas between; true for a switch; null and false for a flag that is not given,
 *            but false turns off a switch that has a "no-" counterpart. Ranges and errors are those
 *            of the command line.
 * arguments  strings: what follows the command without dashes, such as file names. A file named
 *            "-" is the standard input of this process.
 * format     "table", "csv", "md" or "html": the answer then has the key "rendered" too, that text.
 *
 * All but the command may be left out. `planner schema request` prints the JSON Schema of requests
 * with every command and option, `planner schema answer` that of answers.
 *
 * The answer: {"schema_version": "1", "command": …, "ok": …, "inputs": {…}, "result": {…},
 * "warnings": […]}, with "errors" where ok is false: [{"code", "message", "hint", "file", "line",
 * "column"}]. A request that is not understood is answered so too.
 *
 * json_request  UTF-8, ending with a NUL; NULL counts as empty. Larger than 64 MiB, nested deeper
 *               than 64 levels or of more than a million values, it is refused.
 * Returns UTF-8, ending with a NUL, to be given to planner_free(). NULL only where there is no
 * memory left.
 */
PLANNER_EXPORT char* planner_call(const char* json_request);

/** Frees what planner_call() returned. NULL is fine. */
PLANNER_EXPORT void planner_free(char* json_response);

/** The version of the library, "0.1.0". Never to be freed. */
PLANNER_EXPORT const char* planner_version(void);

#ifdef __cplusplus
}
#endif

#endif
