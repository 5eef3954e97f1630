/**
 * The edge at which notes and mentions become text, in the words of the caller's profile: a tool of ours has
 * the name of the profile's adapter that takes the same arguments. A sentence that names a tool which the
 * profile does not have is omitted.
 */

import { HarborError } from '../contract/errors';
import { messageText, OUR_NAMES, type ToolNames } from '../contract/mention';
import { Note, noteIf, noteTexts } from '../contract/note';
import type { Profile } from './profile';
import { inOneLine, quotedFurther } from './prover/quoted';
import type { ToolResult } from './tool';

/** A result whose notes are texts, as endpoints send it. */
export interface RenderedResult extends Omit<ToolResult, 'notes' | 'asides' | 'statesSandbox'> {
  /** Notes that follow the text as content of their own. */
  asides: readonly string[];
}

/** Returns how a profile names our tools. */
export function namesOf({ tools }: Pick<Profile, 'tools'>): ToolNames {
  return ({ tool, takes }) => {
    const own = tools.find(
      ({ name, of = name, args }) => of === tool && takes.every((argument) => argument in args.shape),
    );
    return own?.name ?? null;
  };
}

export function renderResult(result: ToolResult, names: ToolNames): RenderedResult {
  const { structured, notes: _notes, asides = [], statesSandbox: _states, ...rest } = result;
  const texts = asides.flatMap((each) => (typeof each === 'string' ? [each] : noteLines([each], names)));
  return {
    ...rest,
    structured: withNoteTexts(structured, names),
    text: resultText(result, names),
    asides: texts,
  };
}

/** Returns the text with its notes. */
export function resultText(
  { text, notes = [] }: Pick<ToolResult, 'text' | 'notes'>,
  names: ToolNames = OUR_NAMES,
): string {
  const lines = noteLines(notes, names).map((line) => `; ${line}`);
  return [...(text === '' ? [] : [text]), ...lines].join('\n');
}

/** Returns a line for each note that says something to the reader. */
export function noteLines(notes: readonly Note[], names?: ToolNames): string[] {
  return noteTexts(notes, names).map((text) => `note: ${inOneLine(text)}`);
}

/** Replaces the notes of the data and of its evaluation by their texts. */
function withNoteTexts(data: Record<string, unknown>, names: ToolNames): Record<string, unknown> {
  const { notes, evaluation } = data;
  return {
    ...data,
    ...(Array.isArray(notes) ? { notes: textsIn(notes, names) } : {}),
    ...(isRecord(evaluation) ? { evaluation: withNoteTexts(evaluation, names) } : {}),
  };
}

function textsIn(notes: readonly unknown[], names: ToolNames): string[] {
  return noteTexts(
    notes.flatMap((each) => Note.safeParse(each).data ?? []),
    names,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the error with a message and notes for the reader. Other thrown values are returned as they are. */
export function renderError(error: unknown, names: ToolNames): unknown {
  if (!(error instanceof HarborError)) return error;
  const notes = error.notes.flatMap((each) => noteIf(each.kind, messageText(each, names)));
  return error.with({ names, notes, text: quotedFurther(error.text) });
}
