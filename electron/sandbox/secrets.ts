/**
 * Places that hold secrets of the person at this computer, by system. They are refused inside an allowed folder too,
 * and covered in an image's sandbox. Pure: nothing is looked at.
 */
import path from 'node:path';
import type { Secret } from '../contract/allow-list';

export interface SecretPlaces {
  platform: NodeJS.Platform;
  home: string;
  /** Lisp Harbor's own data. */
  dataFolder: string;
}

/** What is kept where, below the home folder; `/` separates on every system. */
type Places = readonly (readonly [holds: string, ...paths: string[]])[];

const EVERYWHERE: Places = [
  ['SSH keys', '.ssh'],
  ['keys of GnuPG', '.gnupg'],
  ['passwords', '.password-store', '.netrc', '_netrc', '.pgpass', '.my.cnf', '.authinfo', '.authinfo.gpg'],
  ['credentials of cloud services', '.aws', '.azure', '.config/gcloud', '.kube', '.docker', '.config/doctl'],
  ['credentials of Git', '.git-credentials', '.config/git/credentials', '.config/gh', '.config/glab-cli'],
  ['credentials of package registries', '.npmrc', '.yarnrc.yml', '.pypirc', '.gem/credentials'],
  ['credentials of package registries', '.cargo/credentials', '.cargo/credentials.toml'],
  ['passwords of Maven', '.m2/settings.xml', '.m2/settings-security.xml'],
  ['credentials of Leiningen', '.lein/credentials.clj', '.lein/credentials.clj.gpg'],
  ['browser profiles', '.mozilla'],
  ['configurations of MCP clients', '.claude', '.claude.json', '.cursor', '.codex', '.gemini'],
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
  ['configurations of MCP clients', '.config/Claude', '.config/Code/User', '.config/Cursor', '.config/zed'],
];

const MACOS: Places = [
  ['keychains', 'Library/Keychains'],
  ['browser profiles', 'Library/Safari', 'Library/Cookies', 'Library/Containers/com.apple.Safari'],
  ['browser profiles', 'Library/Application Support/Google/Chrome', 'Library/Application Support/Firefox'],
  ['browser profiles', 'Library/Application Support/Chromium', 'Library/Application Support/Microsoft Edge'],
  ['browser profiles', 'Library/Application Support/BraveSoftware', 'Library/Application Support/Arc'],
  ['mail and messages', 'Library/Mail', 'Library/Messages', 'Library/Thunderbird'],
  ['configurations of MCP clients', 'Library/Application Support/Claude'],
  ['configurations of MCP clients', 'Library/Application Support/Code/User', '.config/zed'],
];

const WINDOWS: Places = [
  ['credentials of Windows', 'AppData/Roaming/Microsoft/Credentials', 'AppData/Local/Microsoft/Credentials'],
  ['credentials of Windows', 'AppData/Roaming/Microsoft/Protect', 'AppData/Roaming/Microsoft/Crypto'],
  ['credentials of Windows', 'AppData/Local/Microsoft/Vault', 'AppData/Roaming/gnupg'],
  [
    'browser profiles',
    'AppData/Local/Google/Chrome',
    'AppData/Local/Chromium',
    'AppData/Local/BraveSoftware',
  ],
  ['browser profiles', 'AppData/Local/Microsoft/Edge', 'AppData/Roaming/Mozilla', 'AppData/Local/Mozilla'],
  ['configurations of MCP clients', 'AppData/Roaming/Claude', 'AppData/Roaming/Code/User'],
];

const OF_PLATFORM: Partial<Record<NodeJS.Platform, Places>> = { linux: LINUX, darwin: MACOS, win32: WINDOWS };

/** Outside of the home folder, on every Unix. */
const SYSTEM: readonly (readonly [holds: string, path: string])[] = [
  ['passwords of this computer', '/etc/shadow'],
  ['passwords of this computer', '/etc/gshadow'],
  ['passwords of this computer', '/etc/security/opasswd'],
  ['who may become root', '/etc/sudoers'],
  ['who may become root', '/etc/sudoers.d'],
  ["this computer's own SSH keys", '/etc/ssh'],
  ['private keys of certificates', '/etc/ssl/private'],
];

/** All of them, whether they are there or not; each path as it is written, links not followed. */
export function secretPlaces({ platform, home, dataFolder }: SecretPlaces): Secret[] {
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
