/** Decoys outside of a project, sessions confined as the harbor confines them, and what became of the attempts. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Engines } from '../../electron/images/discovery';
import type { Engine } from '../../electron/images/image';
import type { Launcher } from '../../electron/launchers/launcher';
import { AllowList } from '../../electron/sandbox/allow-list';
import type { Session } from '../../electron/sessions/session/session';
import { sessionsFixture } from '../integration/sessions-fixture';
import { type Attempt, attempts, type EscapePlace } from './escape-attempts';

export interface Escapes {
  place: EscapePlace;
  list: AllowList;
  attempts: readonly Attempt[];
  /** Whether the decoys are as they were, and nothing is beside them. */
  untouched(): boolean;
}

/** @param atEnd takes what gives everything back */
export async function escapePlace(atEnd: (end: () => unknown) => void): Promise<Escapes> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-escapes-')));
  atEnd(() => rmSync(root, { recursive: true, force: true }));
  const at = (...parts: string[]) => path.join(root, ...parts);
  const files = {
    'outside/kept': 'kept\n',
    'home/.ssh/id_decoy': 'decoy',
    'home/.bashrc': 'decoy',
    'data/bridge.secret': 'decoy',
    'data/settings.json': '{}',
    'data/sessions/other/home/file': 'decoy',
    'project/code/own.lisp': '(own)',
    'project/.git/config': 'kept\n',
    'project/.git/hooks/post-commit.sample': 'decoy',
  };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), content);
  }
  const place: EscapePlace = {
    ...{ outside: at('outside'), home: at('home'), data: at('data') },
    ...{ project: at('project'), work: at('project/code') },
    victim: await victim(atEnd),
    port: await listening(atEnd, { host: '127.0.0.1', port: 0 }),
    abstractSocket: `lisp-harbor-escapes-${process.pid}`,
    socket: at('outside/socket'),
  };
  await listening(atEnd, { path: `\0${place.abstractSocket}` });
  await listening(atEnd, { path: place.socket });
  const list = new AllowList({
    ...{ entries: () => [], withoutDefaults: () => [], libraries: () => [], networkProjects: () => [] },
    ...{ home: place.home, dataFolder: place.data, temporaryFolders: [tmpdir()] },
  });
  const untouched = () =>
    Object.entries(files).every(([file, content]) => readFileSync(at(file), 'utf8') === content) &&
    readdirSync(place.outside).sort().join() === 'kept,socket' &&
    readdirSync(`${place.project}/.git/hooks`).join() === 'post-commit.sample';
  return { place, list, attempts: attempts(place), untouched };
}

/** A session of the engine in the project of the place. */
export function confinedSession(
  engine: Engine,
  launcher: Launcher,
  { place, list }: Escapes,
  atEnd: (end: () => Promise<void>) => void,
): Promise<Session> {
  const instead = {
    ...{ launcher, engines: new Engines([engine], () => engine.name) },
    ...{ confine: (project: string) => list.confinement(project), checkProject: () => undefined },
  };
  return sessionsFixture({ instead }, atEnd).open(place.project);
}

/** Writes the attempt's script where it begins; `code` is told its path. Answers what the script said. */
export async function tried(
  session: Session,
  { script }: Attempt,
  { work }: EscapePlace,
  code: (file: string) => string,
): Promise<string> {
  const [file, said] = [path.join(work, 'attempt.sh'), path.join(work, 'said')];
  writeFileSync(file, `cd ${work}\n{\n${script}\n} > ${said} 2>&1 < /dev/null\necho over >> ${said}\n`);
  await session.evaluate({ client: 'agent', kind: 'eval', code: code(file) }).settled;
  const text = readFileSync(said, 'utf8');
  rmSync(said);
  return text;
}

/** A process that waits until it is ended. */
async function victim(atEnd: (end: () => unknown) => void): Promise<number> {
  const child: ChildProcess = spawn('sleep', ['3600'], { stdio: 'ignore' });
  atEnd(() => child.kill('SIGKILL'));
  if (child.pid === undefined) throw new Error('There is no sleep to start.');
  return child.pid;
}

async function listening(atEnd: (end: () => unknown) => void, where: net.ListenOptions): Promise<number> {
  const server = net.createServer((socket) => socket.destroy()).listen(where);
  await new Promise((resolve) => server.once('listening', resolve));
  atEnd(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
