/** Writes what a session has defined, what was evaluated in it, or the report of a final check, into a file of a person's choice. */
import path from 'node:path';
import type { ParsedArgs, Result } from '../contract/contract';
import { HarborError } from '../contract/errors';
import type { HistoryFilter } from '../contract/history';
import type { Evaluation } from '../contract/model';
import type { Evaluations } from '../history/evaluations';
import type { History } from '../history/history';
import { finalCheckText } from '../sessions/export/final-check-text';
import { EXPORTS } from '../sessions/export/history-exports';
import { notebookText } from '../sessions/export/notebook';
import { sessionSource } from '../sessions/export/session-source';
import type { Session } from '../sessions/session/session';
import type { Words } from '../words/words';

/** Where a text is to be saved: what the person is asked, and the path that is shown first. */
export interface SaveQuestion {
  title: string;
  suggested: string;
  /** What the file will hold, in a sentence. */
  about: string;
  /** Which files the dialog shows. */
  files: { name: string; extensions: string[] };
}

/** The question in the person's language. */
export type AskWhere = (dialogs: Words['dialogs']) => SaveQuestion;

/** What is written: a file, and perhaps another one of the same name beside it. */
export interface SavedText {
  text: string;
  beside?: { extension: string; text: string };
}

/** Asks where, and writes there; answers the path, or null when the person cancelled.
 * @throws HarborError `file_not_allowed` with why it cannot be written */
export type SaveText = (ask: AskWhere, saved: SavedText) => Promise<string | null>;

/** The file and how many definitions it has, or null when the person cancelled.
 * @throws HarborError as `sessionSource` and `SaveText` do */
export async function exportSession(
  session: Session,
  evaluations: Evaluations,
  saveText: SaveText,
): Promise<{ file: string; definitions: number } | null> {
  const { name, project } = session.identity;
  const { text, definitions, portcullis, extension } = await sessionSource(session, evaluations);
  const suggested = path.join(project, fileNameFor(name, extension));
  const ask: AskWhere = (dialogs) => ({
    title: dialogs.exportSession(name),
    suggested,
    about: dialogs.exportSessionAbout,
    files: { name: 'Lisp', extensions: ['lisp', 'clj', 'cljs'] },
  });
  const beside = portcullis === undefined ? {} : { beside: { extension: '.acl2', text: portcullis } };
  const file = await saveText(ask, { text, ...beside });
  return file === null ? null : { file, definitions };
}

/** A notebook holds so many of the last evaluations: more would make it slow to open. */
const MOST_CELLS = 2_000;

/** The file and how many evaluations it has, or null when the person cancelled.
 * @throws HarborError as `SaveText` does */
export async function exportNotebook(
  { id, identity: { name, project, engine } }: Session,
  evaluations: Evaluations,
  saveText: SaveText,
): Promise<{ file: string; evaluations: number } | null> {
  const rows = lastRows(id, evaluations);
  const ask: AskWhere = (dialogs) => ({
    title: dialogs.exportNotebook(name),
    suggested: path.join(project, fileNameFor(name, 'ipynb')),
    about: dialogs.exportNotebookAbout,
    files: { name: dialogs.formats.ipynb.name, extensions: ['ipynb'] },
  });
  const file = await saveText(ask, { text: notebookText(rows, engine) });
  return file === null ? null : { file, evaluations: rows.length };
}

/** The file, how many evaluations it has and how many it cannot hold, or null when the person cancelled.
 * @throws HarborError as `SaveText` does */
export async function exportHistory(
  { filter, format }: ParsedArgs<'history:export'>,
  history: History,
  project: string,
  saveText: SaveText,
): Promise<Result<'history:export'>> {
  const { fitting, text } = EXPORTS[format];
  const found = await newestOf(filter, history);
  const rows = fitting(found);
  const ask: AskWhere = ({ exportEvaluations, formats: { [format]: written } }) => ({
    title: exportEvaluations,
    suggested: path.join(project, fileNameFor('evaluations', format)),
    about: written.about,
    files: { name: written.name, extensions: [format] },
  });
  const file = await saveText(ask, { text: text(rows) });
  return file === null ? null : { file, evaluations: rows.length, left: found.length - rows.length };
}

/** Whole rows of what the filter means, the newest of them, oldest first. */
async function newestOf(filter: HistoryFilter, history: History): Promise<Evaluation[]> {
  const ids: number[] = [];
  for (let below: number | undefined; ids.length < MOST_CELLS; ) {
    const entries = await history.ask('entries', { filter, page: { below, limit: 500 } });
    ids.push(...entries.flatMap(({ evaluation }) => (evaluation === null ? [] : [evaluation])));
    below = entries.at(-1)?.key;
    if (entries.length < 500) break;
  }
  const rows = ids.slice(0, MOST_CELLS).map((id) => history.evaluations.find(id));
  return rows.filter((row) => row !== null).reverse();
}

/** The file, or null when the person cancelled. The same stands as data beside it.
 * @throws HarborError `unknown_evaluation`, and as `SaveText` does */
export async function saveCheck(
  id: number,
  evaluations: Evaluations,
  saveText: SaveText,
): Promise<{ file: string } | null> {
  const row = evaluations.find(id);
  const report = row?.report?.finalCheck;
  if (!report)
    throw new HarborError('unknown_evaluation', `Evaluation ${id} has no report of a final check.`);
  const ask: AskWhere = (dialogs) => ({
    title: dialogs.saveCheck,
    suggested: path.join(row.project, fileNameFor(`final check of ${report.claim ?? report.book}`, 'txt')),
    about: dialogs.saveCheckAbout,
    files: { name: dialogs.text, extensions: ['txt'] },
  });
  const data = `${JSON.stringify(report, null, 2)}\n`;
  const file = await saveText(ask, {
    text: `${finalCheckText(report)}\n`,
    beside: { extension: '.json', text: data },
  });
  return file === null ? null : { file };
}

/** Oldest first. */
function lastRows(session: string, evaluations: Evaluations): Evaluation[] {
  const rows: Evaluation[] = [];
  let before: number | null | undefined;
  while (before !== null && rows.length < MOST_CELLS) {
    const page = evaluations.page({ session, limit: 200, ...(before === undefined ? {} : { before }) });
    rows.push(...page.rows.map(({ id }) => evaluations.find(id)).filter((row) => row !== null));
    before = page.next;
  }
  return rows.reverse();
}

/** `tide tables.lisp` for a session called so. Characters that some file system refuses are left out. */
export function fileNameFor(name: string, extension = 'lisp'): string {
  const plain = name
    .replace(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  return `${plain === '' ? 'session' : plain}.${extension}`;
}
