/** Decoys outside a project, and checks that they are unchanged. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KEPT, type Place } from './attack';
import { ATTRIBUTE } from './programs/reading';
import { PROTECTED_NAMES } from './programs/repository';
import { HOME_FILES } from './programs/secrets';
import { LISTENERS, OTHER_ADDRESS } from './programs/sockets';
import { called, SETXATTR } from './scripts';
import { startDoomed, startVictim } from './victim';

/** Registers a cleanup. */
export type AtEnd = (end: () => unknown) => void;

/** Targets shared by the attacks of one session. */
type SharedPlace = Omit<Place, 'outside' | 'work'>;

export interface Decoys {
  shared: SharedPlace;
  /** The start folder of an attack, and its own targets. */
  place(index: number): Place;
  /** Whether the attack's own targets are unchanged. */
  untouched(index: number): boolean;
  /** The shared targets that changed. */
  changed(): string[];
}

/** The app if it is already running on these folders. */
export type Live = Pick<Place, 'home' | 'data' | 'project' | 'harbor'>;

/** @param count number of attacks */
export async function placeDecoys(count: number, atEnd: AtEnd, live?: Live): Promise<Decoys> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-attacks-')));
  atEnd(() => rmSync(root, { recursive: true, force: true }));
  const folders = live ?? {
    ...{ home: `${root}/home`, data: `${root}/data`, project: `${root}/project`, harbor: process.pid },
  };
  const files = makeShared(root, folders, live !== undefined);
  const shared = await start(root, folders, atEnd);
  const place = (index: number): Place => ({
    ...shared,
    outside: `${root}/outside/${index}`,
    work: `${folders.project}/code/${index}`,
  });
  const kept = Array.from({ length: count }, (_, index) => makeOwn(place(index)));
  setAttributes(kept);
  const folder = [root, `${root}/victim`, shared.run, `${folders.home}/.ssh`, `${folders.home}/.local/bin`];
  const outside = PROTECTED_NAMES.map((name) => `${folders.project}/${name}`);
  const state = () => [...files.map(contentOf), ...[...folder, ...outside].map(namesIn)];
  const before = state();
  return {
    shared,
    place,
    untouched: (index) =>
      contentOf(`${place(index).outside}/kept`) === KEPT && namesIn(place(index).outside) === 'empty,kept',
    changed() {
      const names = [...files, ...folder, ...outside];
      return state().flatMap((now, index) => (now === before[index] ? [] : (names[index] ?? [])));
    },
  };
}

/** The files that no attack may change. @param isLive whether the data folder is in use */
function makeShared(root: string, { home, data, project }: Live, isLive: boolean): string[] {
  const own = isLive ? [] : ['bridge.secret', 'settings.json', 'history.db'];
  const files = [
    ...HOME_FILES.map((file) => `${home}/${file}`),
    ...[...own, 'sessions/other/home/file'].map((file) => `${data}/${file}`),
    ...['.git/config', '.git/info/exclude', '.git/hooks/post-commit.sample'].map(
      (file) => `${project}/${file}`,
    ),
    ...[`${project}-2/kept`, `${root}/victim/kept`],
  ];
  for (const file of files) make(file, KEPT);
  make(`${home}/.local/bin/decoy`, '#!/bin/sh\necho ESCAPED\n');
  chmodSync(`${home}/.local/bin/decoy`, 0o755);
  make(`${home}/book.lisp`, '(in-package "ACL2")\n');
  symlinkSync('.ssh/id_decoy', `${home}/key`);
  for (const name of PROTECTED_NAMES) mkdirSync(`${project}/${name}`, { recursive: true });
  return files;
}

/** The targets of one attack. */
function makeOwn({ outside, work }: Place): string {
  make(`${outside}/kept`, KEPT);
  mkdirSync(`${outside}/empty`);
  mkdirSync(work, { recursive: true });
  return `${outside}/kept`;
}

function make(file: string, content: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** If the file system has no attributes, attacks on them find nothing. */
function setAttributes(files: readonly string[]): void {
  const code = `${called(SETXATTR, `$_, "${ATTRIBUTE}", "decoy", 5, 0`)} for @ARGV`;
  execFileSync('perl', ['-e', code, ...files]);
}

async function start(root: string, folders: Live, atEnd: AtEnd): Promise<SharedPlace> {
  const [run, abstractSocket] = [`${root}/run`, `${path.basename(root)}-abstract`];
  mkdirSync(run);
  mkdirSync(`${folders.project}/code`, { recursive: true });
  const inProject = [`${folders.project}/socket`, `${folders.project}/code/movable`];
  const sockets = [
    ...[...LISTENERS.map((name) => `${run}/${name}`), `${folders.data}/harbor.sock`],
    ...inProject,
  ];
  for (const socket of [...sockets, `\0${abstractSocket}`]) await listening({ path: socket }, atEnd);
  const port = await listening({ host: '127.0.0.1', port: 0 }, atEnd);
  await listening({ host: OTHER_ADDRESS, port }, atEnd);
  // Without IPv6, attacks through it find nothing.
  await listening({ host: '::1', port }, atEnd).catch(() => null);
  const victim = await startVictim(`${root}/victim`, run, atEnd);
  linkSync(victim.socket, `${folders.project}/datagrams`);
  return { ...folders, run, abstractSocket, port, victim, doomed: startDoomed(atEnd) };
}

/** The port, if it is one. */
async function listening(where: net.ListenOptions, atEnd: AtEnd): Promise<number> {
  const server = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(where, resolve);
  });
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Empty for a missing file. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string {
  try {
    return readdirSync(folder).sort().join();
  } catch {
    return '';
  }
}
