/** Which file each definition goes to. Pure. */
import type { DefinitionChange } from '../../electron/contract/changes';
import type { EngineName } from '../../electron/contract/model';
import { extensionOf } from '../../electron/source/dialect';
import type { FileToWrite } from '../change-actions';
import { nameInProject } from '../parts/format';

/** Each into the file that has a definition of it, and all others into one. Paths are as they are called in the project. */
export function filesToWrite(
  definitions: readonly DefinitionChange[],
  fileOfOthers: string,
  project: string,
): FileToWrite[] {
  const nameOf = (path: string) => nameInProject(path, project);
  const byFile = Map.groupBy(definitions, ({ file }) => nameOf(file?.path ?? fileOfOthers));
  return [...byFile].map(([path, group]) => ({ path, definitions: group }));
}

/** Where others of their package are, else a new file that is called like the session. */
export function suggestedFile(
  definitions: readonly DefinitionChange[],
  known: readonly DefinitionChange[],
  { name, engine }: { name: string; engine: EngineName },
): string {
  const homeless = definitions.find(({ file }) => file === null);
  const beside = known.find((other) => other.file !== null && other.package === homeless?.package);
  if (beside?.file) return beside.file.path;
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'session';
  return `${plain}.${extensionOf(engine)}`;
}
