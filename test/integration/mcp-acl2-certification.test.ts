/** A certification as agents are told of it: each book as data, the text as short as ever, and how far it is while it runs. */
import { rmSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { basketWith, ENDLESS_EVENT, SHOP } from '../shop-books';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { writeFiles } from './loading-fixture';

interface Told {
  report: { proof: { certification: { books: unknown } } };
}

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ settings: { softLimitMs: 500 } });
  client = await harbor.client();
  writeFiles(harbor.project, SHOP);
});
afterAll(() => harbor.stop());

async function openAcl2(): Promise<string> {
  const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'acl2' });
  return structured.session;
}

/** The end of a certification that may have become a job. */
async function certified(session: string, path: string) {
  const begun = await call<Told & { job?: string }>(client, 'run_tests', { session, path });
  const { job } = begun.structured;
  return job === undefined ? begun : call<Told>(client, 'job', { job, action: 'wait', wait_ms: 100_000 });
}

it('is of all books in a folder, or of one by its name', async () => {
  const session = await openAcl2();
  writeFiles(harbor.project, { 'bk/one.lisp': '(in-package "ACL2")\n(defun one (x) x)\n' });
  for (const path of ['bk', 'bk/one', 'bk/one.lisp']) {
    const { structured, isError } = await certified(session, path);
    expect(isError).toBe(false);
    expect(structured.report.proof.certification.books).toMatchObject([{ book: 'bk/one' }]);
  }
  expect((await call(client, 'run_tests', { session, path: 'nowhere' })).text).toMatch(
    /^file_missing: nowhere does not exist/,
  );
});

it('has each book as data, and of one that failed why', async () => {
  const session = await openAcl2();
  const good = await certified(session, 'shop.lisp');
  expect(good.structured.report.proof.certification.books).toEqual([
    { book: 'parts/price', state: 'certified', ms: expect.any(Number) },
    { book: 'basket', state: 'certified', includes: ['parts/price'], ms: expect.any(Number) },
    { book: 'shop', state: 'certified', includes: ['basket'], ms: expect.any(Number) },
  ]);
  writeFiles(harbor.project, { 'basket.lisp': basketWith('(defthm wrong (equal (price x) x))') });
  const { structured, text, isError } = await certified(session, 'shop.lisp');
  expect(isError).toBe(true);
  expect(structured.report.proof.certification.books).toEqual([
    { book: 'parts/price', state: 'unchanged' },
    {
      book: 'basket',
      state: 'failed',
      includes: ['parts/price'],
      because: 'DEFTHM WRONG: the proof failed, with 1 key checkpoint',
      ms: expect.any(Number),
    },
    { book: 'shop', state: 'left', includes: ['basket'], because: 'basket' },
  ]);
  expect(text.match(/basket/g)?.length).toBeLessThan(5);
});

it('tells how far each book is to who asks while it runs', { timeout: 120_000 }, async () => {
  const session = await openAcl2();
  writeFiles(harbor.project, { 'basket.lisp': basketWith(ENDLESS_EVENT) });
  const heard: string[] = [];
  const begun = await client.callTool(
    { name: 'run_tests', arguments: { session, path: 'shop.lisp' } },
    { onprogress: ({ message = '' }) => void heard.push(message) },
  );
  const { job } = begun.structuredContent as { job: string };
  const waiting = client.callTool(
    { name: 'job', arguments: { job, action: 'wait', wait_ms: 100_000 } },
    { onprogress: ({ message = '' }) => void heard.push(message) },
  );
  const line = /1 of 3 books · at work: basket \d+ s/;
  await expect.poll(() => heard.join('\n'), PATIENT).toMatch(line);
  const { structured, text } = await call(client, 'job', { job, action: 'status' });
  expect(text).toMatch(line);
  expect(structured).toMatchObject({
    progress: {
      books: { total: 3, done: 1, at_work: [{ book: 'basket', ms: expect.any(Number) }], failed: [] },
    },
  });
  await call(client, 'job', { job, action: 'cancel' });
  await waiting;
  const ended = await call<Told>(client, 'job', { job, action: 'status' });
  expect(ended.structured.report.proof.certification.books).toMatchObject([
    { book: 'parts/price' },
    { book: 'basket', state: 'interrupted' },
    { book: 'shop', state: 'left' },
  ]);
});

it('has what has become of each book when the harbor ends meanwhile', { timeout: 120_000 }, async () => {
  const [data, project] = [temporaryFolder('data'), temporaryFolder('project')];
  onTestFinished(() =>
    [data, project].forEach((folder) => void rmSync(folder, { recursive: true, force: true })),
  );
  writeFiles(project, { ...SHOP, 'basket.lisp': basketWith(ENDLESS_EVENT) });
  const first = await StartedHarbor.start({ data, project, settings: { softLimitMs: 500 } });
  onTestFinished(async () => void (await first.stop()));
  const before = await first.client();
  const { structured: opened } = await call<{ session: string }>(before, 'open_session', { engine: 'acl2' });
  const asked = { path: 'shop.lisp', session: opened.session };
  const { structured: begun } = await call<{ id: number; job: string }>(before, 'run_tests', asked);
  const { id, job } = begun;
  await expect
    .poll(async () => (await call(before, 'job', { job, action: 'status' })).text, PATIENT)
    .toContain('at work: basket');
  await first.stop();
  const next = await StartedHarbor.start({ data, project });
  onTestFinished(async () => void (await next.stop()));
  const { structured } = await call<{ evaluation: Told }>(await next.client(), 'history', { id });
  expect(structured.evaluation.report.proof.certification.books).toMatchObject([
    { book: 'parts/price', state: 'certified' },
    { book: 'basket', state: 'interrupted' },
    { book: 'shop', state: 'left', because: 'basket' },
  ]);
});
