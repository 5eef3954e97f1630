/**
 * Two tables of protected paths: secrets of the user, which are refused even inside an allowed folder and
 * hidden in sandboxes; and files that programs outside the sandbox execute, which stay read-only unless the
 * user allows writing. Pure.
 */

import path from 'node:path';
import type { Secret } from '../contract/sandbox';
import { REPOSITORY } from './paths';

interface SecretPathOptions {
  platform: NodeJS.Platform;
  home: string;
  /** Lisp Harbor's own data. */
  dataFolder: string;
}

/** Kinds of secrets and their paths below the home folder, with `/` on every platform. */
type Places = readonly (readonly [holds: string, ...paths: string[]])[];

const EVERYWHERE: Places = [
  ['SSH keys', '.ssh'],
  ['GnuPG keys', '.gnupg'],
  ['passwords', '.password-store', '.netrc', '_netrc', '.pgpass', '.my.cnf', '.authinfo', '.authinfo.gpg'],
  ['credentials of cloud services', '.aws', '.azure', '.config/gcloud', '.kube', '.docker', '.config/doctl'],
  ['Git credentials', '.git-credentials', '.config/git/credentials', '.config/gh', '.config/glab-cli'],
  ['credentials of package registries', '.npmrc', '.yarnrc.yml', '.pypirc', '.gem/credentials'],
  ['credentials of package registries', '.cargo/credentials', '.cargo/credentials.toml'],
  ['Maven passwords', '.m2/settings.xml', '.m2/settings-security.xml'],
  ['Leiningen credentials', '.lein/credentials.clj', '.lein/credentials.clj.gpg'],
  ['browser profiles', '.mozilla'],
  ['MCP client configurations', '.claude', '.claude.json', '.cursor', '.codex', '.gemini'],
];

const LINUX: Places = [
  ['keyrings', '.local/share/keyrings', '.local/share/kwalletd', '.pki'],
  [
    'browser profiles',
    '.config/google-chrome',
    '.config/chromium',
    '.config/BraveSoftware',
    '.config/vivaldi',
  ],
  ['browser profiles', '.config/microsoft-edge', '.config/opera', '.config/mozilla', '.librewolf', '.zen'],
  ['browser profiles', 'snap/firefox', 'snap/chromium', '.var/app/org.mozilla.firefox'],
  ['browser profiles', '.var/app/com.google.Chrome', '.var/app/org.chromium.Chromium'],
  ['mail', '.thunderbird', 'snap/thunderbird'],
  ['MCP client configurations', '.config/Claude', '.config/Code/User', '.config/Cursor', '.config/zed'],
];

const MACOS: Places = [
  ['keychains', 'Library/Keychains'],
  ['browser profiles', 'Library/Safari', 'Library/Cookies', 'Library/Containers/com.apple.Safari'],
  ['browser profiles', 'Library/Application Support/Google/Chrome', 'Library/Application Support/Firefox'],
  ['browser profiles', 'Library/Application Support/Chromium', 'Library/Application Support/Microsoft Edge'],
  ['browser profiles', 'Library/Application Support/BraveSoftware', 'Library/Application Support/Arc'],
  ['mail and messages', 'Library/Mail', 'Library/Messages', 'Library/Thunderbird'],
  ['MCP client configurations', 'Library/Application Support/Claude'],
  ['MCP client configurations', 'Library/Application Support/Code/User', '.config/zed'],
];

const WINDOWS: Places = [
  ['Windows credentials', 'AppData/Roaming/Microsoft/Credentials', 'AppData/Local/Microsoft/Credentials'],
  ['Windows credentials', 'AppData/Roaming/Microsoft/Protect', 'AppData/Roaming/Microsoft/Crypto'],
  ['Windows credentials', 'AppData/Local/Microsoft/Vault', 'AppData/Roaming/gnupg'],
  [
    'browser profiles',
    'AppData/Local/Google/Chrome',
    'AppData/Local/Chromium',
    'AppData/Local/BraveSoftware',
  ],
  ['browser profiles', 'AppData/Local/Microsoft/Edge', 'AppData/Roaming/Mozilla', 'AppData/Local/Mozilla'],
  ['MCP client configurations', 'AppData/Roaming/Claude', 'AppData/Roaming/Code/User'],
];

const OF_PLATFORM: Partial<Record<NodeJS.Platform, Places>> = { linux: LINUX, darwin: MACOS, win32: WINDOWS };

/** Outside the home folder, on every Unix. */
const SYSTEM: readonly (readonly [holds: string, path: string])[] = [
  ['system passwords', '/etc/shadow'],
  ['system passwords', '/etc/gshadow'],
  ['system passwords', '/etc/security/opasswd'],
  ['sudo rules', '/etc/sudoers'],
  ['sudo rules', '/etc/sudoers.d'],
  ["this computer's SSH keys", '/etc/ssh'],
  ['private keys of certificates', '/etc/ssl/private'],
];

/** Returns all secrets, whether they exist or not, without resolving links. */
export function secretPaths({ platform, home, dataFolder }: SecretPathOptions): Secret[] {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  const inHome = [...EVERYWHERE, ...(OF_PLATFORM[platform] ?? LINUX)].flatMap(([holds, ...paths]) =>
    paths.map((each) => ({ path: join(home, ...each.split('/')), holds, isSealed: false })),
  );
  const ofSystem = SYSTEM.map(([holds, each]) => ({ path: each, holds, isSealed: false }));
  return [
    { path: dataFolder, holds: "Lisp Harbor's own data", isSealed: true },
    ...inHome,
    ...(platform === 'win32' ? [] : ofSystem),
  ];
}

type ProtectedEntry = readonly [reason: string, ...names: string[]];

/**
 * Paths that other programs execute without an explicit user action: Git, editors, agents, direnv, CI.
 * Relative to a folder; `/` separates. Files that users run on purpose, such as a Makefile, are not included.
 */
const TABLE: readonly ProtectedEntry[] = [
  ['Git runs its hooks and settings outside the sandbox', REPOSITORY],
  ['Git hooks run outside the sandbox when you commit', '.husky', '.githooks'],
  ['direnv runs it outside the sandbox when your shell enters the folder', '.envrc'],
  [
    'your editor executes it outside the sandbox when it opens the folder',
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
    'agents take commands and servers from it, which run outside the sandbox',
    ...['.claude', '.mcp.json', '.cursor', '.codex', '.gemini'],
  ],
  ['its programs run outside the sandbox under common names', 'node_modules/.bin'],
  ['Leiningen runs what it names outside the sandbox', '.lein'],
  [
    'a CI server runs it with your keys after you push it',
    ...['.github/workflows', '.github/actions', '.gitlab-ci.yml', '.circleci'],
  ],
];

interface RunsOutside {
  /** Relative to the given folder; `/` separates. */
  place: string;
  /** Why it is read-only. */
  reason: string;
}

/** All of them, at the top of a folder. */
export const RUNS_OUTSIDE: readonly RunsOutside[] = TABLE.flatMap(([reason, ...names]) =>
  names.map((place) => ({ place, reason })),
);

/** The gap that every Linux launcher leaves, as a phrase for the user. */
export const RUNS_OUTSIDE_GAP =
  'in subfolders of the project, and at protected paths that did not exist at the start, code can create files that programs outside the sandbox execute, such as a .git or an .envrc, and it can write to a .git that replaced another one at run time: inspect new folders before you use Git there';

/**
 * Returns the protected path that the file is, or is inside of, at any depth; null if there is none.
 * @param file its path relative to a folder
 */
export function protectedPathOf(file: string): RunsOutside | null {
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
