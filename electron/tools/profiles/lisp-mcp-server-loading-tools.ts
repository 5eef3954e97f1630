/** Loading and testing as cl-mcp has them: a system is loaded anew unless asked otherwise, and calls say how long they wait. */
import { z } from 'zod';
import { type EvaluateToolOptions, LONGEST_WAIT_MS } from '../evaluation/evaluation-answer';
import { type Loading, type LoadToolOptions, loadTool } from '../evaluation/load-tool';
import { runTestsTool } from '../evaluation/run-tests-tool';
import type { Tool } from '../tool';
import { loadedText, testedText } from './lisp-mcp-server-text';
import { adaptersOf } from './tool-adapter';

const system = z.string().min(1);
const timeout = z.number().positive().optional().describe('Answer with a job after this long');

const LoadSystemArguments = z.strictObject({
  system,
  force: z
    .boolean()
    .optional()
    .describe('false: only what has changed; else all that it defines is again as in its files'),
  clear_fasls: z.boolean().optional().describe('Compile all of it'),
  timeout_seconds: timeout,
});

export function loadingTools(options: LoadToolOptions): Tool[] {
  return [
    loadSystemTool(options),
    adaptersOf(loadTool(options))({
      name: 'project-build',
      description: 'Loads an ASDF system in a fresh process that holds nothing else.',
      args: z.strictObject({ system }),
      toArguments: (given) => ({ ...given, fresh: true }),
    }),
    waiting(testingTool, options),
  ];
}

function loadSystemTool(options: LoadToolOptions): Tool {
  const loaders = {
    changed: waiting(loaderOf('changed'), options),
    anew: waiting(loaderOf('anew'), options),
    compiled: waiting(loaderOf('compiled'), options),
  };
  return {
    ...loaders.anew,
    run(given, caller) {
      const { force = true, clear_fasls: clear = false } = given as z.output<typeof LoadSystemArguments>;
      return loaders[clear ? 'compiled' : force ? 'anew' : 'changed'].run(given, caller);
    },
  };
}

function loaderOf(loading: Loading): (options: LoadToolOptions) => Tool {
  return (options) =>
    adaptersOf(loadTool(options, loading))({
      name: 'load-system',
      description:
        'Compiles and loads an ASDF system; one that is loaded already is loaded anew. Answers warnings and failures with file and line.',
      args: LoadSystemArguments,
      toArguments: ({ system: name }) => ({ system: name }),
      render: (record, { system: name }, ours) => loadedText(record, name, ours),
    });
}

function testingTool(options: EvaluateToolOptions): Tool {
  return adaptersOf(runTestsTool(options))({
    name: 'run-tests',
    description: 'Runs the tests of an ASDF system and answers counts and each failure.',
    args: z.strictObject({
      system,
      test: z.string().optional(),
      tests: z.array(z.string().min(1)).min(1).optional(),
      framework: z.string().optional(),
      timeout_seconds: timeout,
    }),
    toArguments: ({ system: name, test, tests = [], framework }) => ({
      system: name,
      ...named([...(test === undefined ? [] : [test]), ...tests]),
      ...(framework === undefined || framework === 'auto' ? {} : { framework }),
    }),
    render: (record, _, ours) => testedText(record, ours),
  });
}

/** Several tests by their names with blanks between. */
function named(tests: readonly string[]): { test?: string } {
  return tests.length === 0 ? {} : { test: tests.join(' ') };
}

/** The tool that `make` makes, whose calls may say in `timeout_seconds` after how long they answer with a job. */
function waiting<O extends EvaluateToolOptions>(make: (options: O) => Tool, options: O): Tool {
  const usual = make(options);
  return {
    ...usual,
    run(given, caller) {
      const { timeout_seconds: seconds } = given as { timeout_seconds?: number };
      if (seconds === undefined) return usual.run(given, caller);
      const milliseconds = Math.min(Math.round(seconds * 1000), LONGEST_WAIT_MS);
      return make({ ...options, softLimitMs: () => milliseconds }).run(given, caller);
    },
  };
}
