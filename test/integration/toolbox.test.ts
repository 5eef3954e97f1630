/** The toolbox over real services, without endpoints: what changes while a connection lasts, and a harbor without engines. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client, Scope } from '../../electron/contract/model';
import { History } from '../../electron/history/history';
import { createLog } from '../../electron/host/log';
import { Engines } from '../../electron/images/discovery';
import type { Engine } from '../../electron/images/image';
import { NbbEngine } from '../../electron/images/nbb/engine';
import { LocalLauncher } from '../../electron/launchers/local';
import { machineMemory } from '../../electron/launchers/machine-memory';
import { FileGuard } from '../../electron/sandbox/guarded-files';
import { NamedContainers, NamedServers } from '../../electron/sandbox/named-servers';

import { Projects } from '../../electron/sandbox/projects';
import { LibraryFetches, LibraryFolders } from '../../electron/sessions/library-fetches';
import { Memory } from '../../electron/sessions/memory';
import { Checkpoints } from '../../electron/sessions/recovery/checkpoints';
import { SessionFolders } from '../../electron/sessions/session-folders';
import { Sessions } from '../../electron/sessions/sessions';
import { defaultProfile } from '../../electron/tools/default-profile';
import { AccessRequests } from '../../electron/tools/sessions/access-requests';
import { type Connection, type ConnectOptions, HarborToolbox } from '../../electron/tools/toolbox';

import { ROOT } from '../started-harbor';
import { temporaryFolder } from '../unit/history-folder';

const IMAGE_FILE = path.resolve(import.meta.dirname, '../../resources/nbb/image.mjs');
const codex: Client = { key: 'codex', scopes: new Set<Scope>(['read', 'evaluate']) };

interface Toolboxed {
  connect(options?: Partial<ConnectOptions>): Connection;
  /** A folder below the test's own. */
  folder(name: string): string;
  /** As a person does in the window. */
  choose(project: string): void;
}

function toolboxed(all: readonly Engine[]): Toolboxed {
  const root = temporaryFolder();
  const folder = (name: string) => {
    mkdirSync(path.join(root, name), { recursive: true });
    return path.join(root, name);
  };
  let project = folder('first');
  const launcher = new LocalLauncher('a test');
  const history = new History(
    path.join(root, 'history.db'),
    pathToFileURL(path.join(ROOT, 'out/electron/search-worker.js')),
  );
  const engines = new Engines(all, () => undefined);
  const folders = new SessionFolders(folder('sessions'));
  const sessions = new Sessions({
    engines,
    launcher,
    history,
    folders,
    confine: (project) => ({ writable: [project], readable: [], network: false }),
    limits: () => ({ heapMiB: null, cpuSeconds: null, outputChars: null }),
    memory: new Memory({ read: machineMemory, reserveMiB: () => 0 }),
    keepReady: () => false,
    comeBack: true,
    checkProject: (chosen) => projects.check(chosen),
    locateServer: async (server) => server,
    acceptedUnsandboxed: () => [],
    guard: () => () => null,
    log: createLog(folder('log'), false),
  });
  const checkpoints = new Checkpoints({
    ...{ sessions, rows: history.checkpoints, folder: folder('checkpoints') },
    log: createLog(folder('log'), false),
  });
  onTestFinished(async () => {
    await sessions.closeAll();
    await history.close();
  });
  const projects = new Projects({
    approved: () => [project],
    home: folder('home'),
    dataFolder: folder('data'),
    temporaryFolders: [root],
  });
  const profile = defaultProfile({
    sessions,
    checkpoints,
    history,
    files: new FileGuard({
      rules: () => ({ rows: [], secrets: [], systems: [], platform: process.platform, installation: [] }),
      systems: async () => [],
    }),
    projects,
    engines,
    sandbox: launcher.sandbox,
    isPaused: () => false,
    softLimitMs: () => 30_000,
    ownOnly: () => false,
    hosts: () => [],
    endpoints: () => [],
    applications: () => [],
    accessRequests: new AccessRequests({
      approver: { require: () => Promise.resolve() },
      servers: new NamedServers({
        named: () => [],
        add: () => undefined,
        findListener: async () => 'unknown',
      }),
      containers: new NamedContainers({ named: () => [], add: () => undefined }),
      networkReach: () => 'all',
      hasNetwork: () => false,
    }),
    fetches: new LibraryFetches({
      checkProject: () => undefined,
      ...{ engines, launcher, folders: new LibraryFolders(folder('libraries')) },
      confine: (project) => ({ writable: [project], readable: [], network: false }),
    }),
    approver: { require: () => Promise.resolve() },
  });
  const toolbox = new HarborToolbox({
    engineOf: () => undefined,
    choices: { chosen: () => null, of: () => 'default', watch: () => () => undefined },
    prompts: [],
    resources: [],
    ownOnly: () => false,
    profiles: [profile],
    sessions,
    projects,
    project: () => project,
    scratch: folder('scratch'),
  });
  return {
    connect: (options) => toolbox.connect(codex, { profile: 'default', shared: true, ...options }),
    folder,
    choose: (chosen) => {
      project = chosen;
    },
  };
}

