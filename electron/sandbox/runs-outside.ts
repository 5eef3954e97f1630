/**
 * What runs outside of the sandbox by itself: as soon as the person uses Git, enters a folder, opens it in an editor or asks
 * an agent there. So code and clients may read it, and do not write it unless a person says so. Pure.
 */
import { REPOSITORY } from './project-rules';

type Kept = readonly [reason: string, ...names: string[]];

/** Relative to a folder; `/` separates. What the person runs on purpose, such as a Makefile, is not among them. */
const TABLE: readonly Kept[] = [
  ['Git’s own: hooks and settings in it run outside of the sandbox when you use Git', REPOSITORY],
  ['hooks of Git run outside of the sandbox when you commit', '.husky', '.githooks'],
  ['direnv runs it outside of the sandbox when your shell enters the folder', '.envrc'],
  [
    'your editor obeys it, outside of the sandbox, when it opens the folder',
    ...[
      '.vscode',
      '.idea',
      '.zed',
      '.devcontainer',
      '.dir-locals.el',
      '.dir-locals-2.el',
      '.exrc',
      '.nvim.lua',
    ],
  ],
  [
    'agents take commands and servers from it, which run outside of the sandbox',
    ...['.claude', '.mcp.json', '.cursor', '.codex', '.gemini'],
  ],
  ['programs in it run outside of the sandbox under the names of others', 'node_modules/.bin'],
  ['Leiningen runs what it names, outside of the sandbox', '.lein'],
  [
    'a server runs it with your keys once you have pushed it',
    ...['.github/workflows', '.github/actions', '.gitlab-ci.yml', '.circleci'],
  ],
];

export interface RunsOutside {
  /** Relative to the folder that was asked about; `/` separates. */
  place: string;
  /** Why it may be read only. */
  reason: string;
}

/** All of them, at the top of a folder. */
export const RUNS_OUTSIDE: readonly RunsOutside[] = TABLE.flatMap(([reason, ...names]) =>
  names.map((place) => ({ place, reason })),
);

/** What no launcher of Linux holds, for people. */
export const RUNS_OUTSIDE_GAP =
  'in folders below the project, and where there was none, code can make files that programs outside obey, such as a .git or an .envrc, and write to a .git that took the place of another while it ran: look before you use Git in a folder that is new';

/** The one that a file is, or lies in, at whatever depth; null for none. @param file its path relative to a folder */
export function placeThatRuns(file: string): RunsOutside | null {
  const segments = file.split(/[\\/]/);
  const folded = segments.map((segment) => segment.normalize('NFKC').toLowerCase());
  for (const from of segments.keys()) {
    const found = RUNS_OUTSIDE.find(({ place }) =>
      place.split('/').every((name, index) => folded[from + index] === name),
    );
    if (found) {
      const end = from + found.place.split('/').length;
      return { ...found, place: segments.slice(0, end).join('/') };
    }
  }
  return null;
}
