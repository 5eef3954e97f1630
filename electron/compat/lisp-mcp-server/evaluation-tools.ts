/**
 * Evaluation and loading as in later versions of lisp-mcp-server. A value with parts has an id, by which
 * `inspect-object` shows it, each part with its own id.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { objectHandle } from '../../sessions/parsed-arguments';
import type { Session } from '../../sessions/session/session';
import { checkedArguments } from '../../tools/arguments';
import { evalTool } from '../../tools/evaluation/eval-tool';
import { type EvaluateToolOptions, MAX_WAIT_MS } from '../../tools/evaluation/evaluation-answer';
import { type Loading, type LoadToolOptions, loadTool } from '../../tools/evaluation/load-tool';
import { EvaluationRecord, lastValues } from '../../tools/evaluation/record';
import { runTestsTool } from '../../tools/evaluation/run-tests-tool';
import { inspectTool, type PartResult } from '../../tools/knowledge/inspect-tool';
import type { Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import {
  inspectedText,
  loadedText,
  objectId,
  objectOfId,
  testedText,
  valueText,
} from './lisp-mcp-server-text';

const ReplEvalArguments = z.strictObject({
  code: z.string().min(1).describe('An S-expression, or several'),
  package: z.string().optional().describe('For this call only'),
  print_level: z.int().min(0).optional(),
  print_length: z.int().min(0).optional(),
  timeout_seconds: z.number().positive().optional().describe('Return a job after this long'),
  max_output_length: z.int().min(1).optional().describe('Characters of values and output'),
  safe_read: z.boolean().optional().describe('Refuse #.'),
  locals_preview_frames: z.int().min(0).max(20).optional().describe('On error, frames to show locals of'),
});

const ReplEvalResult = EvaluationRecord.extend({
  result_object_id: z.string().optional().describe('For a value with parts, for inspect-object'),
});

/** Bounds of `max_chars`. */
const [FEWEST_CHARACTERS, MAX_CHARACTERS] = [100, 1_000_000];

export function replEvalTool(
  options: EvaluateToolOptions,
): Tool<typeof ReplEvalArguments, typeof ReplEvalResult> {
  const ours = evalTool(options);
  return {
    ...ours,
    name: 'repl-eval',
    description:
      'Evaluates forms, #. included, and returns the last value and the output. A value with parts has an object-id for inspect-object.',
    args: ReplEvalArguments,
    result: ReplEvalResult,
    async run(given, caller) {
      const {
        print_level: printLevel,
        print_length: printLength,
        locals_preview_frames: framesWithLocals = 0,
        ...rest
      } = given;
      const tool = evalTool(options, {
        keepValues: true,
        framesWithLocals,
        ...(printLevel === undefined ? {} : { printLevel }),
        ...(printLength === undefined ? {} : { printLength }),
      });
      const result = await tool.run(checkedArguments(tool, ourArguments(rest)), caller);
      const { structured: record } = result;
      const session = options.sessions.get(record.session);
      const hasParts = record.outcome === 'ok' && !PLAIN_TEXT.test(lastValues(record)[0] ?? 'NIL');
      const id = session && hasParts ? await objectIdOf(record.id, session) : null;
      return {
        ...result,
        structured: { ...record, ...(id === null ? {} : { result_object_id: id }) },
        text: valueText(record, id, session?.generation ?? 1),
        notes: [],
        asides: record.notes,
      };
    },
  };
}

function ourArguments({
  timeout_seconds: seconds,
  max_output_length: characters,
  ...given
}: Omit<z.output<typeof ReplEvalArguments>, 'print_level' | 'print_length' | 'locals_preview_frames'>) {
  return {
    ...given,
    ...(seconds === undefined ? {} : { wait_ms: Math.min(Math.round(seconds * 1000), MAX_WAIT_MS) }),
    ...(characters === undefined
      ? {}
      : { max_chars: Math.min(Math.max(characters, FEWEST_CHARACTERS), MAX_CHARACTERS) }),
  };
}

