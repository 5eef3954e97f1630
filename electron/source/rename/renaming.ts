/** What a symbol is renamed in, and what comes of it: places in texts, so that everything else keeps its bytes. */
import { HarborError } from '../../contract/errors';
import { Positions } from '../positions';
import type { Source } from '../reader';

export interface SourceFile {
  /** As it is shown. */
  path: string;
  source: Source;
}

export const ALSO = ['comments', 'strings', 'keywords'] as const;
export type Also = (typeof ALSO)[number];

export interface RenameRequest {
  /** The symbol, with or without its package or namespace. */
  name: string;
  newName: string;
  /** The file in which a name without a package is understood; null: any that has one of that name. */
  path: string | null;
  also: ReadonlySet<Also>;
}

export interface Change {
  start: number;
  end: number;
  put: string;
}

/** Something that looks alike and stays as it is. `kind` says what it is instead. */
export interface Left {
  kind: string;
  start: number;
}

export interface FileRenaming {
  file: SourceFile;
  changes: Change[];
  left: Left[];
}

export interface Renaming {
  /** In full: `shop:price`, `shop.core/price`. */
  symbol: string;
  files: FileRenaming[];
  notes: string[];
}

/** The text with all changes in it. */
export function changedText({ file: { source }, changes }: FileRenaming): string {
  let [text, at] = ['', 0];
  for (const { start, end, put } of changes.toSorted((one, other) => one.start - other.start)) {
    text += source.text.slice(at, start) + put;
    at = end;
  }
  return text + source.text.slice(at);
}

/** A place as refusals name it. */
export function placeText({ path, source }: SourceFile, offset: number): string {
  return `${path}:${new Positions(source.text).line(offset)}`;
}

export function refusal(message: string): HarborError {
  return new HarborError('bad_arguments', message);
}

/** Names of one kind: the first few, and how many more. */
export function fewOf(names: readonly string[], shown = 5): string {
  const more = names.length - shown;
  return `${names.slice(0, shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