const call = (connection: Connection, name: string, args: object = {}) =>
  connection.call(name, args, { signal: new AbortController().signal, grant: null });

describe('a connection that named no project', () => {
  it('follows the one a person chooses while it lasts, and keeps its session where it was', async () => {
    const { connect, folder, choose } = toolboxed([new NbbEngine(IMAGE_FILE)]);
    const connection = connect();
    const before = await call(connection, 'eval', { code: '(def kept 1)' });
    expect(before.structured.notes).toHaveLength(2);
    const second = folder('second');
    choose(second);
    expect((await call(connection, 'images')).structured).toMatchObject({ project: second });
    expect((await call(connection, 'open_session')).structured).toMatchObject({ project: second });
    const after = await call(connection, 'eval', { code: 'kept' });
    expect(after.structured).toMatchObject({
      session: before.structured.session,
      forms: [{ values: ['1'] }],
    });
    expect(String(after.structured.notes)).toContain(`works in ${folder('first')}; the project is ${second}`);
    const rows = (await call(connection, 'history')).structured.rows;
    expect(rows).toMatchObject([{ code: 'kept' }, { code: '(def kept 1)' }]);
  });

  it('opens its default session in the project of that moment', async () => {
    const { connect, folder, choose } = toolboxed([new NbbEngine(IMAGE_FILE)]);
    const connection = connect();
    choose(folder('second'));
    const { structured } = await call(connection, 'eval', { code: '1' });
    expect(String(structured.notes)).not.toContain('works in');
    expect((await call(connection, 'images')).structured.sessions).toMatchObject([
      { session: structured.session, project: folder('second') },
    ]);
  });

  it('is told apart from one that named its own', async () => {
    const { connect, folder, choose } = toolboxed([]);
    const connection = connect({ project: folder('own') });
    choose(folder('second'));
    expect((await call(connection, 'images')).structured).toMatchObject({ project: folder('own') });
  });
});

describe('a harbor without any engine', () => {
  it('says so in images, and why in what needs one', async () => {
    const connection = toolboxed([]).connect();
    const { structured, text } = await call(connection, 'images');
    expect(structured).toMatchObject({ default_engine: null, engines: [] });
    expect(text).toContain('none was found');
    for (const [tool, args] of [['open_session', {}] as const, ['eval', { code: '1' }] as const])
      await expect(call(connection, tool, args)).rejects.toMatchObject({ code: 'engine_unavailable' });
  });
});

it('a call that is cancelled while its default session opens evaluates nothing', async () => {
  const connection = toolboxed([new NbbEngine(IMAGE_FILE)]).connect();
  const caller = new AbortController();
  const cancelled = connection.call(
    'eval',
    { code: '(def never 1)' },
    { signal: caller.signal, grant: null },
  );
  caller.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  expect((await call(connection, 'history')).structured.rows).toEqual([]);
});

describe('what a model is told of the tools', () => {
  const listed = () => toolboxed([]).connect().tools;
  const told = () => listed().map(({ tool: { outputSchema: _, ...rest } }) => rest);

  it('is under 16,000 characters, and no list of names is there twice', () => {
    const text = JSON.stringify({ tools: told() });
    expect(text.length).toBeLessThan(16_000);
    const enums = text.match(/"enum":\[.*?\]/g) ?? [];
    expect(enums).toEqual([...new Set(enums)]);
  });

  it('has those marked that Claude Code shows it without a search', () => {
    const marked = listed().filter(({ tool }) => tool._meta?.['anthropic/alwaysLoad'] === true);
    const names = marked.map(({ tool }) => tool.name);
    expect(names).toEqual(['eval', 'load', 'run_tests', 'read_file', 'edit_form']);
  });
});
