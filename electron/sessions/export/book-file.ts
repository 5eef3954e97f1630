/**
 * The text of an ACL2 book with the commands of a world. ACL2 reads a whole book before it evaluates any of it, so what
 * makes packages known goes into the file beside it that is loaded first (its documentation, PORTCULLIS). Pure.
 */
import path from 'node:path';
import type { WorldCommand } from '../../contract/world';

export interface BookContent {
  /** The name of the session, for the reader. */
  session: string;
  /** Where names of books are relative to. */
  project: string;
  commands: readonly WorldCommand[];
  /** Whether books of the project are named relative to it wherever that is. */
  movable?: boolean;
}

export interface BookFile {
  text: string;
  /** What has to be loaded before the book is certified; null where nothing has to. */
  portcullis: string | null;
  /** How many commands both files hold. */
  count: number;
  /** Forms of those that no book may hold. */
  left: readonly string[];
}

export function bookFile({ session, project, commands: told, movable = false }: BookContent): BookFile {
  const commands = movable ? told.map((command) => moved(command, project)) : told;
  const before = lastNeeded(commands) + 1;
  const below = commands.slice(0, before).filter(mayBeBelow);
  const within = commands.slice(before).filter(({ embeddable }) => embeddable);
  const left = commands.filter((command) => !below.includes(command) && !within.includes(command));
  return {
    text: fileText(
      [...aboutBook(session, below.length > 0), ...aboutCommands(commands, project), ...aboutLeft(left)],
      within,
    ),
    portcullis:
      below.length === 0
        ? null
        : fileText(
            [`What the book of the session ${JSON.stringify(session)} needs before it can be read.`],
            below,
          ),
    count: below.length + within.length,
    left: left.map(({ form }) => form),
  };
}

/** The index of the last command that makes a package known which a form of the book is written with; -1 for none. */
function lastNeeded(commands: readonly WorldCommand[]): number {
  return commands.findLastIndex(
    ({ packages, embeddable }) =>
      packages.length > 0 &&
      (!embeddable || packages.some((name) => commands.some((command) => names(command, name)))),
  );
}

/** Whether the form has a symbol of the package. */
function names({ form }: WorldCommand, packageName: string): boolean {
  return form.includes(`${packageName}::`) || form.includes(`|${packageName}|::`);
}

/** A DEFPKG stands in no book, and is just what goes below one. */
function mayBeBelow({ embeddable, events }: WorldCommand): boolean {
  return embeddable || events.every(({ kind }) => kind === 'DEFPKG');
}

function aboutBook(session: string, hasPortcullis: boolean): string[] {
  return [
    `The session ${JSON.stringify(session)} as a book: its commands in their order.`,
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
    ...(events.some(({ skipped }) => skipped) ? ['In the session some of its proofs were skipped.'] : []),
  ];
}

function aboutLeft(left: readonly WorldCommand[]): string[] {
  if (left.length === 0) return [];
  return ['Left out, because no book may hold them:', ...left.map(({ form }) => form)];
}

function fileText(about: readonly string[], commands: readonly WorldCommand[]): string {
  const comment = about.map((line) => `;;; ${line.replaceAll(/\s+/g, ' ').trimEnd()}`).join('\n');
  return `${[comment, '(in-package "ACL2")', ...commands.map(sourceOf)].join('\n\n')}\n`;
}

/** A book that is not relative to the project is named in full. */
function sourceOf(command: WorldCommand): string {
  const { text, folder } = command;
  const book = relativeBook(command);
  if (book === null || folder === null) return text;
  return text.replace(`"${book}"`, () => `"${path.join(folder, book)}"`);
}

/** The relative name of the book that the command includes, as it is written; null for other commands. */
function relativeBook(command: WorldCommand): string | null {
  const book = includedBook(command);
  return book === null || book.startsWith('/') ? null : book;
}

/** The name of the book that the command includes, unless it is in a folder that a keyword names; null for other commands. */
function includedBook({ form }: WorldCommand): string | null {
  return /^\(INCLUDE-BOOK "((?:[^"\\]|\\.)*)"(?!.*:DIR\b)/s.exec(form)?.[1] ?? null;
}

/** With a book of the project named relative to it. */
function moved(command: WorldCommand, project: string): WorldCommand {
  const { form, text, folder } = command;
  const book = includedBook(command);
  if (book === null) return command;
  const below = path.relative(project, path.resolve(folder ?? project, book));
  if (below.startsWith('..')) return command;
  const named = (source: string) => source.replace(`"${book}"`, () => `"${below}"`);
  return { ...command, form: named(form), text: named(text), folder: null };
}
