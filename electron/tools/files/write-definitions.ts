/** Writes what a session has defined and no file holds into a file, from the text that was evaluated. */
import { HarborError } from '../../contract/errors';
import { namesNear } from '../../contract/names-there';
import { mergedDefinitions } from '../../sessions/export/merged-definitions';
import { type ChosenDefinitions, chosenDefinitions } from '../../sessions/export/session-source';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { dialectOfFile } from '../../source/dialect';
import type { EditedAll, FileToChange } from '../../source/files';
import { bytesOf, type Text } from '../../source/text-file';
import { sessionOf } from '../arguments';
import { shortPath } from '../source-places';
import type { Caller } from '../tool';
import { type ChangedFile, changeFiles, fileOf, newFileOf } from './changed-files';
import { checkHash, type FileToolOptions, sourceOf, textFile, type Writing } from './text-files';

export type DefinitionsOptions = FileToolOptions & { sessions: Sessions };

export interface DefinitionsOrder {
  path: string;
  /** true: all that no file holds. */
  definitions: true | readonly string[];
  session?: string | undefined;
  expected_hash?: string | undefined;
}

export interface WrittenDefinitions {
  files: ChangedFile[];
  /** How many definitions were written. */
  count: number;
  /** Titles of forms of the file that were replaced, and of those that are new in it. */
  replaced: string[];
  added: string[];
  notes: string[];
}

/** @throws HarborError `bad_arguments` where nothing is to be written, or it has no place in the file; as `changeFiles` */
export async function writeDefinitions(
  { session: handle, ...order }: DefinitionsOrder,
  caller: Caller,
  options: DefinitionsOptions,
): Promise<WrittenDefinitions> {
  requireLispFile(order.path);
  const { session, notes } = await sessionOf(handle, caller, options.sessions);
  const written = await writeDefinitionsOf(session, order, caller, options);
  return { ...written, notes: [...notes, ...written.notes] };
}

/** The same of a session that is at hand. @throws HarborError as `writeDefinitions` */
export async function writeDefinitionsOf(
  session: Session,
  { path, definitions: names, expected_hash: expected }: Omit<DefinitionsOrder, 'session'>,
  { client, project }: Writing,
  options: FileToolOptions,
): Promise<WrittenDefinitions> {
  requireLispFile(path);
  const writing = { client, project, session: session.id };
  const asked = names === true ? null : names;
  const chosen = await chosenDefinitions(session, options.history.evaluations, asked, path);
  if (chosen.definitions.length === 0)
    throw new HarborError('bad_arguments', `${session.id} has defined nothing that no file holds.`);
  const { portcullis, missing, elsewhere } = chosen;
  const beside =
    portcullis === undefined ? [] : [{ path: path.replace(/\.\w+$/, '.acl2'), text: portcullis }];
  const edit = (found: readonly FileToChange[]): EditedAll<Told> => {
    const [file, ...others] = found as [FileToChange, ...FileToChange[]];
    const merged = mergedInto(file, chosen, expected, writing);
    const books = others.map((other, index): [string, Uint8Array] => [
      newFileOf(other, beside[index]?.path ?? path),
      Buffer.from(beside[index]?.text ?? ''),
    ]);
    return { bytes: new Map([[merged.path, bytesOf(merged)], ...books]), answer: merged };
  };
  const paths = [path, ...beside.map((each) => each.path)];
  const { changed, answer } = await changeFiles(paths, writing, options, edit);
  session.saved.add(chosen.definitions);
  return {
    files: [...changed.values()],
    count: chosen.definitions.length,
    replaced: answer.replaced,
    added: answer.added,
    notes: [
      ...(missing.length === 0
        ? []
        : [`Left out, because the forms that made them failed: ${missing.join(', ')}.`]),
      ...(elsewhere.length === 0
        ? []
        : [
            `Left out, because they are of other namespaces: ${namesNear('', elsewhere)}. Write each to its own file.`,
          ]),
    ],
  };
}

function requireLispFile(path: string): void {
  if (dialectOfFile(path) !== null) return;
  throw new HarborError(
    'bad_arguments',
    `${path} is no Lisp file, as its name says: it holds no definitions.`,
  );
}

type Told = Pick<WrittenDefinitions, 'replaced' | 'added'>;

/** The text of the file, a new one or one that there is, with the definitions in it.
 * @throws HarborError */
function mergedInto(
  found: FileToChange,
  { text, forms }: ChosenDefinitions,
  expected: string | undefined,
  { project }: Writing,
): Told & Text & { path: string } {
  if ('missing' in found) return { path: found.path, text, encoding: 'utf-8', replaced: [], added: [] };
  const bytes = fileOf(found);
  const file = textFile(bytes, shortPath(bytes.path, project));
  checkHash(file, expected);
  if (forms.length > 0)
    return { path: file.path, encoding: file.encoding, ...mergedDefinitions(sourceOf(file), forms) };
  throw new HarborError(
    'file_exists',
    `${file.shown} exists already, and a book is written whole: name a new file.`,
  );
}
