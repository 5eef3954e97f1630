/**
 * Values and objects as lisp-mcp-server's later versions tell them: a value with parts has a number, by which `inspect-object`
 * shows them, each with a number of its own.
 */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { handleOfNumber, objectHandle, objectNumber } from '../../sessions/object-handle';
import type { Session } from '../../sessions/session/session';
import { checkedArguments } from '../arguments';
import { evalTool } from '../evaluation/eval-tool';
import { type EvaluateToolOptions, LONGEST_WAIT_MS } from '../evaluation/evaluation-answer';
import { EvaluationRecord, lastValues } from '../evaluation/record';
import { inspectTool } from '../knowledge/inspect-tool';
import type { PartResult } from '../knowledge/inspection-result';
import { noted, type Tool } from '../tool';
import { inspectedText, valueText } from './lisp-mcp-server-text';
import { adaptersOf } from './tool-adapter';

const ReplEvalArguments = z.strictObject({
  code: z.string().min(1).describe('An S-expression, or several'),
  package: z.string().optional().describe('For this call only'),
  print_level: z.int().min(0).optional(),
  print_length: z.int().min(0).optional(),
  timeout_seconds: z.number().positive().optional().describe('Answer with a job after this long'),
  max_output_length: z.int().min(1).optional().describe('Characters of values and output'),
  safe_read: z.boolean().optional().describe('Refuse #.'),
  locals_preview_frames: z.int().min(0).max(20).optional().describe('On error, frames to show locals of'),
});

const ReplEvalResult = EvaluationRecord.extend({
  result_object_id: z.int().optional().describe('Of a value with parts, for inspect-object'),
});

/** Bounds of `max_chars`. */
const [FEWEST_CHARACTERS, MOST_CHARACTERS] = [100, 1_000_000];

export function replEvalTool(
  options: EvaluateToolOptions,
): Tool<typeof ReplEvalArguments, typeof ReplEvalResult> {
  const ours = evalTool(options);
  return {
    ...ours,
    name: 'repl-eval',
    description:
      'Evaluates forms, #. included, and answers the last value and what was printed. A value with parts has an object-id for inspect-object.',
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
        asides: record.notes.map(noted),
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
    ...(seconds === undefined ? {} : { wait_ms: Math.min(Math.round(seconds * 1000), LONGEST_WAIT_MS) }),
    ...(characters === undefined
      ? {}
      : { max_chars: Math.min(Math.max(characters, FEWEST_CHARACTERS), MOST_CHARACTERS) }),
  };
}

/** Values that are plain by how they are printed: the image is not asked about them. */
const PLAIN_TEXT = /^(?:[-+]?\d[\d./]*|NIL|T|:\S+|"[^"]*")$/;
/** Kinds of object without parts to look into. */
const PLAIN = /^(?:symbol|string|character|integer|ratio|float|complex)$/;

/** null for a value that is plain, and where the image cannot tell. */
async function objectIdOf(evaluation: number, session: Session): Promise<number | null> {
  if (!session.offers('inspector')) return null;
  try {
    const start = { evaluation };
    const { object, kind } = await session
      .ability('inspector')
      .inspect({ start, path: [], offset: 0, limit: 0 });
    return PLAIN.test(kind) ? null : objectNumber(objectHandle(object, session.generation));
  } catch (error) {
    // It had no value, or the image is busy with something else by now.
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
      id: z.int().min(1).describe('object-id, as repl-eval or inspect-object told it'),
      max_depth: z.int().min(0).optional().describe('0: without the parts'),
      max_elements: z.int().min(0).max(500).optional(),
    }),
    toArguments: ({ id, max_depth: depth, max_elements: elements }) => ({
      handle: handleOfNumber(id),
      limit: depth === 0 ? 0 : (elements ?? 50),
    }),
    render: ({ parts = [], ...result }) => inspectedText({ ...result, parts: parts as PartResult[] }),
  });
}
