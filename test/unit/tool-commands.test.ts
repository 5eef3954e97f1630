/** Commands that call tools: what each makes of its command line, without a harbor or before one that does not answer. */
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { helpOf, parsedArguments } from '../../electron/command-line/calls/parsed-arguments';
import { COMMON, IN_SESSION, Misuse, TOOL_COMMANDS } from '../../electron/command-line/calls/tool-commands';

import { dataFolder } from '../../electron/host/data-folder';
import { acquireDataFolderLock } from '../../electron/host/lock';
import { temporaryFolder } from '../started-harbor';
import { typedHere } from '../typed-command';

let folder: string;

beforeAll(() => {
  folder = temporaryFolder('typed');
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'shop.lisp'), '(defun price ())');
  writeFileSync(path.join(folder, 'two words.lisp'), '(two)');
  writeFileSync(path.join(folder, 'src/plain'), '(plain)');
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Typed {
  stdin?: string;
  isWatched?: boolean;
}

/** What is asked of the harbor, as it is sent. */
async function asked(words: readonly string[], { stdin = '', isWatched = false }: Typed = {}) {
  const [name = '', ...rest] = words;
  const command = TOOL_COMMANDS.get(name);
  if (!command) throw new Error(`no command ${name}`);
  const given = parsedArguments(name, command, rest, { folder, stdin: Readable.from([stdin]), isWatched });
  return JSON.parse(JSON.stringify(await command.toToolCall(given))) as { tool: string; arguments: unknown };
}

/** Words that are enough for each command, and a value for each option. */
const ENOUGH: Readonly<Record<string, readonly string[]>> = {
  eval: ['(f)'],
  map: ['(f)'],
  load: ['shop'],
  test: [],
  find: ['f'],
  describe: ['f'],
  edit: ['shop.lisp', 'patch', 'defun', 'price'],
  job: ['output', '18'],
  restart: [],
  images: [],
  call: ['inspect'],
};
const WAITING = ['job', '18'];

/** They change the exit code and not the request: test/integration/tool-commands.test.ts has their tests. */
const EXIT_OPTIONS = new Set(['strict', 'allow']);

describe('each command', () => {
  it.each([...TOOL_COMMANDS.keys()])(
    '%s tells all that it takes, and takes all that it tells',
    async (name) => {
      const command = TOOL_COMMANDS.get(name);
      if (!command) throw new Error(`no command ${name}`);
      const help = helpOf(name, command);
      expect(help).toContain(
        `Usage: lisp-harbor ${[name, command.takes].filter(Boolean).join(' ')} [options]`,
      );
      const options = { ...command.options, ...COMMON };
      expect(help.match(/(?<=^ {2}--)[\w-]+/gm)?.toSorted()).toEqual(Object.keys(options).toSorted());
      const enough = [name, ...(ENOUGH[name] ?? [])];
      const plain = await asked(enough);
      for (const [option, { type }] of Object.entries(command.options)) {
        if (option in IN_SESSION || EXIT_OPTIONS.has(option)) continue;
        const words = name === 'job' && option === 'wait' ? WAITING : enough;
        const before = words === enough ? plain : await asked(words);
        const value = type === 'string' ? ['7'] : [];
        expect(
          await asked([...words, `--${option}`, ...value]),
          `--${option} changes what is asked`,
        ).not.toEqual(before);
      }
    },
  );

  it('is in the help of all, and in the table of the tests above', () => {
    expect(Object.keys(ENOUGH)).toEqual([...TOOL_COMMANDS.keys()]);
  });

  const wrong = [
    ['eval'],
    ['eval', '(f)', '(g)'],
    ['eval', '(f)', '--bogus'],
    ['eval', '(f)', '--wait', 'long'],
    ['eval', '(f)', '--wait', '-1'],
    ['eval', 'missing.lisp'],
    ['load'],
    ['images', 'all'],
    ['job', 'x'],
    ['job', 'begin', '18'],
    ['edit', 'shop.lisp'],
    ['edit', '-'],
    ['call', 'eval', '[]'],
    ['call', 'eval', '{'],
  ];
  it.each(wrong.map((words) => ({ words, typed: words.join(' ') })))(
    'refuses "$typed", and says how it is used',
    async ({ words }) => {
      await expect(asked(words)).rejects.toThrow(Misuse);
      await expect(asked(words)).rejects.toThrow(
        /Usage|such as|for example|There (?:is|are)|Actions|not a number/,
      );
    },
  );
});

describe('eval', () => {
  const codeOf = async (word: string, typed?: Typed) => (await asked(['eval', word], typed)).arguments;

  it('takes a form, the forms of a file, or those of stdin', async () => {
    expect(await codeOf('(+ 1 2)')).toEqual({ code: '(+ 1 2)' });
    expect(await codeOf('*package*')).toEqual({ code: '*package*' });
    expect(await codeOf('shop.lisp')).toEqual({ code: '(defun price ())' });
    expect(await codeOf('two words.lisp')).toEqual({ code: '(two)' });
    expect(await codeOf('src/plain')).toEqual({ code: '(plain)' });
    expect(await codeOf('a/b')).toEqual({ code: 'a/b' });
    expect(await codeOf('(load "shop.lisp")')).toEqual({ code: '(load "shop.lisp")' });
    expect(await codeOf('-', { stdin: '(a) (b)' })).toEqual({ code: '(a) (b)' });
  });

  it('waits as long as it is told; where a person watches, as long as it may', async () => {
    expect((await asked(['eval', '1', '--wait', '0.5'])).arguments).toEqual({ code: '1', wait_ms: 500 });
    expect(await codeOf('1', { isWatched: true })).toEqual({ code: '1', wait_ms: 600_000 });
  });
});

