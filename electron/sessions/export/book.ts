/** Exports a session's logical world as an ACL2 book that can be certified. */

import path from 'node:path';
import type { WorldCommand } from '../../contract/world';
import type { Session } from '../session/session';

/** Commands read in one request. */
const PAGE = 200;

/** Maximum recorded forms in which the text of a command is searched: the newest. */
const MOST_WRITTEN = 5_000;

/**
 * Reads all commands of the world and returns the book.
 * @param movable as in `BookContent`
 * @param evaluated forms as they were evaluated, oldest first. A command keeps their case and comments if ACL2 reads
 *   one of them as the command, in package ACL2.
 * @throws HarborError `busy` while an evaluation runs, `image_lost`, `query_failed`
 */
export async function sessionBook(
  session: Session,
  { movable = false, evaluated = [] }: { movable?: boolean; evaluated?: readonly string[] } = {},
): Promise<BookFile> {
  const { name, project } = session.identity;
  const commands = await commandsOf(session);
  const forms = evaluated.filter((text) => /^(?:\s|;.*\n|#\|[\s\S]*?\|#)*\(/.test(text)).slice(-MOST_WRITTEN);
  const written = await session.ability('world').written(forms);
  return bookFile({
    session: name,
    project,
    commands: commands.map((command) => withSource(command, written.get(command.number))),
    movable,
  });
}

/** Names of books may have to change, so that they are not as written. */
function withSource(command: WorldCommand, text: string | undefined): WorldCommand {
  return text === undefined || includedBook(command) !== null ? command : { ...command, text };
}

async function commandsOf(session: Session): Promise<WorldCommand[]> {
  const commands: WorldCommand[] = [];
  for (;;) {
    const last = commands.at(-1);
    const from = last === undefined ? {} : { from: last.number + 1 };
    const page = await session.ability('world').commands({ ...from, limit: PAGE, source: true });
    commands.push(...page.commands);
    if (page.commands.length === 0 || commands.length >= page.total) return commands;
  }
}

/**
 * The input of a book. ACL2 reads a whole book before it evaluates any of it, so commands that define
 * packages go into the separate file that is loaded first (see PORTCULLIS in ACL2's documentation).
 */
interface BookContent {
  /** The name of the session, for the comment. */
  session: string;
  /** The folder to which names of books are relative. */
  project: string;
  commands: readonly WorldCommand[];
  /** Whether books of the project are named relative to it, so that the book works in any folder. */
  movable?: boolean;
}

interface BookFile {
  text: string;
  /** The text of the file that is loaded before certification; null if none is needed. */
  portcullis: string | null;
  /** The number of commands in both files. */
  count: number;
  /** Forms that a book cannot contain. */
  omitted: readonly string[];
}

function bookFile({ session, project, commands: listed, movable = false }: BookContent): BookFile {
  const commands = movable ? listed.map((command) => moved(command, project)) : listed;
  const before = lastNeeded(commands) + 1;
  const below = commands.slice(0, before).filter(mayBeBelow);
  const within = commands.slice(before).filter(({ embeddable }) => embeddable);
  const omitted = commands.filter((command) => !below.includes(command) && !within.includes(command));
  return {
    text: fileText(
      [
        ...aboutBook(session, below.length > 0),
        ...aboutCommands(commands, project),
        ...aboutOmitted(omitted),
      ],
      within,
    ),
    portcullis:
      below.length === 0
        ? null
        : fileText(
            [`What the book of session ${JSON.stringify(session)} needs before it can be read.`],
            below,
          ),
    count: below.length + within.length,
    omitted: omitted.map(({ form }) => form),
  };
}

/**
 * Returns the index of the last command that defines a package used by a form of the book; -1 if there is
 * none.
 */
function lastNeeded(commands: readonly WorldCommand[]): number {
  return commands.findLastIndex(
    ({ packages, embeddable }) =>
      packages.length > 0 &&
      (!embeddable || packages.some((name) => commands.some((command) => names(command, name)))),
  );
}

/** Reports whether the form has a symbol of the package. */
function names({ form }: WorldCommand, packageName: string): boolean {
  return form.includes(`${packageName}::`) || form.includes(`|${packageName}|::`);
}

/** Reports whether the command may be in the portcullis. A DEFPKG must be, since no book can contain it. */
function mayBeBelow({ embeddable, events }: WorldCommand): boolean {
  return embeddable || events.every(({ kind }) => kind === 'DEFPKG');
}

function aboutBook(session: string, hasPortcullis: boolean): string[] {
  return [
    `Session ${JSON.stringify(session)} as a book: its commands in order.`,
    hasPortcullis
      ? 'To certify it, load the file of the same name with .acl2, then (certify-book "name" ? nil).'
      : 'To certify it: (certify-book "name" ? nil).',
  ];
}

function aboutCommands(commands: readonly WorldCommand[], project: string): string[] {
  const relative = commands.some((command) => relativeBook(command) !== null && command.folder === null);
  const events = commands
    .filter((command) => relativeBook(command) === null)
    .flatMap((command) => command.events);
  return [
    ...(relative ? [`Names of books are relative to ${project}.`] : []),
    ...(events.some(({ skipped }) => skipped) ? ['Some proofs were skipped in the session.'] : []),
  ];
}

function aboutOmitted(omitted: readonly WorldCommand[]): string[] {
  if (omitted.length === 0) return [];
  return ['Omitted, because a book cannot contain it:', ...omitted.map(({ form }) => form)];
}

function fileText(about: readonly string[], commands: readonly WorldCommand[]): string {
  const comment = about.map((line) => `;;; ${line.replaceAll(/\s+/g, ' ').trimEnd()}`).join('\n');
  return `${[comment, '(in-package "ACL2")', ...commands.map(sourceOf)].join('\n\n')}\n`;
}

/** Returns the form. A book outside the project is named by its full path. */
function sourceOf(command: WorldCommand): string {
  const { text, folder } = command;
  const book = relativeBook(command);
  if (book === null || folder === null) return text;
  return text.replace(`"${book}"`, () => `"${path.join(folder, book)}"`);
}

/** Returns the relative name of the included book as written; null for other commands. */
function relativeBook(command: WorldCommand): string | null {
  const book = includedBook(command);
  return book === null || book.startsWith('/') ? null : book;
}

/**
 * Returns the name of the included book; null for other commands and for books in a folder named by a
 * keyword.
 */
function includedBook({ form }: WorldCommand): string | null {
  return /^\(INCLUDE-BOOK "((?:[^"\\]|\\.)*)"(?!.*:DIR\b)/s.exec(form)?.[1] ?? null;
}

/** Returns the command with a book of the project named relative to the project. */
function moved(command: WorldCommand, project: string): WorldCommand {
  const { form, text, folder } = command;
  const book = includedBook(command);
  if (book === null) return command;
  const below = path.relative(project, path.resolve(folder ?? project, book));
  if (below.startsWith('..')) return command;
  const named = (source: string) => source.replace(`"${book}"`, () => `"${below}"`);
  return { ...command, form: named(form), text: named(text), folder: null };
}
