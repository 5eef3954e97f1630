/**
 * Abuse of an SBCL session as cases of a table: what code does, what its caller is told, and how the session goes on.
 * Every case ends, and afterwards the session evaluates again: in the same image, or in a fresh one that says so.
 */

import { expect, it } from 'vitest';
import type { Outcome } from '../../electron/contract/model';
import { noteTexts } from '../../electron/contract/note';
import { DEFINITIONS_RETURN } from '../../electron/sessions/session/session-image';
import { evaluate, sessionsFixture } from './sessions-fixture';

export interface Case {
  what: string;
  code: string;
  outcome: Outcome;
  /** Type of the condition. */
  type?: string;
  /** Part of the condition's message. */
  message?: string;
  /** Values of the last form. */
  values?: string[];
  /** What stdout and stderr hold. */
  output?: RegExp;
  /** What no note says. */
  unsaid?: RegExp;
  /** One of the notes. */
  note?: RegExp;
  /** Whether the image is gone afterwards, and the session has a fresh one. */
  lost?: boolean;
}

/** A test for each case, named by what it does. */
export function testCases(cases: readonly Case[]): void {
  it.each(cases.map((each) => [each.what, each] as const))('%s', async (_what, each) => {
    const session = await sessionsFixture().open();
    const row = await evaluate(session, each.code).settled;
    expect({ outcome: row.outcome, type: row.condition?.type }).toEqual({
      outcome: each.outcome,
      type: each.type,
    });
    expect(row.condition?.message ?? '').toContain(each.message ?? '');
    if (each.values) expect(row.forms.at(-1)?.values).toEqual(each.values);
    if (each.output) expect(row.stdout + row.stderr).toMatch(each.output);
    if (each.unsaid) expect(noteTexts(row.notes).join('\n')).not.toMatch(each.unsaid);
    if (each.note) expect(noteTexts(row.notes)).toContainEqual(expect.stringMatching(each.note));

    const next = await evaluate(session, '(+ 1 2)').settled;
    expect(next).toMatchObject({ outcome: 'ok', forms: [{ values: ['3'] }] });
    const lost = each.lost === true;
    expect(noteTexts(row.notes).join('\n').includes(DEFINITIONS_RETURN)).toBe(lost);
    expect(noteTexts(next.notes).join('\n').includes('(generation 2)')).toBe(lost);
  });
}