describe('the other commands', () => {
  it('tell systems from files, which go by their whole paths', async () => {
    const shop = path.join(folder, 'shop.lisp');
    expect(await asked(['load', 'shop'])).toEqual({ tool: 'load', arguments: { system: 'shop' } });
    expect(await asked(['load', 'shop/tests'])).toMatchObject({ arguments: { system: 'shop/tests' } });
    expect(await asked(['load', 'shop.lisp', '--fresh'])).toMatchObject({
      arguments: { path: shop, fresh: true },
    });
    expect(await asked(['test', 'new.lisp'])).toMatchObject({
      arguments: { path: path.join(folder, 'new.lisp') },
    });
    expect(await asked(['test'])).toEqual({ tool: 'run_tests', arguments: {} });
    expect(await asked(['find', 'f', '--path', 'src', '--kind', 'text'])).toMatchObject({
      arguments: { query: 'f', kind: 'text', path: path.join(folder, 'src') },
    });
  });

  it('read from stdin what they need from there, and nothing else', async () => {
    const args = { path: path.join(folder, 'shop.lisp'), form_type: 'defun', form_name: 'price' };
    const given = { stdin: '(defun price (n) n)' };
    const edit = ['edit', 'shop.lisp'];
    expect(await asked([...edit, 'replace', 'defun', 'price'], given)).toEqual({
      tool: 'edit_form',
      arguments: { ...args, operation: 'replace', content: given.stdin },
    });
    expect((await asked([...edit, 'delete', 'defun', 'price'], given)).arguments).toEqual({
      ...args,
      operation: 'delete',
    });
    const raw = { path: 'shop.lisp', edits: [{ operation: 'delete' }] };
    expect((await asked(['edit', '-'], { stdin: JSON.stringify(raw) })).arguments).toEqual(raw);
    expect((await asked(['call', 'history', '-'], { stdin: '{"limit":1}' })).arguments).toEqual({ limit: 1 });
  });

  it('name jobs as they were told', async () => {
    for (const id of ['18', 'job-18'])
      expect((await asked(['job', id])).arguments).toEqual({ job: 'job-18', action: 'wait' });
    expect((await asked(['job', 'cancel', '18'])).arguments).toEqual({ job: 'job-18', action: 'cancel' });
  });
});

describe('a harbor', () => {
  const cleanUp: (() => unknown)[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    for (const clean of cleanUp.splice(0).toReversed()) await clean();
  });

  /** Holds a data folder and does with a connection what it is told. */
  async function standIn(serve: (socket: Socket) => void): Promise<string> {
    const data = temporaryFolder('data');
    const held = dataFolder(data);
    cleanUp.push(() => rmSync(data, { recursive: true }));
    mkdirSync(path.dirname(held.socket), { recursive: true, mode: 0o700 });
    writeFileSync(held.bridgeSecret, 'secret\n');
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      serve(socket);
    });
    server.listen(held.socket);
    await once(server, 'listening');
    cleanUp.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const lock = acquireDataFolderLock(held, 'headless');
    cleanUp.push(() => lock.release());
    return data;
  }

  const typed = (data: string) => typedHere(['eval', '1', '--data', data], { folder });

  it('of another version is told from one that refuses, and what to do about it', async () => {
    const no = { ok: false, code: 'bad_arguments', message: 'The first line is no hello: …' };
    const old = await standIn((socket) => socket.end(`${JSON.stringify(no)}\n`));
    expect(await typed(old)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/another version.*lisp-harbor stop/),
    });
    const newer = await standIn((socket) => socket.end('HELLO\n'));
    expect(await typed(newer)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/another version/),
    });
    const paused = await standIn((socket) =>
      socket.end(`${JSON.stringify({ ...no, message: 'A person paused.' })}\n`),
    );
    expect(await typed(paused)).toEqual({ code: 1, stdout: '', stderr: 'lisp-harbor: A person paused.\n' });
  });

  it('that goes away in the middle is told, and where to look', async () => {
    const data = await standIn((socket) => socket.once('data', () => socket.destroy()));
    expect(await typed(data)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/history/),
    });
  });

  it('that says nothing is named, with its process, while it is waited for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise: asking, resolve: ask } = Promise.withResolvers<Socket>();
    const command = typed(await standIn((socket) => void socket.once('data', () => ask(socket))));
    const harbor = await asking;
    vi.advanceTimersByTime(60_000);
    const answer = { ok: true, value: { text: '=> 1', data: {}, isError: false } };
    harbor.end(`${JSON.stringify({ taken: true })}\n${JSON.stringify(answer)}\n`);
    const said = expect.stringContaining(`the harbor (process ${process.pid})`);
    expect(await command).toEqual({ code: 0, stdout: '=> 1\n', stderr: said });
  });
});
