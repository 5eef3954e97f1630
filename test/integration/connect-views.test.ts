/** What a person is told of each program that can be connected. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLIENT_PROGRAMS } from '../../electron/connect/programs/table';
import { alone, config, connect, NAME, newForEachTest, refused, viewed, write } from './connect-fixture';

newForEachTest();

describe('what is told', () => {
  it('names every program with what to paste and what to do', async () => {
    const views = await connect().list();
    expect(views.map((view) => view.name)).toEqual(CLIENT_PROGRAMS.map(({ name }) => name));
    expect(views).toHaveLength(23);
    for (const view of views) {
      expect(view.snippet).toContain('/usr/bin/node');
      expect(view.afterwards).not.toBe('');
      expect(view.verified).not.toBe('');
      expect(view.httpSnippet?.includes('Bearer <token>') ?? !view.takesHttp).toBe(true);
      expect(view.state).toBe(view.file === null ? 'manual' : 'absent');
    }
    expect(views[1]?.command).toBe(
      'claude mcp add --scope user lisp -- /usr/bin/node /src/harbor/resources/setup/stdio.mjs --client claude-code',
    );
  });

  it('of a program without a file is what to paste and where, and what was chosen for it holds', async () => {
    const harbor = alone();
    const view = await connect({ harbor }).add('jetbrains-ai', { choice: { profile: 'acl2' } });
    expect(view).toMatchObject({ state: 'manual', file: null, choice: { profile: 'acl2' } });
    expect(view.detail).toContain('press Add, choose JSON and paste it');
    expect(JSON.parse(view.snippet).mcpServers.lisp.args).toContain('jetbrains-ai');
    for (const work of [
      () => connect().remove('jetbrains-ai'),
      () => connect().preview('jetbrains-ai', 'add'),
    ])
      expect(await refused('not_supported', work)).toContain('no other program');
  });

  it('says that an entry is gone, since when and why, until the person disconnects', async () => {
    write('{}');
    await connect().add(NAME);
    write('{"theme":"dark"}');
    const view = await viewed();
    expect(view.state).toBe('dropped');
    expect(view.detail).toMatch(
      / \d{4}-\d\d-\d\d .*: Claude Desktop rewrites its file while it runs; quit it completely and connect again\.$/,
    );
    expect((await connect().remove(NAME)).detail).toContain('Not connected');
    expect(readFileSync(config, 'utf8')).toBe('{"theme":"dark"}');
  });

  it('refuses a program that it does not know and names those it does', async () => {
    for (const work of [
      () => connect().add('emacs'),
      () => connect().remove('emacs'),
      () => connect().preview('emacs', 'add'),
    ]) {
      expect(await refused('client_unknown', work)).toMatch(/There are: eca, amp, codex, .* and 11 more/);
    }
  });
});
