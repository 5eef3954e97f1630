/** What a JVM loads to become an image: the project's entries on the class path, Clojure and nREPL, and what was compiled ahead. */
import type { Build, Builds } from '../agent/builds';
import { classData, usingClassData } from './class-data';
import { compiling, hasSameNamespaces, mayBringOtherCode } from './compiled';
import type { ClojureInstallation } from './installation';

export interface Code {
  classPath: readonly string[];
  /** Options of the JVM. */
  options: readonly string[];
  /** What must be readable beside the project's entries. */
  needs: readonly string[];
  /** What was compiled ahead is there. */
  isCompiled: boolean;
  /** Class data that later images are to have. */
  lacking: Build | null;
}

/**
 * @param entries those of the project
 * @param sources folder of our own Clojure files
 * @param tell hears when there is something to wait for
 */
export async function codeOf(
  installation: ClojureInstallation,
  entries: readonly string[],
  sources: string,
  builds: Builds,
  tell: (doing: string) => void,
): Promise<Code> {
  const { archives } = installation;
  const none = { options: [], isCompiled: false, lacking: null };
  if (await mayBringOtherCode(entries))
    return { ...none, classPath: [...entries, ...archives], needs: archives };
  const compiled = await builds.get(compiling(installation, sources), tell);
  const needs = [compiled, ...archives];
  const code = { ...none, needs, isCompiled: true };
  const haveSame = await Promise.all(entries.map(hasSameNamespaces));
  // What a folder has of them is to be found before ours, and class data is only of use to what is found first.
  if (haveSame.includes(true)) return { ...code, classPath: [...entries, ...needs] };
  const classPath = [...needs, ...entries];
  const build = classData(installation, sources, compiled);
  const data = await builds.find(build);
  if (data === undefined) return { ...code, classPath, lacking: build };
  return { ...code, classPath, options: usingClassData(data), needs: [data, ...needs] };
}
