/**
 * Files of a loaded system outside the libraries, requested over MCP without a window: refused, with what
 * would allow them.
 */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;
let lamp: string;
let other: string;

beforeAll(async () => {
  const outside = realpathSync(temporaryFolder('outside'));
  [lamp, other] = [path.join(outside, 'lamp'), path.join(outside, 'other')];
  for (const folder of [lamp, other]) mkdirSync(folder);
  writeFileSync(path.join(lamp, 'lamp.asd'), '(defsystem "lamp" :components ((:file "lamp")))');
  writeFileSync(path.join(lamp, 'lamp.lisp'), '(defun wick () :lit)');
  writeFileSync(path.join(other, 'stray.lisp'), '(stray)');
  // The image can read the system, like an image of the user's own that contains it.
  harbor = await StartedHarbor.start({ args: ['--unconfined'] });
  client = await harbor.client();
  const code = `(asdf:load-asd "${lamp}/lamp.asd") (asdf:load-system "lamp")`;
  expect((await evaluate(client, code)).isError).toBe(false);
});
afterAll(() => harbor.stop());

describe('without a window', () => {
  it.each([
    ['read_file', () => ({ path: `${lamp}/lamp.lisp` })],
    ['find', () => ({ query: 'wick', kind: 'text', path: lamp })],
  ])('%s says which entry opens the folder of the system', async (tool, args) => {
    const { isError, text } = await call(client, tool, args());
    expect(isError).toBe(true);
    const entry = JSON.stringify({ folder: lamp, power: 'read', reason: '…' });
    expect(text).toMatch(/^path_not_allowed: .*sbcl-\w+ claims that it belongs to the loaded system lamp/);
    expect(text).toContain(`under "allowList" in settings.json: ${entry}`);
  });

  it('tells of the file alone where no system has it, and of nothing where an edit is meant', async () => {
    const stray = await call(client, 'read_file', { path: `${other}/stray.lisp` });
    expect(stray.text).toMatch(/^path_not_allowed: /);
    expect(stray.text).not.toContain('claims that it belongs');
    const edit = { path: `${lamp}/lamp.lisp`, operation: 'delete', form_type: 'defun', form_name: 'wick' };
    expect((await call(client, 'edit_form', edit)).text).not.toContain('claims that it belongs');
  });
});
