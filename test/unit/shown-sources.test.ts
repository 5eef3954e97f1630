/** A call that loads files shows them, bound by text or hash, and nothing runs once they are others. */
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { Approvals } from '../../electron/access/approvals';
import { grantFor } from '../../electron/access/grant';
import type { AcceptedCall, FileText } from '../../electron/contract/approvals';
import type { Sessions } from '../../electron/sessions/sessions';
import { shownSources } from '../../electron/tools/evaluation/shown-sources';
import type { Caller } from '../../electron/tools/tool';

let project: string;
const at = (...names: string[]) => path.join(project, ...names);
const sessions = { librariesOf: () => [] } as unknown as Sessions;
const sources = (args: { path?: string; fetch?: boolean }) =>
  shownSources(args, { project } as Caller, sessions);
const texts = async (args: { path?: string }) => (await sources(args)).map(({ text }) => text);

beforeEach(() => {
  project = realpathSync(mkdtempSync(path.join(tmpdir(), 'shown-sources-')));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  mkdirSync(at('src'));
  writeFileSync(at('src/a.lisp'), '(print 1)');
  writeFileSync(at('notes.txt'), 'no source');
});

it('shows a file with its text, and the project’s sources with their hashes', async () => {
  const [text, list] = await texts({ path: 'src/a.lisp' });
  expect(text).toBe('(print 1)');
  expect(list).toContain('src/a.lisp');
  expect(list).not.toContain('notes.txt');
  expect(await texts({})).toEqual([list]);
  expect(await sources({ fetch: true })).toEqual([]);
});

it.each(['one character', 'a character beyond the end that is shown'])(
  'differs when %s changes',
  async (what) => {
    if (what !== 'one character') writeFileSync(at('src/a.lisp'), ';'.repeat(200_000));
    const before = await texts({ path: 'src/a.lisp' });
    expect(before.join('').length).toBeLessThan(100_000);
    appendFileSync(at('src/a.lisp'), '!');
    const after = await texts({ path: 'src/a.lisp' });
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  },
);

it('differs when a file that is too long to show changes', async () => {
  const file = openSync(at('src/a.lisp'), 'w');
  ftruncateSync(file, 17 * 1024 * 1024);
  const before = await texts({ path: 'src/a.lisp' });
  writeSync(file, '(evil)', 16 * 1024 * 1024);
  closeSync(file);
  const after = await texts({ path: 'src/a.lisp' });
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
});

it('differs when a file of many that are not named changes', async () => {
  for (let n = 0; n < 150; n += 1) writeFileSync(at(`src/b${n}.lisp`), `${n}`);
  const before = await texts({});
  expect(before.join('\n').split('\n').length).toBeLessThan(110);
  for (const name of ['src/b0.lisp', 'src/b99.lisp']) {
    writeFileSync(at(name), 'evil');
    expect(await texts({})).not.toEqual(before);
    writeFileSync(at(name), name.replace(/\D/g, ''));
    expect(await texts({})).toEqual(before);
  }
});

it('fails for a file that is missing or leads out of the project', async () => {
  symlinkSync('/etc/passwd', at('src/link.lisp'));
  for (const file of ['src/none.lisp', 'src/link.lisp', '../x.lisp'])
    await expect(sources({ path: file })).rejects.toMatchObject({ code: expect.stringContaining('file_') });
});

it.each(['as it was', 'changed', 'another name', 'gone'])('runs what was shown: now %s', async (now) => {
  let current: FileText[] = [{ file: 'a', text: 'x' }];
  const approvals = new Approvals({
    rules: () => [{ client: null, class: 'load', answer: 'ask' }],
    addRule: () => undefined,
    isAttended: () => true,
  });
  const call: AcceptedCall = { args: { path: 'a' }, sources: async () => current };
  const asked = approvals.require({ client: 'codex', class: 'load', tool: 'load', call });
  await expect.poll(() => approvals.state.questions.length).toBe(1);
  const [question] = approvals.state.questions;
  expect(JSON.stringify(question?.parts)).toContain('"code":"x"');
  if (question) approvals.answer(question, 'once');
  await asked;
  if (now === 'changed') current = [{ file: 'a', text: 'y' }];
  if (now === 'another name') current = [{ file: 'b', text: 'x' }];
  if (now === 'gone') current = [];
  const admission = approvals.guard(
    { client: 'codex', class: 'load', tool: 'load', code: '(load "a")' },
    grantFor('codex', 'load', call),
  );
  const refusal = await admission(new AbortController().signal);
  expect(refusal?.code ?? null).toBe(now === 'as it was' ? null : 'hash_mismatch');
});
