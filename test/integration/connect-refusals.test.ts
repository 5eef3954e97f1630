/** What connecting refuses on a real file system, with the files of others left alone. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stdioCommand } from '../../electron/connect/transport';
import {
  config,
  connect,
  entry,
  folder,
  NAME,
  newForEachTest,
  refused,
  root,
  state,
  viewed,
  write,
} from './connect-fixture';

newForEachTest();

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
      detail: expect.stringMatching(/rename or remove it/i),
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
    expect(await refused('config_unreadable', () => connect().add(NAME))).toContain('folder');
    expect(await state()).toBe('unreadable');
  });

  it('a pipe in the place of the file, without waiting for it', async () => {
    mkdirSync(dirname(config), { recursive: true });
    execFileSync('mkfifo', [config]);
    expect((await viewed()).detail).toContain('regular file');
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

  it.each([{}, { transport: 'stdio' as const }])(
    'a new token for an entry without one: %j',
    async (asked) => {
      write('{}');
      for (const work of [
        () => connect().add(NAME, { ...asked, newToken: true }),
        () => connect().preview(NAME, 'add', { ...asked, newToken: true }),
        () => connect().add('jetbrains-ai', { ...asked, newToken: true }),
      ])
        expect(await refused('bad_arguments', work)).toContain('Only a program with an address has a token');
    },
  );

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
    expect((await viewed()).detail).toContain('Not connected');
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
