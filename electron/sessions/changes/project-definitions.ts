/** What files define: those of a project, of the names that are asked for, and one alone. */
import type { DefinitionInFile } from '../../contract/changes';
import { definedForms } from '../../source/defined-forms';
import { type Dialect, dialectOfFile } from '../../source/dialect';
import type { GuardedFiles } from '../../source/files';
import { Positions } from '../../source/positions';
import { read } from '../../source/reader';
import { filesAt } from '../../source/search';
import { LARGEST_FILE, textOf } from '../../source/text-file';

/** A definition as a file has it. The path is the real one; lines count from 1. */
export interface FileDefinition {
  path: string;
  line: number;
  title: string;
  name: string;
  package: string;
  code: string;
}

interface Wanted {
  project: string;
  dialect: Dialect;
  /** Without packages. */
  names: ReadonlySet<string>;
  signal: AbortSignal;
}

/** By their keys; of several under one key the first counts. */
export type DefinitionsByKey = Map<string, FileDefinition>;

export async function projectDefinitions(files: GuardedFiles, wanted: Wanted): Promise<DefinitionsByKey> {
  const found: DefinitionsByKey = new Map();
  const { project, dialect, signal } = wanted;
  const place = {
    ...{ path: '.', signal, caller: { client: '', tool: '' } },
    isWanted: (name: string) => dialectOfFile(name) === dialect,
  };
  for await (const { path, bytes } of filesAt(files, project, place, []))
    addDefinitions(found, path, bytes, wanted);
  return found;
}

export function addDefinitions(
  found: DefinitionsByKey,
  path: string,
  bytes: Uint8Array,
  { dialect, names }: Pick<Wanted, 'dialect' | 'names'>,
): void {
  const text = sourceIn(bytes);
  if (text === null || !mentions(text, names)) return;
  const positions = new Positions(text);
  for (const form of definedForms(read(text, dialect))) {
    const { key, title, name, package: here, code, start } = form;
    if (form.isDefiner && names.has(name) && !found.has(key))
      found.set(key, { path, line: positions.line(start), title, name, package: here, code });
  }
}

/** All that a file defines, in its order; nothing of what is no text, or too large. */
export function definitionsIn(bytes: Uint8Array, dialect: Dialect): DefinitionInFile[] {
  const text = sourceIn(bytes);
  if (text === null) return [];
  const positions = new Positions(text);
  return definedForms(read(text, dialect))
    .filter(({ isDefiner }) => isDefiner)
    .map(({ title, name, package: here, start }) => ({
      ...{ title, name, package: here },
      line: positions.line(start),
    }));
}

/** null for what is no text, or too large. */
function sourceIn(bytes: Uint8Array): string | null {
  return bytes.length > LARGEST_FILE ? null : (textOf(bytes)?.text ?? null);
}

/** Reading forms takes long; most files have none of the names. */
function mentions(text: string, names: ReadonlySet<string>): boolean {
  const small = text.toLowerCase();
  return [...names].some((name) => small.includes((name.split(/[\s()]+/).at(-2) ?? name).toLowerCase()));
}
