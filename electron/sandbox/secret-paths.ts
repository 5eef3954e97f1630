/** Secrets of the user, which are refused even inside an allowed folder and hidden in sandboxes. Pure. */

import path from 'node:path';
import type { Secret } from '../contract/sandbox';
import { isWithin } from './paths';

interface SecretPathOptions {
  platform: NodeJS.Platform;
  home: string;
  /** Lisp Harbor's own data. */
  dataFolder: string;
  /** The files in which this user's MCP clients keep their servers. */
  clientFiles: readonly string[];
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
export function secretPaths({ platform, home, dataFolder, clientFiles }: SecretPathOptions): Secret[] {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  const inHome = [...EVERYWHERE, ...(OF_PLATFORM[platform] ?? LINUX)].flatMap(([holds, ...paths]) =>
    paths.map((each) => ({ path: join(home, ...each.split('/')), holds, isSealed: false })),
  );
  const ofClients = clientFiles
    .filter((file) => !inHome.some(({ path: at }) => isWithin(file, at, platform)))
    .map((file) => ({ path: file, holds: 'MCP client configurations', isSealed: false }));
  const ofSystem = SYSTEM.map(([holds, each]) => ({ path: each, holds, isSealed: false }));
  return [
    { path: dataFolder, holds: "Lisp Harbor's own data", isSealed: true },
    ...inHome,
    ...ofClients,
    ...(platform === 'win32' ? [] : ofSystem),
  ];
}
