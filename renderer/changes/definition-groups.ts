/** Definitions by the files that have them. Pure. */
import type { DefinitionChange } from '../../electron/contract/changes';

export interface DefinitionGroup {
  /** null: no file has them. */
  file: string | null;
  definitions: DefinitionChange[];
}

/** Those with this in their titles. @param part '' for all */
export function withTitle<Titled extends { title: string }>(
  definitions: readonly Titled[],
  part: string,
): Titled[] {
  const wanted = part.trim().toLowerCase();
  return definitions.filter(({ title }) => title.toLowerCase().includes(wanted));
}

/** Those in no file first, each group by name. @param part of the title; '' for all */
export function definitionGroups(definitions: readonly DefinitionChange[], part: string): DefinitionGroup[] {
  const byFile = Map.groupBy(withTitle(definitions, part), ({ file }) => file?.path ?? null);
  return [...byFile]
    .map(([file, group]) => ({
      file,
      definitions: group.sort((one, other) => (one.name < other.name ? -1 : 1)),
    }))
    .sort((one, other) => ((one.file ?? '') < (other.file ?? '') ? -1 : 1));
}
