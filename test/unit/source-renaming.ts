/** Renames in texts that are given as files. */
import { dialectOfFile } from '../../electron/source/dialect';
import { read } from '../../electron/source/reader';
import { renameInFiles } from '../../electron/source/rename/rename';
import { changedText, type Renaming, type TextKind } from '../../electron/source/rename/renaming';

export type Files = Record<string, string>;

const NO_PATH = { path: null, also: new Set<TextKind>() };

export function renaming(
  files: Files,
  name: string,
  newName: string,
  more: Partial<typeof NO_PATH | { path: string }> = {},
): Renaming {
  const sources = Object.entries(files).map(([path, text]) => ({
    path,
    source: read(text, dialectOfFile(path) ?? 'clojure'),
  }));
  return renameInFiles(sources, { name, newName, ...NO_PATH, ...more });
}

/** The files as they are then. */
export function results(files: Files, name: string, newName: string, more = {}): Files {
  const { files: done } = renaming(files, name, newName, more);
  return Object.fromEntries(done.map((each) => [each.file.path, changedText(each)]));
}
