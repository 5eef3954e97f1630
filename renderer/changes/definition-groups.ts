/** Definitions by the files that have them. Pure. */
import type { DefinitionChange } from '../../electron/contract/changes';

export interface DefinitionGroup {
  /** null: no file has them. */
  file: string | null;
  definitions: DefinitionChange[];
}

/** Those in no file first, each group by name. @param part of the title; '' for all */
export function definitionGroups(definitions: readonly DefinitionChange[], part: string): DefinitionGroup[] {
  const wanted = part.trim().toLowerCase();
  const found = definitions.filter(({ title }) => title.toLowerCase().includes(wanted));
  const byFile = Map.groupBy(found, ({ file }) => file?.path ?? null);
  return [...byFile]
    .map(([file, group]) => ({
      file,
      definitions: group.sort((one, other) => (one.name < other.name ? -1 : 1)),
    }))
    .sort((one, other) => ((one.file ?? '') < (other.file ?? '') ? -1 : 1));
}
