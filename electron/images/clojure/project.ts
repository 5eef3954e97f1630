/** What a Clojure project adds to the classpath without asking its build tool: its own source folders. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Where sources are by the custom of all build tools. */
const USUAL = ['src', 'test', 'resources'];

/** Files that say what a project depends on, with their build tool. */
const BUILD_FILES = { 'deps.edn': 'deps.edn', 'project.clj': 'Leiningen', 'shadow-cljs.edn': 'shadow-cljs' };

export interface ClojureProject {
  /** Folders, absolute. */
  sources: string[];
  /** What the person should know of what is not on the classpath; null where there is nothing. */
  note: string | null;
}

export async function clojureProject(folder: string): Promise<ClojureProject> {
  const settings = await readFile(path.join(folder, 'deps.edn'), 'utf8').catch(() => '');
  const named = /:paths\s*\[([^\]]*)\]/.exec(settings)?.[1]?.match(/"[^"]+"/g) ?? [];
  const names = new Set([...named.map((text) => text.slice(1, -1)), ...USUAL]);
  const sources = await Promise.all([...names].map((name) => folderAt(path.join(folder, name))));
  return { sources: sources.filter((source) => source !== null), note: await noteOf(folder) };
}

async function noteOf(folder: string): Promise<string | null> {
  for (const [file, tool] of Object.entries(BUILD_FILES))
    if (await stat(path.join(folder, file)).catch(() => null))
      return `The classpath has this project's source folders, and not the dependencies that ${file} names: start an nREPL with ${tool} and attach to it for those.`;
  return null;
}

async function folderAt(folder: string): Promise<string | null> {
  return (await stat(folder).catch(() => null))?.isDirectory() ? folder : null;
}
