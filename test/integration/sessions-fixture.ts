/** The harbor's sessions without its endpoints: real SBCL images, a real history, folders that are gone after the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Limits } from '../../electron/contract/model';
import { History } from '../../electron/history/history';
import type { Log } from '../../electron/host/log';
import { Engines } from '../../electron/images/discovery';
import { LocalLauncher } from '../../electron/launchers/local';
import { machineMemory } from '../../electron/launchers/machine-memory';
import { Projects } from '../../electron/sandbox/projects';
import { Memory } from '../../electron/sessions/memory';
import { Checkpoints } from '../../electron/sessions/recovery/checkpoints';
import type { Session } from '../../electron/sessions/session/session';
import { SessionFolders } from '../../electron/sessions/session-folders';
import { Sessions, type SessionsOptions } from '../../electron/sessions/sessions';
import { ROOT } from '../started-harbor';
import { engine } from './sbcl-fixture';

export interface SessionsFixture {
  sessions: Sessions;
  history: History;
  /** A folder that is approved, below it whatever a test makes. */
  project: string;
  /** Where each session has its folder. */
  folders: string;
  checkpoints: Checkpoints;
  /** Where the files of checkpoints are. */
  checkpointFiles: string;
  /** What the log was told. */
  told: string[];
  open(project?: string): Promise<Session>;
}

export interface SessionsFixtureOptions {
  limits?: Limits;
  /** Off unless a test is about it: then sessions alone have images and folders. */
  keepReady?: boolean;
  /** In place of those that the fixture makes. */
  instead?: Partial<SessionsOptions>;
  /** Where the files lie that tell of the machine's memory. */
  machine?: string;
}

/** @param atEnd takes what gives everything back; by default it is done when the test ends */
export function sessionsFixture(
  options: SessionsFixtureOptions = {},
  atEnd: (giveBack: () => Promise<void>) => void = onTestFinished,
): SessionsFixture {
  const root = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-sessions-'));
  const project = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-project-'));
  const history = new History(`${root}/history.db`, pathToFileURL(`${ROOT}/out/electron/search-worker.js`));
  const folders = `${root}/sessions`;
  const told: string[] = [];
  const tell = (message: string) => void told.push(message);
  const log: Log = { debug: tell, info: tell, warn: tell, error: tell };
  const projects = new Projects({
    approved: () => [project],
    home: '/nowhere',
    dataFolder: root,
    temporaryFolders: [tmpdir()],
  });
  const sessions = new Sessions({
    engines: new Engines([engine()], () => undefined),
    launcher: new LocalLauncher('a test'),
    history,
    folders: new SessionFolders(folders),
    confine: (project) => ({ writable: [project], readable: [], network: false }),
    checkProject: (folder) => projects.check(folder),
    limits: () => options.limits ?? { heapMiB: null, cpuSeconds: null, outputChars: null },
    memory: new Memory({ read: () => machineMemory(options.machine), reserveMiB: () => 0 }),
    keepReady: () => options.keepReady ?? false,
    comeBack: true,
    locateServer: async (server) => server,
    acceptedUnsandboxed: () => [],
    guard: () => () => null,
    log,
    ...options.instead,
  });
  const checkpointFiles = `${root}/checkpoints`;
  const checkpoints = new Checkpoints({ sessions, rows: history.checkpoints, folder: checkpointFiles, log });
  atEnd(async () => {
    await sessions.closeAll();
    await history.close();
    for (const folder of [root, project]) rmSync(folder, { recursive: true, force: true });
  });
  const open = (folder = project) => sessions.open({ client: 'tester', project: folder });
  return { sessions, history, project, folders, checkpoints, checkpointFiles, told, open };
}

/** Evaluates as a client's `eval` would. */
export function evaluate(session: Session, code: string) {
  return session.evaluate({ client: 'tester', grant: null, kind: 'eval', code });
}

/** The pid of the session's process. */
export async function pidOf(session: Session): Promise<number> {
  await session.refreshUsage();
  const { pid } = session.view();
  if (pid === null) throw new Error('The session has no process.');
  return pid;
}
