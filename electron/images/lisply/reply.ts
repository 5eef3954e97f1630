/** What a backend answers to `lisp-eval`, as the outcome of an evaluation (Lisply Backend Requirements). */
import { z } from 'zod';
import type { BackendResponse } from '../../contract/server';
import { parseWellFormed } from '../../host/well-formed';
import type { EvaluateRequest, ImageOutcome } from '../image';

const Reply = z.union([
  z.object({ success: z.literal(true), result: z.string(), stdout: z.string().default('') }),
  z.object({ success: z.literal(false), error: z.string() }),
]);

type Told = Pick<ImageOutcome, 'outcome' | 'forms' | 'condition' | 'notes'> & { stdout: string };

export function outcomeOf(response: BackendResponse, { code, maxChars }: EvaluateRequest): Told {
  const reply = Reply.safeParse(jsonOf(response.body));
  if (!reply.success) return failed(notLisply(response));
  if (!reply.data.success) return failed(reply.data.error);
  const { result, stdout } = reply.data;
  const cut = maxChars !== undefined && result.length > maxChars;
  return {
    outcome: 'ok',
    forms: [{ code, values: [cut ? result.slice(0, maxChars) : result] }],
    condition: null,
    notes: cut ? [`A value of ${result.length} characters was cut to ${maxChars}.`] : [],
    stdout,
  };
}

/** A backend tells no type, no restarts and no stack, and has gone back to its top level. */
function failed(message: string): Told {
  const condition = { type: 'error', message, level: 1, restarts: [], frames: [] };
  return { outcome: 'error', forms: [], condition, notes: [], stdout: '' };
}

/** Characters that say what else it may have been. */
const SHOWN = 300;

function notLisply({ status, body }: BackendResponse): string {
  return `The backend answered with status ${status} and no result of Lisply: ${body.slice(0, SHOWN)}`;
}

function jsonOf(text: string): unknown {
  try {
    return parseWellFormed(text);
  } catch {
    return undefined;
  }
}
