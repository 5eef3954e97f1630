/**
 * The port of `--swank-port`: when it is open, who may connect, and what Emacs is told if it cannot be
 * served.
 */
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Engines } from '../../electron/images/discovery';
import { NbbEngine } from '../../electron/images/nbb/engine';
import { SlimeEmacs } from '../slime-emacs';
import {
  PATIENT,
  ROOT,
  StartedHarbor,
  type StartOptions,
  spawnServe,
  temporaryFolder,
} from '../started-harbor';
import { evaluate, sessionsFixture } from './sessions-fixture';
import { swankPorts } from './slime-fixture';

const NBB_IMAGE = path.join(ROOT, 'resources/nbb/image.mjs');

async function harborWith(options: StartOptions): Promise<{ harbor: StartedHarbor; port: number }> {
  const harbor = await StartedHarbor.start(options);
  onTestFinished(async () => void (await harbor.stop()));
  return { harbor, port: harbor.ready.swank ?? 0 };
}

/** A folder that is gone after the test. */
function folderFor(name: string): string {
  const folder = temporaryFolder(name);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function emacsAt(home?: string): SlimeEmacs {
  const emacs = new SlimeEmacs({ home });
  onTestFinished(() => emacs.end());
  return emacs;
}

describe('the port', () => {
  it('is opened when it is asked for, and only then', async () => {
    expect((await harborWith({})).port).toBe(0);
    expect((await harborWith({ env: { SWANK_PORT: '0' } })).port).toBe(0);
    expect((await harborWith({ env: { START_SWANK: 'false', SWANK_PORT: '0' } })).port).toBe(0);
    const { harbor, port } = await harborWith({ env: { START_SWANK: 'true', SWANK_PORT: '0' } });
    expect(port).toBeGreaterThan(0);
    const { structuredContent } = await (await harbor.client()).callTool({ name: 'images', arguments: {} });
    expect(structuredContent).toMatchObject({
      endpoints: expect.arrayContaining([`swank://127.0.0.1:${port}`]),
      sessions: [],
    });
  });

  it('that is in use ends the start, and its name is told', async () => {
    const { port } = await harborWith({ args: ['--swank-port', '0'] });
    const args = ['--data', folderFor('data'), '--port', '0', '--swank-port', String(port)];
    const second = spawnServe(args);
    if (!second.stderr) throw new Error('serve was started without pipes');
    const said = text(second.stderr);
    expect(await once(second, 'exit')).toEqual([1, null]);
    expect(await said).toContain(
      `Port ${port} is in use by another program. Choose another with --swank-port N`,
    );
  });

  it.each([
    ['a web page', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x00\x05'],
  ])('is closed to %s', async (_name, bytes) => {
    const { harbor, port } = await harborWith({ args: ['--swank-port', '0'] });
    const visitor = connect(port, '127.0.0.1');
    visitor.write(bytes, 'latin1');
    expect(await answerTo(visitor)).toBe('');
    const sessions = path.join(harbor.data, 'sessions');
    expect(existsSync(sessions) ? readdirSync(sessions) : []).toEqual([]);
  });

  it('tells SLY what it is, and with what to connect, and opens nothing for it', async () => {
    const { harbor, port } = await harborWith({ args: ['--swank-port', '0'] });
    const visitor = connect(port, '127.0.0.1');
    visitor.write('00002c(:emacs-rex (slynk:connection-info) nil t 1)');
    expect(await answerTo(visitor)).toMatch(
      /^[0-9a-f]{6}\(:debug-condition 0 ".*SLY.*--protocol slynk.*"\)$/,
    );
    const { structuredContent } = await (await harbor.client()).callTool({ name: 'images', arguments: {} });
    expect(structuredContent).toMatchObject({ sessions: [] });
  });

  it('lets in an Emacs that keeps a secret', async () => {
    const home = folderFor('emacs');
    writeFileSync(path.join(home, '.slime-secret'), 'hush\n');
    const { port } = await harborWith({ args: ['--swank-port', '0'] });
    const emacs = emacsAt(home);
    await emacs.connect(port);
    expect(await emacs.evaluate('(+ 1 2)')).toBe('("" "3")');
  });

  it('tells Emacs why it cannot be served', async () => {
    const data = folderFor('data');
    writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ slimeFolder: '/nowhere/slime' }));
    const { port } = await harborWith({ data, args: ['--swank-port', '0'] });
    const emacs = emacsAt();
    await emacs.do(`(slime-connect "127.0.0.1" ${port})`);
    await emacs.do('(test-disconnected)');
    await expect.poll(() => emacs.said, PATIENT).toMatch(/Lisp Harbor: .*swank-loader\.lisp/);
  });
});

describe('a session', () => {
  it('is not served where no SLIME is', async () => {
    const fixture = sessionsFixture({
      instead: { confine: (project) => ({ writable: [project], readable: [], network: false }) },
    });
    const [session, ports] = [await fixture.open(), swankPorts(fixture)];
    await expect(ports.open(session.id)).rejects.toMatchObject({
      code: 'slime_missing',
      message: expect.stringContaining('apt install cl-swank'),
    });
    expect(ports.view).toEqual([]);
    expect(await evaluate(session, '(+ 1 2)').settled).toMatchObject({ forms: [{ values: ['3'] }] });
  });

  it('of an engine without Swank says so', async () => {
    const fixture = sessionsFixture({
      instead: { engines: new Engines([new NbbEngine(NBB_IMAGE)], () => undefined) },
    });
    const session = await fixture.open();
    expect(session.view().slime).toBe(false);
    await expect(swankPorts(fixture).open(session.id)).rejects.toMatchObject({ code: 'not_supported' });
  });
});

async function answerTo(socket: Socket): Promise<string> {
  return text(socket).catch(() => '');
}
