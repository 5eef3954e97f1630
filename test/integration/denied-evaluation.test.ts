/** A person lets nobody evaluate: no way leads around that, by whatever name, endpoint or reader macro. */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, evaluate } from '../evaluation';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { TelnetClient } from '../telnet-client';

let harbor: StartedHarbor;
let decoy: string;

const DENYING = { approvals: [{ class: 'evaluate', answer: 'deny' }] };

beforeAll(async () => {
  harbor = await StartedHarbor.start({ settings: DENYING, args: ['--telnet-port', '0'] });
  decoy = path.join(harbor.project, 'written');
});
afterAll(() => harbor.stop());

/** What would leave a trace. */
const writing = (file = decoy) =>
  `(close (open ${JSON.stringify(file)} :direction :output :if-exists :supersede))`;

/** A form that writes when it is expanded. */
const macro = () => `(macrolet ((m () ${writing()})) (m))`;

describe('where nobody may evaluate', { timeout: 120_000 }, () => {
  it.each([
    ['describe', 'default', () => ({ form: `#.${writing()}` })],
    ['describe', 'default', () => ({ form: macro(), expand: 'full' })],
    ['macroexpand-form', 'cl-mcp-server', () => ({ form: `#.${writing()}` })],
    ['macroexpand-form', 'cl-mcp-server', () => ({ form: macro(), full: true })],
  ])('%s of profile %s runs nothing', async (tool, profile, args) => {
    const { text, isError } = await call(await harbor.client('legacy', { profile }), tool, args());
    expect(text).toMatch(/A user rule denies|#\. is not allowed/);
    expect(isError).toBe(true);
    expect(existsSync(decoy)).toBe(false);
  });

  it('a call that is wrong anyway is told so, before anybody is asked', async () => {
    const client = await harbor.client();
    const [unknown, wrong] = [{ code: '1', session: 'sbcl-none' }, { code: 1 }];
    expect((await call(client, 'eval', unknown)).text).toMatch(/^unknown_session: /);
    expect((await call(client, 'eval', wrong)).text).toMatch(/^bad_arguments: /);
    const adapted = await harbor.client('legacy', { profile: 'acl2' });
    const named = await call(adapted, 'get_package', { session_id: 'sbcl-none' });
    expect(named.text).toMatch(/^unknown_session: /);
  });

  it('a session that sleeps is not woken, and brings nothing back', async () => {
    const [data, project] = [temporaryFolder('data'), temporaryFolder('project')];
    const trace = path.join(project, 'written');
    const before = await StartedHarbor.start({ data, project });
    const client = await before.client();
    const opened = await call<{ session: string }>(client, 'open_session');
    const { session } = opened.structured;
    await evaluate(client, `(defun written () 1) (defparameter *w* ${writing(trace)})`, { session });
    rmSync(trace);
    await before.stop();
    const after = await StartedHarbor.start({ data, project, settings: DENYING });
    onTestFinished(async () => {
      await after.stop();
      for (const folder of [data, project]) rmSync(folder, { recursive: true });
    });
    const asking = await after.client();
    const { text } = await call(asking, 'describe', { symbol: 'written', session });
    expect(text).toMatch(/^not_approved: A user rule denies/);
    const { structured } = await call<{ sessions: object[] }>(asking, 'images');
    expect(structured.sessions).toMatchObject([{ session, state: 'asleep' }]);
    expect(existsSync(trace)).toBe(false);
  });

  it('a REPL over telnet runs nothing, and says why', async () => {
    const client = new TelnetClient(harbor.ready.telnet ?? 0);
    await client.until('Code: ');
    client.type(harbor.ready.telnetCode ?? '');
    await client.until('* ');
    client.type(writing());
    expect(await client.until('\r\n* ')).toMatch(/A user rule denies/);
    client.close();
    expect(existsSync(decoy)).toBe(false);
  });
});
