/** Connecting and disconnecting on a real file system: exact bytes, exact undo, and files of others left alone. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applyPatch } from 'diff';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connect, type ConnectOptions } from '../../electron/connect/install';
import { stdioCommand } from '../../electron/connect/stdio-command';
import type { ConnectState, ConnectView } from '../../electron/contract/model';
import { CONFIG_SHAPES } from '../unit/connect-shapes';

const NAME = 'claude-desktop';
let root: string;
let folder: string;
let config: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'connect-'));
  folder = join(root, 'data', 'connect');
  config = join(root, '.config', 'Claude', 'claude_desktop_config.json');
});
afterEach(() => rmSync(root, { recursive: true }));

function connect(changes: Partial<ConnectOptions> = {}): Connect {
  return new Connect({
    folder,
    environment: { platform: 'linux', home: root, env: {} },
    stdioCommand: (client) =>
      stdioCommand({ kind: 'clone', node: '/usr/bin/node', folder: '/src/harbor' }, client),
    ...changes,
  });
}

function write(text: string, file = config): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function viewed(connector = connect()): Promise<ConnectView> {
  const view = (await connector.list()).find((candidate) => candidate.name === NAME);
  if (!view) throw new Error(`${NAME} is not listed`);
  return view;
}

async function state(connector?: Connect): Promise<ConnectState> {
  return (await viewed(connector)).state;
}

function entry(file = config): unknown {
  return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')).mcpServers?.lisp;
}

/** Everything in the folders of the program and of the data: names and bytes. */
function everything(): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name));
  return Object.fromEntries(
    names.sort().map((name) => [name, statSync(name).isFile() ? readFileSync(name, 'latin1') : 'folder']),
  );
}

/** Runs work that must be refused with this code, and must leave all bytes, names and the config's times; answers the message. */
async function refused(code: string, work: () => Promise<unknown>): Promise<string> {
  const before = everything();
  const times = stamp();
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'HarborError', code });
  expect(everything()).toEqual(before);
  expect(stamp()).toEqual(times);
  return (error as Error).message;
}

/** Changes with every write and every replacement of the file. */
function stamp(): unknown {
  const status = statSync(config, { bigint: true, throwIfNoEntry: false });
  return status && [status.mtimeNs, status.ino];
}

