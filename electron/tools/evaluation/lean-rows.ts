/** A page of the history in the fewest words: a line a row, under a line that says whose and where where that changes. */
import { cut } from '../../history/cut-text';
import { closingLines } from '../closing-lines';
import type { Caller } from '../tool';
import type { HistoryRowResult } from './history-row';

/** Characters for all rows, and the least and the most for the code of one, or for what it came to. */
const PAGE_CHARACTERS = 700;
const FEWEST = 36;
const MOST = 400;

interface Page {
  rows: readonly HistoryRowResult[];
  next: number | null;
}

/** The fewer rows, the more is told of each; `history` with an id tells all of one. */
export function pageText(
  { rows, next }: Page,
  { client, project }: Caller,
  { session }: { session?: string | undefined },
): string {
  if (rows.length === 0)
    return session === undefined
      ? 'No evaluations.'
      : `No such evaluations in a session ${session}; \`images\` tells the handles of those that are open.`;
  const each = Math.max(FEWEST, Math.min(MOST, Math.floor(PAGE_CHARACTERS / rows.length / 2)));
  const lines = rows.flatMap((row, place) => {
    const where = whereText(row, { client: client.key, project });
    const before = rows[place - 1];
    const isSame = before !== undefined && whereText(before, { client: client.key, project }) === where;
    return [...(isSame ? [] : [`; ${where}`]), rowLine(row, each)];
  });
  return [...lines, ...closingLines(next === null ? [] : [`more with before: ${next}`])].join('\n');
}

/** The session, and whose and in which project it is where that is not the caller's. */
function whereText(row: HistoryRowResult, caller: { client: string; project: string }): string {
  return [
    row.session,
    row.package,
    ...(row.client === caller.client ? [] : [`client ${row.client}`]),
    ...(row.project === caller.project ? [] : [`project ${row.project}`]),
    row.started_at.slice(0, 10),
  ].join(' · ');
}

/** What the code or its outcome leaves of its share is the other's. */
function rowLine(row: HistoryRowResult, each: number): string {
  const { id, outcome, started_at: started, condition } = row;
  const code = oneLine(inShort(row.code, row.project));
  const output = oneLine(row.output.replaceAll(/^; compiling .*$/gm, ''));
  const came = oneLine(condition ?? row.values.map((value) => `=> ${value}`).join(' '));
  const isTold = output === '' || condition !== undefined;
  return [
    `${id} ${started.slice(11, 16)}`,
    ...(outcome === 'ok' ? [] : [outcome]),
    cut(code, Math.max(each, 2 * each - came.length)),
    cut(came, Math.max(each, 2 * each - code.length)),
    ...(isTold ? [] : [`[output] ${cut(output, Math.floor(each / 2))}`]),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Calls of our own loader without its name, and files of the project by theirs. */
function inShort(code: string, project: string): string {
  return code.replace(/^\(lisp-harbor(?::|\.[a-z-]+\/)/, '(').replaceAll(`${project}/`, '');
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
