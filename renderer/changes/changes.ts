/** Logic of the changes views: start of the shown period, groups by file, and target files. */

import type { ChangesSince, CheckpointView, DefinitionChange } from '../../electron/contract/changes';
import type { EngineName } from '../../electron/contract/model';
import { extensionOf } from '../../electron/source/dialect';
import type { Words } from '../../electron/words/words';
import type { FileToWrite } from '../actions';
import type { Option } from '../parts/field';
import { nameInProject } from '../parts/format';

const HOUR_MS = 3_600_000;

/** The choice for sessions whose user has chosen nothing. */
export const BEGINNING = 'beginning';

/** Parses a saved choice: `beginning`, `hour`, or `checkpoint 12`. */
export function sinceOf(choice: string, now: number): ChangesSince {
  if (choice === 'hour') return { is: 'time', at: now - HOUR_MS };
  const [, id] = /^checkpoint (\d+)$/.exec(choice) ?? [];
  return id === undefined ? { is: 'beginning' } : { is: 'checkpoint', id: Number(id) };
}

/** @param checkpoints of the session, newest first */
export function sinceOptions(
  startedAt: number,
  checkpoints: readonly Pick<CheckpointView, 'id' | 'name' | 'savedAt'>[],
  now: number,
  { changes, formats }: Words,
): Option<string>[] {
  return [
    { value: BEGINNING, title: changes.sinceOpened(formats.relative(startedAt, now)) },
    { value: 'hour', title: changes.sinceHour },
    ...checkpoints.map(({ id, name, savedAt }) => ({
      value: `checkpoint ${id}`,
      title: changes.sinceCheckpoint(name, formats.relative(savedAt, now)),
    })),
  ];
}

/** Definitions grouped by file. */
interface DefinitionGroup {
  /** Null for definitions without a file. */
  file: string | null;
  definitions: DefinitionChange[];
}

/** Returns the items whose title contains `part`. @param part '' for all */
export function withTitle<Titled extends { title: string }>(
  definitions: readonly Titled[],
  part: string,
): Titled[] {
  const wanted = part.trim().toLowerCase();
  return definitions.filter(({ title }) => title.toLowerCase().includes(wanted));
}

/**
 * Groups definitions by file and sorts each group by name; definitions without a file come first. @param part
 * of the title; '' for all
 */
export function definitionGroups(definitions: readonly DefinitionChange[], part: string): DefinitionGroup[] {
  const byFile = Map.groupBy(withTitle(definitions, part), ({ file }) => file?.path ?? null);
  return [...byFile]
    .map(([file, group]) => ({
      file,
      definitions: group.sort((one, other) => (one.name < other.name ? -1 : 1)),
    }))
    .sort((one, other) => ((one.file ?? '') < (other.file ?? '') ? -1 : 1));
}

/**
 * Assigns each definition to the file that contains it, and all others to one file. Paths are relative to the
 * project.
 */
export function filesToWrite(
  definitions: readonly DefinitionChange[],
  fileOfOthers: string,
  project: string,
): FileToWrite[] {
  const nameOf = (path: string) => nameInProject(path, project);
  const byFile = Map.groupBy(definitions, ({ file }) => nameOf(file?.path ?? fileOfOthers));
  return [...byFile].map(([path, group]) => ({ path, definitions: group }));
}

/** Suggests the file of another definition in the same package, else a new file named after the session. */
export function suggestedFile(
  definitions: readonly DefinitionChange[],
  known: readonly DefinitionChange[],
  { name, engine }: { name: string; engine: EngineName },
): string {
  const homeless = definitions.find(({ file }) => file === null);
  const neighbor = known.find((other) => other.file !== null && other.package === homeless?.package);
  if (neighbor?.file) return neighbor.file.path;
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'session';
  return `${plain}.${extensionOf(engine)}`;
}