describe.each(Object.entries(CONFIG_SHAPES))('a file that is %s', (_, text) => {
  it('is connected, and has the same bytes after disconnecting, also by another run', async () => {
    write(text);
    chmodSync(config, 0o666);
    const view = await connect().add(NAME);
    expect(view).toMatchObject({ state: 'connected', file: config });
    expect(entry()).toEqual({
      command: '/usr/bin/node',
      args: ['/src/harbor/resources/setup/stdio.mjs', '--client', NAME],
    });
    expect(statSync(config).mode & 0o777).toBe(0o666);
    expect(readdirSync(dirname(config))).toEqual(['claude_desktop_config.json']);
    expect((await connect().remove(NAME)).state).toBe('ready');
    expect(readFileSync(config)).toEqual(Buffer.from(text));
    expect(statSync(config).mode & 0o777).toBe(0o666);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('has the previewed diff, to the byte', async () => {
    write(text);
    const added = await connect().preview(NAME, 'add');
    expect(readFileSync(config, 'utf8')).toBe(text);
    await connect().add(NAME);
    const after = readFileSync(config, 'utf8');
    expect(applyPatch(text, added.diff, { autoConvertLineEndings: false })).toBe(after);
    const removed = await connect().preview(NAME, 'remove');
    expect(applyPatch(after, removed.diff, { autoConvertLineEndings: false })).toBe(text);
    expect((await connect().preview(NAME, 'add')).diff).toBe('');
  });
});

describe('a file that does not exist', () => {
  it('is made with its folders, for the user alone, and all of it goes again', async () => {
    expect(await state()).toBe('absent');
    expect((await connect().preview(NAME, 'add')).diff).toMatch(/^--- \/dev\/null\n\+\+\+ .*claude_desktop/);
    expect((await connect().add(NAME)).state).toBe('connected');
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect((await connect().preview(NAME, 'remove')).diff).toContain('+++ /dev/null');
    expect((await connect().remove(NAME)).state).toBe('absent');
    expect(existsSync(join(root, '.config'))).toBe(false);
  });

  it('keeps the folders in which something else is by then', async () => {
    await connect().add(NAME);
    write('x', join(dirname(config), 'window-state.json'));
    expect((await connect().remove(NAME)).state).toBe('ready');
    expect(readdirSync(dirname(config))).toEqual(['window-state.json']);
  });

  it('stays, without our entry, when others have written to it meanwhile', async () => {
    await connect().add(NAME);
    const { mcpServers } = JSON.parse(readFileSync(config, 'utf8'));
    write(JSON.stringify({ mcpServers, theme: 'dark' }, null, 2));
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{\n  "theme": "dark"\n}');
  });
});

describe('undo after the program rewrote its file', () => {
  it('cuts our entry only, and keeps a backup of what was there', async () => {
    write('{"a":1}');
    await connect().add(NAME);
    const rewritten = `${JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), added: true }, null, 4)}\n`;
    write(rewritten);
    expect((await connect().remove(NAME)).state).toBe('ready');
    expect(readFileSync(config, 'utf8')).toBe('{\n    "a": 1,\n    "added": true\n}\n');
    const backups = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(backups.sort()).toEqual(['{"a":1}', rewritten].sort());
  });

  it('keeps an mcpServers that was there before us', async () => {
    write('{"mcpServers":{}}');
    await connect().add(NAME);
    write(`${readFileSync(config, 'utf8')}\n`);
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{"mcpServers":{}}\n');
  });

  it.each(['lost', 'changed'])('does not trust a backup that was %s', async (fate) => {
    write('{"a":1}');
    await connect().add(NAME);
    const [backup = ''] = readdirSync(folder).filter((name) => name.endsWith('.backup'));
    if (fate === 'lost') rmSync(join(folder, backup));
    else writeFileSync(join(folder, backup), '{"a":2}');
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{"a":1}');
  });

  it('works by the shape of the entry when the records are lost', async () => {
    write('{"a":1,"mcpServers":{"b":{}}}');
    await connect().add(NAME);
    rmSync(folder, { recursive: true });
    expect(await state()).toBe('connected');
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{"a":1,"mcpServers":{"b":{}}}');
  });

  it('works by the shape of the entry when the record is damaged', async () => {
    await connect().add(NAME);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{');
    expect((await connect().remove(NAME)).state).toBe('ready');
    expect(entry()).toBeUndefined();
  });
});

describe('what is told', () => {
  it('names every program with what to paste and what to do', async () => {
    const views = await connect().list();
    expect(views.map((view) => view.name)).toEqual(['claude-desktop', 'claude-code']);
    for (const view of views) {
      expect(JSON.parse(view.snippet).mcpServers.lisp).toMatchObject({ command: '/usr/bin/node' });
      expect(view.afterwards).not.toBe('');
    }
    expect(views[1]?.command).toBe(
      'claude mcp add --scope user lisp -- /usr/bin/node /src/harbor/resources/setup/stdio.mjs --client claude-code',
    );
  });

  it('says that an entry is gone, since when and why, until the person disconnects', async () => {
    write('{}');
    await connect().add(NAME);
    write('{"theme":"dark"}');
    const view = await viewed();
    expect(view.state).toBe('ready');
    expect(view.detail).toMatch(
      /^The entry was written on \d{4}-\d\d-\d\d but is gone: Claude Desktop rewrites its file while it runs; quit it fully and connect again\.$/,
    );
    expect((await connect().remove(NAME)).detail).toContain('Not connected yet');
    expect(readFileSync(config, 'utf8')).toBe('{"theme":"dark"}');
  });

  it('refuses a program that it does not know and names those it does', async () => {
    for (const work of [
      () => connect().add('emacs'),
      () => connect().remove('emacs'),
      () => connect().preview('emacs', 'add'),
    ]) {
      expect(await refused('client_unknown', work)).toContain('claude-desktop, claude-code');
    }
  });
});

describe('adding again', () => {
  it('changes nothing, not even the time of the file', async () => {
    write('{}');
    await connect().add(NAME);
    const [before, times] = [everything(), stamp()];
    await connect().add(NAME);
    expect(everything()).toEqual(before);
    expect(stamp()).toEqual(times);
  });

  it('refreshes an entry of another harbor, and undoes back to before the first', async () => {
    write('{"a":1}');
    await connect({ stdioCommand: (c) => stdioCommand({ kind: 'app', executable: '/old/app' }, c) }).add(
      NAME,
    );
    const view = await viewed();
    expect(view.state).toBe('outdated');
    expect(view.detail).toContain('/old/app --mcp-stdio --client claude-desktop');
    expect((await connect().add(NAME)).state).toBe('connected');
    expect(entry()).toMatchObject({ command: '/usr/bin/node' });
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{"a":1}');
  });

  it('refreshes an entry in a file that has changed since, and cuts it out of that', async () => {
    const old = connect({ stdioCommand: (c) => stdioCommand({ kind: 'app', executable: '/old/app' }, c) });
    write('{"a":1}');
    await old.add(NAME);
    write(readFileSync(config, 'utf8').replace('"a":1', '"a":2'));
    expect(await state()).toBe('outdated');
    await connect().add(NAME);
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{"a":2}');
  });

  it('knows an entry that it recorded, whatever its shape', async () => {
    write('{"a":1}');
    await connect({ stdioCommand: () => ({ command: '/earlier/harbor', args: ['serve'], env: {} }) }).add(
      NAME,
    );
    expect(await state()).toBe('outdated');
    expect((await connect().add(NAME)).state).toBe('connected');
    await connect().remove(NAME);
    expect(readFileSync(config, 'utf8')).toBe('{"a":1}');
  });

  it('takes over what the program itself wrote for the same command', async () => {
    const file = join(root, '.claude.json');
    const { command, args } = stdioCommand(
      { kind: 'clone', node: '/usr/bin/node', folder: '/src/harbor' },
      'claude-code',
    );
    write(JSON.stringify({ mcpServers: { lisp: { type: 'stdio', command, args, env: {} } } }), file);
    const before = readFileSync(file);
    expect((await connect().add('claude-code')).state).toBe('connected');
    expect(readFileSync(file)).toEqual(before);
    await connect().remove('claude-code');
    expect(entry(file)).toBeUndefined();
  });

  it('at the same time happens once', async () => {
    write('{"a":1}');
    const connector = connect();
    const views = await Promise.all([connector.add(NAME), connector.add(NAME), connector.add('claude-code')]);
    expect(views.map((view) => view.state)).toEqual(['connected', 'connected', 'connected']);
    expect(readdirSync(folder).filter((name) => name.endsWith('.backup'))).toHaveLength(1);
    await Promise.all([connector.remove(NAME), connector.remove('claude-code')]);
    expect(readFileSync(config, 'utf8')).toBe('{"a":1}');
    expect(existsSync(join(root, '.claude.json'))).toBe(false);
  });
});

describe('refused, with the file as it was', () => {
  it.each([
    ['a trailing comma', '{\n  "a": 1,\n}', 'line 3, column 1'],
    ['a comment', '{} // mine', 'line 1, column 4'],
    ['servers that are a list', '{"mcpServers": []}', 'not an object'],
    ['a root that is a list', '[]', 'not an object'],
  ])('%s', async (_, text, message) => {
    write(text);
    for (const work of [
      () => connect().add(NAME),
      () => connect().remove(NAME),
      () => connect().preview(NAME, 'add'),
    ]) {
      expect(await refused('config_unreadable', work)).toContain(message);
    }
    expect(await viewed()).toMatchObject({ state: 'unreadable', detail: expect.stringContaining(message) });
  });

  it('text that is not UTF-8', async () => {
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, '{"mcpServers": {}}', 'utf16le');
    writeFileSync(config, Buffer.concat([Buffer.from([0xff, 0xfe]), readFileSync(config)]));
    expect(await refused('config_unreadable', () => connect().add(NAME))).toContain('UTF-8');
  });

  it('an entry of our name that we did not write', async () => {
    write('{"mcpServers":{"lisp":{"command":"npx","args":["other-lisp"]}}}');
    expect(await viewed()).toMatchObject({
      state: 'foreign',
      detail: expect.stringContaining('rename or remove it'),
    });
    await refused('config_foreign', () => connect().add(NAME));
    await refused('config_foreign', () => connect().remove(NAME));
  });

  it('an entry of ours that a person gave another command', async () => {
    await connect().add(NAME);
    write(readFileSync(config, 'utf8').replace('"--client"', '"--project", "/mine", "--client"'));
    expect(await state()).toBe('foreign');
    await refused('config_foreign', () => connect().add(NAME));
  });

  it('a folder in the place of the file', async () => {
    mkdirSync(config, { recursive: true });
    expect(await refused('config_unreadable', () => connect().add(NAME))).toContain(
      'folder where a file should be',
    );
    expect(await state()).toBe('unreadable');
  });

  it('a pipe in the place of the file, without waiting for it', async () => {
    mkdirSync(dirname(config), { recursive: true });
    execFileSync('mkfifo', [config]);
    expect((await viewed()).detail).toContain('not an ordinary file');
    await expect(connect().add(NAME)).rejects.toMatchObject({ code: 'config_unreadable' });
  });

  it('a file in the place of a folder', async () => {
    write('x', join(root, '.config'));
    expect(await refused('config_unreadable', () => connect().add(NAME))).toContain('is a file');
  });

  it('a data folder that cannot be written', async () => {
    write('{}');
    write('x', join(root, 'data'));
    expect(await refused('data_folder_unusable', () => connect().add(NAME))).toContain(folder);
  });

  it.each([
    ['changed', '{"a":2}'],
    ['deleted', null],
  ])('a file that another program %s in that moment', async (_, text) => {
    write('{"a":1}');
    const racing = connect({
      stdioCommand: (client) => {
        if (text === null) rmSync(config, { force: true });
        else writeFileSync(config, text);
        return stdioCommand({ kind: 'app', executable: '/app' }, client);
      },
    });
    await expect(racing.add(NAME)).rejects.toMatchObject({ code: 'config_unwritable' });
    expect(readdirSync(dirname(config))).toEqual(text === null ? [] : ['claude_desktop_config.json']);
    if (text !== null) expect(readFileSync(config, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual([]);
    expect((await viewed()).detail).toContain('Not connected yet');
  });

  it('a file that another program made in that moment', async () => {
    const racing = connect({
      stdioCommand: (client) => {
        write('{"first":true}');
        return stdioCommand({ kind: 'app', executable: '/app' }, client);
      },
    });
    await expect(racing.add(NAME)).rejects.toMatchObject({ code: 'config_unwritable' });
    expect(readFileSync(config, 'utf8')).toBe('{"first":true}');
  });

  it('a removal from a file that another program changes in that moment', async () => {
    write('{"a":1}');
    await connect().add(NAME);
    const racing = connect({
      stdioCommand: (client) => {
        writeFileSync(config, '{"theirs":true}');
        return stdioCommand({ kind: 'app', executable: '/app' }, client);
      },
    });
    await expect(racing.remove(NAME)).rejects.toMatchObject({ code: 'config_unwritable' });
    expect(readFileSync(config, 'utf8')).toBe('{"theirs":true}');
  });

  it('a second harbor at the same time never costs an entry or a byte of others', async () => {
    write('{"a":1}');
    const two = [connect(), connect({ folder: join(root, 'data', 'second') })];
    const results = await Promise.allSettled(two.map((connector) => connector.add(NAME)));
    expect(results.some((result) => result.status === 'fulfilled')).toBe(true);
    expect(entry()).toMatchObject({ command: '/usr/bin/node' });
    expect(JSON.parse(readFileSync(config, 'utf8')).a).toBe(1);
    expect(readdirSync(dirname(config))).toEqual(['claude_desktop_config.json']);
  });
});

describe('symbolic links', () => {
  it('are followed and stay links', async () => {
    const dotfile = join(root, 'dotfiles', 'claude.json');
    write('{"a":1}', dotfile);
    mkdirSync(dirname(config), { recursive: true });
    symlinkSync('../../dotfiles/claude.json', config);
    await connect().add(NAME);
    expect(readlinkSync(config)).toBe('../../dotfiles/claude.json');
    expect(entry(dotfile)).toBeDefined();
    expect(readdirSync(dirname(dotfile))).toEqual(['claude.json']);
    await connect().remove(NAME);
    expect(readFileSync(dotfile, 'utf8')).toBe('{"a":1}');
    expect(readlinkSync(config)).toBe('../../dotfiles/claude.json');
  });

  it('whose target does not exist yet get one', async () => {
    const dotfile = join(root, 'dotfiles', 'claude.json');
    mkdirSync(dirname(config), { recursive: true });
    symlinkSync(dotfile, config);
    await connect().add(NAME);
    expect(entry(dotfile)).toBeDefined();
    await connect().remove(NAME);
    expect(existsSync(dirname(dotfile))).toBe(false);
    expect(readlinkSync(config)).toBe(dotfile);
  });

  it('in a circle are unreadable', async () => {
    mkdirSync(dirname(config), { recursive: true });
    symlinkSync('claude_desktop_config.json', config);
    expect(await viewed()).toMatchObject({ state: 'unreadable', detail: expect.stringContaining('circle') });
  });
});

describe('several files of one program', () => {
  it('have a record each', async () => {
    const one = join(root, 'one', '.claude.json');
    const two = join(root, 'two', '.claude.json');
    const at = (place: string) =>
      connect({ environment: { platform: 'linux', home: root, env: { CLAUDE_CONFIG_DIR: dirname(place) } } });
    write('{"n":1}', one);
    write('{"n":2}', two);
    await at(one).add('claude-code');
    await at(two).add('claude-code');
    await at(one).remove('claude-code');
    expect(readFileSync(one, 'utf8')).toBe('{"n":1}');
    expect(entry(two)).toBeDefined();
    await at(two).remove('claude-code');
    expect(readFileSync(two, 'utf8')).toBe('{"n":2}');
  });
});

it('keeps its record and the backup for the user alone', async () => {
  write('{"mcpServers":{"other":{"env":{"KEY":"secret"}}}}');
  await connect().add(NAME);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  const [record = ''] = readdirSync(folder).filter((name) => name.endsWith('.json'));
  expect(JSON.parse(readFileSync(join(folder, record), 'utf8'))).toMatchObject({
    client: NAME,
    file: config,
    before: { existed: true, backup: expect.stringContaining(folder) },
    after: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
