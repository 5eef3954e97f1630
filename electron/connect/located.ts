/** Where a program keeps its file on this computer. */
import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HarborError } from '../contract/errors';
import {
  type ClientProgram,
  type ComputerFacts,
  type ConfigKind,
  joinOf,
  type Place,
  packagesFolder,
} from './programs/client-program';

export interface Located {
  kind: ConfigKind;
  place: Place;
  /** Something of the program is there. */
  evident: boolean;
}

/**
 * @param project the folder for which alone it is meant; undefined: for all of this user's
 * @throws HarborError `not_supported` for a program without such a file
 */
export async function located(
  program: ClientProgram,
  environment: Omit<ComputerFacts, 'packages'>,
  project: string | undefined,
): Promise<Located> {
  if (project !== undefined) return inProject(program, environment, project);
  const packages = environment.platform === 'win32' ? await foldersIn(packagesFolder(environment)) : [];
  const places = program.places?.({ ...environment, packages });
  if (!places)
    throw new HarborError(
      'not_supported',
      `${program.title} keeps its servers where no other program writes. ${program.afterwards}`,
    );
  for (const place of [...places.special, places.usual])
    if (await isEvident(place)) return { kind: program, place, evident: true };
  return { kind: program, place: places.usual, evident: false };
}

async function inProject(
  program: ClientProgram,
  environment: Pick<ComputerFacts, 'platform'>,
  folder: string,
): Promise<Located> {
  const { project, title } = program;
  if (!project)
    throw new HarborError('not_supported', `${title} has no file for a single project that is known here.`);
  const file = joinOf(environment)(folder, ...project.file.split('/'));
  return { kind: project, place: { file, evidence: [folder] }, evident: true };
}

async function isEvident(place: Place): Promise<boolean> {
  const found = await Promise.all(
    place.evidence.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** Names, the one last changed first; none where there is no such folder. */
async function foldersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      changed: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  return dated.sort((a, b) => b.changed - a.changed).map(({ name }) => name);
}
