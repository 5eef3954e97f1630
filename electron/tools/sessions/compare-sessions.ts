/** Comparison of sessions that tried the same in different ways: their definitions, their tests, and their time. */

import { z } from 'zod';
import type { HistoryRow } from '../../contract/model';
import { TestTotals } from '../../contract/report';
import type { History } from '../../history/history';
import { SessionChanges, type SessionChangesOptions } from '../../sessions/changes/session-changes';
import type { Session } from '../../sessions/session/session';
import { dialectOf } from '../../source/dialect';
import { formTitle } from '../../source/locate';
import { read } from '../../source/reader';
import { topLevelForms } from '../../source/top-level-forms';

export const ComparedSession = z.object({
  session: z.string(),
  name: z.string(),
  evaluations: z.int(),
  failed: z.int(),
  /** The time of all evaluations. */
  milliseconds: z.number(),
  /** The totals of the last run of tests. */
  tests: TestTotals.optional(),
});
export type ComparedSession = z.infer<typeof ComparedSession>;

/** A definition that not all sessions have alike: for each session its text; null: it has none since its start. */
export const ComparedDefinition = z.object({
  title: z.string(),
  texts: z.record(z.string(), z.string().nullable()),
});
export type ComparedDefinition = z.infer<typeof ComparedDefinition>;

export interface Comparison {
  sessions: ComparedSession[];
  /** Titles of definitions that all sessions have alike. */
  alike: string[];
  differing: ComparedDefinition[];
}

/** @throws HarborError as `SessionChanges.view` */
export async function compareSessions(
  sessions: readonly Session[],
  options: SessionChangesOptions,
): Promise<Comparison> {
  const compared: ComparedSession[] = [];
  const texts = new Map<string, Record<string, string | null>>();
  for (const session of sessions) {
    compared.push(effortOf(session, await rowsOf(session, options.history)));
    for (const [title, text] of await definitionsOf(session, options)) {
      const known = texts.get(title) ?? Object.fromEntries(sessions.map(({ id }) => [id, null]));
      texts.set(title, { ...known, [session.id]: text });
    }
  }
  const all = [...texts].map(([title, own]) => ({ title, texts: own }));
  const isAlike = (one: ComparedDefinition) => new Set(Object.values(one.texts)).size === 1;
  return {
    sessions: compared,
    alike: all.filter(isAlike).map(({ title }) => title),
    differing: all.filter((each) => !isAlike(each)),
  };
}

/** Rows of one page. */
const PAGE = 200;

async function rowsOf({ id }: Session, history: History): Promise<HistoryRow[]> {
  const rows: HistoryRow[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const page = await history.page({
      session: id,
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    });
    rows.push(...page.rows);
    before = page.next;
  }
  return rows;
}

/** @param rows newest first */
function effortOf({ id, identity }: Session, rows: readonly HistoryRow[]): ComparedSession {
  const tests = rows.find((row) => row.tests !== undefined)?.tests;
  return {
    ...{ session: id, name: identity.name, evaluations: rows.length },
    failed: rows.filter(({ outcome }) => outcome === 'error' || outcome === 'crashed').length,
    milliseconds: rows.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
    ...(tests === undefined ? {} : { tests }),
  };
}

/** Returns the text of each definition that the session has made, by its title. */
async function definitionsOf(session: Session, options: SessionChangesOptions): Promise<Map<string, string>> {
  const { definitions } = await new SessionChanges(options).view(session, { is: 'beginning' });
  const rows = new Map(options.history.evaluations.formsOf(session.id).map((row) => [row.id, row.code]));
  return new Map(
    definitions.map(({ title, what, evaluation }) => [
      title,
      what === 'removed' ? '; removed' : textIn(rows.get(evaluation) ?? '', title, session),
    ]),
  );
}

/** Returns the last form with that title; the whole code if its reader knows none, as after a load. */
function textIn(code: string, title: string, { identity }: Session): string {
  const dialect = dialectOf(identity.engine);
  const found = topLevelForms(read(code, dialect)).findLast((form) => formTitle(form, dialect) === title);
  return found === undefined ? code : code.slice(found.whole.start, found.whole.end);
}

/** Maximum characters of a shown definition. */
const SHOWN = 300;

export function comparisonText({ sessions, alike, differing }: Comparison): string {
  return [
    ...sessions.map(({ session, name, evaluations, failed, milliseconds, tests }) =>
      [
        `${session}${name === session ? '' : ` ${name}`}`,
        `${evaluations} evaluations, ${failed} failed, ${Math.round(milliseconds)} ms`,
        tests === undefined
          ? 'no tests'
          : `tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.errors} errors`,
      ].join(' · '),
    ),
    ...(alike.length === 0 ? [] : [`Alike: ${alike.join(', ')}`]),
    ...differing.flatMap(({ title, texts }) => [
      `${title}:`,
      ...Object.entries(texts).map(([session, text]) => `  ${session}: ${shown(text)}`),
    ]),
  ].join('\n');
}

function shown(text: string | null): string {
  if (text === null) return 'not defined since it began';
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
