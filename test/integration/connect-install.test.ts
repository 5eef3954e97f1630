/** Connecting on a real file system: exact bytes, exact undo, once however often it is asked for. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stdioCommand } from '../../electron/connect/transport';
import { CONFIG_SHAPES } from '../unit/connect-shapes';
import {
  alone,
  config,
  connect,
  entry,
  everything,
  folder,
  NAME,
  newForEachTest,
  root,
  stamp,
  state,
  viewed,
  write,
} from './connect-fixture';

newForEachTest();

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

  it('is previewed without a word of what else is in it, and left alone by that', async () => {
    write(text);
    const added = await connect().preview(NAME, 'add');
    expect(readFileSync(config, 'utf8')).toBe(text);
    expect(added.diff).toContain('/src/harbor/resources/setup/stdio.mjs');
    expect(added.diff).not.toMatch(/npx|uvx|theme|globalShortcut/);
    await connect().add(NAME);
    const removed = await connect().preview(NAME, 'remove');
    expect(removed.diff).toContain('-');
    expect(removed.diff).not.toMatch(/npx|uvx|theme|globalShortcut/);
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

  it('follows an address that has changed, with the token that it has', async () => {
    const file = join(root, '.cursor', 'mcp.json');
    write('{"a":1}', file);
    const harbor = alone('http://127.0.0.1:4617/mcp');
    await connect({ harbor }).add('cursor', { transport: 'http' });
    const [token] = harbor.inForce.values();
    const elsewhere = connect({ harbor: { ...harbor, address: () => 'http://127.0.0.1:5000/mcp' } });
    const moved = (await elsewhere.list()).find(({ name }) => name === 'cursor');
    expect(moved).toMatchObject({
      state: 'moved',
      detail: expect.stringContaining('http://127.0.0.1:5000/mcp'),
    });
    expect((await elsewhere.add('cursor')).state).toBe('connected');
    expect(entry(file)).toEqual({
      url: 'http://127.0.0.1:5000/mcp',
      headers: { Authorization: `Bearer ${token}` },
    });
    await elsewhere.remove('cursor');
    expect(readFileSync(file, 'utf8')).toBe('{"a":1}');
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
