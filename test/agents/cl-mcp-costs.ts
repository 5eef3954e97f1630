/**
 * What the tasks cost through cl-mcp 2.2.0 (commit 414d504, over stdio, SBCL 2.2.9, measured in November 2026), played as its
 * descriptions of tools advise: calls, and characters of the text of answers, as `ToolAgent` counts them. It has no engine for the
 * others.
 *
 * - The three bugs: its test runner reported "PASS, 0 tests" for this framework, so the tests were run by evaluation; and its editor
 *   refuses files in which `#.` stands, so one of the edits was an evaluation as well.
 * - The parser: with FiveAM compiled before; where loading compiles it as well, 2,301 characters. Its test runner finds the suite by
 *   the name of the system, loads nothing anew, and so a load comes before each run.
 * - The runaways: all ended for the agent and the state was kept; the loop without interrupts went on with a core of its own.
 */
import type { Task, TaskCost } from './task.ts';

export const CL_MCP: ReadonlyMap<Task['what'], Pick<TaskCost, 'calls' | 'characters'>> = new Map([
  ['three bugs in a library', { calls: 12, characters: 25_103 }],
  ['a JSON parser from nothing', { calls: 9, characters: 597 }],
  ['five runaways', { calls: 7, characters: 620 }],
]);
