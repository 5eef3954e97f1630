/** What a person writes into the settings file while the harbor runs holds at once, and is never overwritten. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;
let outside: string;

beforeAll(async () => {
  outside = temporaryFolder('outside');
  writeFileSync(path.join(outside, 'a.lisp'), '(defun a () 1)\n');
  harbor = await StartedHarbor.start({ settings: { engine: 'nbb' } });
  client = await harbor.client();
});

afterAll(async () => {
  expect(await harbor.stop()).toBe(0);
  rmSync(outside, { recursive: true, force: true });
});

const file = () => path.join(harbor.data, 'settings.json');
const write = (settings: string | object) =>
  writeFileSync(file(), typeof settings === 'string' ? settings : JSON.stringify(settings));
const log = () => {
  const folder = path.join(harbor.data, 'log');
  return readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('');
};
const images = async () => (await call(client, 'images')).text;
const read = async () => (await call(client, 'read_file', { path: path.join(outside, 'a.lisp') })).text;

it('opens a folder to the file tools, and closes it again', async () => {
  expect(await read()).toContain('path_not_allowed');
  write({ engine: 'nbb', allowList: [{ folder: outside, power: 'read' }] });
  await expect.poll(read, PATIENT).toContain('(defun a ()');
  write({ engine: 'nbb' });
  await expect.poll(read, PATIENT).toContain('path_not_allowed');
});

it('names another default engine', async () => {
  write({ engine: 'nbb' });
  await expect.poll(images, PATIENT).toMatch(/^Engines: .*\bnbb \S+ \(default\)/);
  write({ engine: 'sbcl' });
  await expect.poll(images, PATIENT).toMatch(/^Engines: .*\bsbcl \S+ \(default\)/);
});

it('changes nothing while the file cannot be read, and leaves it as it is', async () => {
  write({ engine: 'sbcl', allowList: [{ folder: outside, power: 'read' }] });
  await expect.poll(read, PATIENT).toContain('(defun a ()');
  write('{ "engine": "nbb", ');
  await expect.poll(log, PATIENT).toMatch(/settings file cannot be read .*line 1, column 20/);
  expect(await read()).toContain('(defun a ()');
  expect(readFileSync(file(), 'utf8')).toBe('{ "engine": "nbb", ');
  write({ engine: 'sbcl' });
  await expect.poll(read, PATIENT).toContain('path_not_allowed');
});

it('keeps a rule in force that cannot be read any more, and takes over what can', async () => {
  const evaluates = async () => (await call(client, 'eval', { code: '(+ 1 2)' })).text;
  write({ engine: 'nbb', approvals: [{ class: 'evaluate', answer: 'deny' }] });
  await expect.poll(evaluates, PATIENT).toContain('not_approved');
  write('{\n "engine": "sbcl",\n "approvals": [{ "class": "evaluate", "answer": "denied" }]\n}');
  await expect.poll(images, PATIENT).toMatch(/^Engines: .*\bsbcl \S+ \(default\)/);
  expect(await evaluates()).toContain('not_approved');
  expect(log()).toMatch(/line 3, column 49: approvals\.0\.answer: .*previous value/);
  write({ engine: 'nbb', approvals: [{ class: 'evaluate', answer: 'allow' }] });
  await expect.poll(evaluates, PATIENT).not.toContain('not_approved');
});