/** Values that are plain by their printed form; the image is not queried about them. */
const PLAIN_TEXT = /^(?:[-+]?\d[\d./]*|NIL|T|:\S+|"[^"]*")$/;
/** Kinds of object without parts. */
const PLAIN = /^(?:symbol|string|character|integer|ratio|float|complex)$/;

/** Returns null for a plain value, and if the image cannot tell. */
async function objectIdOf(evaluation: number, session: Session): Promise<string | null> {
  if (!session.offers('inspector')) return null;
  try {
    const start = { evaluation };
    const { object, kind } = await session
      .ability('inspector')
      .inspect({ start, path: [], offset: 0, limit: 0 });
    return PLAIN.test(kind) ? null : objectId(objectHandle(object, session.generation), session.id);
  } catch (error) {
    // There was no value, or the image is busy.
    if (error instanceof HarborError) return null;
    throw error;
  }
}

export function inspectObjectTool(options: EvaluateToolOptions): Tool {
  return adaptersOf(inspectTool(options, { numbered: true }))({
    name: 'inspect-object',
    description:
      'Shows the parts of an object: elements, entries or slots, each with an object-id if it has parts.',
    args: z.strictObject({
      id: z.string().describe('object-id, as returned by repl-eval or inspect-object'),
      max_depth: z.int().min(0).optional().describe('0: without the parts'),
      max_elements: z.int().min(0).max(500).optional(),
    }),
    toArguments: ({ id, max_depth: depth, max_elements: elements }) => ({
      ...objectOfId(id),
      limit: depth === 0 ? 0 : (elements ?? 50),
    }),
    render: ({ parts = [], ...result }) => inspectedText({ ...result, parts: parts as PartResult[] }),
  });
}

// Loading and tests as in cl-mcp: a system is loaded again by default, and calls set how long they wait.

const system = z.string().min(1);
const timeout = z.number().positive().optional().describe('Return a job after this long');

const LoadSystemArguments = z.strictObject({
  system,
  force: z
    .boolean()
    .optional()
    .describe('false: only what has changed; else everything is loaded again from its files'),
  clear_fasls: z.boolean().optional().describe('Compile all of it'),
  timeout_seconds: timeout,
});

export function loadingTools(options: LoadToolOptions): Tool[] {
  return [
    loadSystemTool(options),
    adaptersOf(loadTool(options))({
      name: 'project-build',
      description: 'Loads an ASDF system in a fresh process with nothing else.',
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
        'Compiles and loads an ASDF system; a loaded one is loaded again. Returns warnings and failures with file and line.',
      args: LoadSystemArguments,
      toArguments: ({ system: name }) => ({ system: name }),
      render: (record, { system: name }, ours) => loadedText(record, name, ours),
    });
}

function testingTool(options: EvaluateToolOptions): Tool {
  return adaptersOf(runTestsTool(options))({
    name: 'run-tests',
    description: 'Runs the tests of an ASDF system and returns counts and each failure.',
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

/** Splits the names of several tests at blanks. */
function named(tests: readonly string[]): { test?: string } {
  return tests.length === 0 ? {} : { test: tests.join(' ') };
}

/**
 * Returns the tool that `make` creates, with an argument `timeout_seconds` for the time after which a call
 * returns a job.
 */
function waiting<O extends EvaluateToolOptions>(make: (options: O) => Tool, options: O): Tool {
  const usual = make(options);
  return {
    ...usual,
    run(given, caller) {
      const { timeout_seconds: seconds } = given as { timeout_seconds?: number };
      if (seconds === undefined) return usual.run(given, caller);
      const milliseconds = Math.min(Math.round(seconds * 1000), MAX_WAIT_MS);
      return make({ ...options, softLimitMs: () => milliseconds }).run(given, caller);
    },
  };
}
