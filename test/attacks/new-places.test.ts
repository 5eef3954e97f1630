/**
 * The running app, in both sandboxes of Linux: code creates protected places at the top of its project, where
 * there were none.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { PATIENT, StartedHarbor } from '../started-harbor';
import { LANDLOCK_SERVE } from './launchers';
import { PROTECTED_NAMES } from './programs/repository';

/** Scripts that make a place, by the way in which they do. */
const WAYS: Readonly<Record<string, (name: string) => string>> = {
  'as a file': (name) => `echo x > ${name}`,
  'as a folder': (name) => `mkdir ${name} && echo x > ${name}/tasks.json`,
  'as a link': (name) => `ln -s code/ordinary ${name}`,
  'as a hard link': (name) => `ln code/ordinary ${name}`,
  'by moving a folder there': (name) =>
    `mkdir code/new && echo x > code/new/tasks.json && mv -T code/new ${name}`,
  'as a pipe': (name) => `mkfifo ${name}`,
  'and set the time of the folder back': (name) =>
    `touch -r . code/time; echo x > ${name}; touch -r code/time .; rm code/time`,
};

const WRITE_LISP = (file: string) =>
  `(with-open-file (out "${file}" :direction :output :if-exists :supersede) (write-string "{}" out))`;
const WRITE_NBB = (file: string) => `(do (require '["fs" :as fs]) (fs/writeFileSync "${file}" "{}"))`;

describe.each([
  { sandbox: 'bubblewrap', command: undefined },
  { sandbox: 'landlock', command: LANDLOCK_SERVE },
])('in $sandbox', ({ sandbox, command }) => {
  let harbor: StartedHarbor;
  let client: Client;
  const at = (name: string) => path.join(harbor.project, name);
  const run = (script: string, args = {}) => {
    writeFileSync(at('code/script.sh'), script);
    const code =
      '(sb-ext:run-program "/bin/sh" (list "code/script.sh") :output *standard-output* :error :output)';
    return evaluate(client, code, args);
  };

  beforeAll(async () => {
    harbor = await StartedHarbor.start(command ? { command } : {});
    client = await harbor.client();
    for (const folder of ['code', 'node_modules', '.config', 'mise']) mkdirSync(at(folder));
    writeFileSync(at('code/ordinary'), 'mine');
    expect((await call<{ sandbox: string }>(client, 'images')).structured.sandbox).toContain(sandbox);
    await evaluate(client, '1');
  }, 60_000);
  afterAll(() => harbor.stop());

  it.each(Object.keys(WAYS))('none is there after the evaluation that made it %s', async (way) => {
    const script = PROTECTED_NAMES.map((name) => `${WAYS[way]?.(name)}; rm -rf code/new`).join('\n');
    const { structured, text } = await run(`${script}\necho x > ordinary.txt`);
    expect(structured.outcome, text).toBe('ok');
    expect(PROTECTED_NAMES.filter((name) => lstatSync(at(name), { throwIfNoEntry: false }))).toEqual([]);
    expect(structured.notes.join('\n')).toContain(path.join(harbor.data, 'taken'));
    expect(readFileSync(at('code/ordinary'), 'utf8')).toBe('mine');
    expect(existsSync(at('ordinary.txt'))).toBe(true);
  });

  it('are found in a folder with places whose name is written in capitals', async () => {
    await run('mkdir .CONFIG');
    const { structured } = await run('echo x > .CONFIG/mise.toml');
    expect(existsSync(at('.CONFIG/mise.toml'))).toBe(false);
    expect(structured.notes.join('\n')).toContain('mise.toml');
    await run('rmdir .CONFIG');
  });

  it('are found beside a link to itself that has the name of a folder with places', async () => {
    const { structured, text } = await run('rm -rf mise; ln -s mise mise; echo x > .envrc');
    expect(structured.outcome, text).toBe('ok');
    expect(existsSync(at('.envrc'))).toBe(false);
    await run('rm -f mise; mkdir mise');
  });

  it.each(['sbcl', 'nbb'])('is reported when %s makes one in a subfolder', async (engine) => {
    const opened = await call<{ session: string }>(client, 'open_session', { engine });
    const { session } = opened.structured;
    const file = `code/${engine}/package/.mcp.json`;
    mkdirSync(path.dirname(at(file)), { recursive: true });
    const code = engine === 'sbcl' ? WRITE_LISP : WRITE_NBB;
    const { structured, text } = await evaluate(client, code(at(file)), { session });
    expect(structured.outcome, text).toBe('ok');
    expect(readFileSync(at(file), 'utf8')).toBe('{}');
    let notes = structured.notes.join('\n');
    // A look that would take too much time is made later, and the next evaluation has its notes.
    const noted = async () => {
      notes += (await evaluate(client, '1', { session })).structured.notes.join('\n');
      return notes.split(file).length - 1;
    };
    await expect.poll(noted, PATIENT).toBe(1);
    await evaluate(client, code(at(file)), { session }).then((changed) => {
      notes += changed.structured.notes.join('\n');
    });
    await expect.poll(noted, PATIENT).toBe(2);
    expect(await noted()).toBe(2);
  });

  it('is taken away while the evaluation still runs, and kept for the person', async () => {
    const { structured } = await run(
      'echo mine > .envrc; while [ -e .envrc ]; do sleep 0.05; done; echo gone',
    );
    expect(structured.stdout).toContain('gone');
    const taken = readdirSync(path.join(harbor.data, 'taken')).filter((name) => name.endsWith('.envrc'));
    const contents = taken.map((name) => path.join(harbor.data, 'taken', name));
    expect(contents.some((file) => lstatSync(file).isFile() && readFileSync(file, 'utf8') === 'mine\n')).toBe(
      true,
    );
  });

  it("leaves the person's own, made between evaluations or while one is suspended", async () => {
    mkdirSync(at('.idea'));
    expect((await evaluate(client, '(list 1)')).isError).toBe(false);
    const { structured } = await evaluate(client, '(error "stay")', { on_error: 'debug', wait_ms: 20_000 });
    expect(structured.outcome).toBe('debugger');
    writeFileSync(at('.tool-versions'), 'mine');
    const logs = () =>
      readdirSync(path.join(harbor.data, 'log')).map((name) => path.join(harbor.data, 'log', name));
    const seen = () =>
      logs().some((file) => readFileSync(file, 'utf8').includes(`${at('.tool-versions')} appeared`));
    await expect.poll(seen, PATIENT).toBe(true);
    await call(client, 'debug', { action: 'abort' });
    await evaluate(client, '(list 2)');
    expect(existsSync(at('.idea'))).toBe(true);
    expect(existsSync(at('.tool-versions'))).toBe(true);
  });

  it('puts back a link of the person that code replaced', async () => {
    symlinkSync('code/ordinary', at('.npmrc'));
    await evaluate(client, '(list 3)');
    await run('rm .npmrc && echo evil > .npmrc');
    await expect.poll(() => readlinkSync(at('.npmrc')), PATIENT).toBe('code/ordinary');
  });
});
