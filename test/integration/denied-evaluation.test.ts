/** A person lets nobody evaluate: no way leads around that, by whatever name, endpoint or reader macro. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { StartedHarbor } from '../started-harbor';
import { TelnetClient } from '../telnet-client';

let harbor: StartedHarbor;
let decoy: string;

beforeAll(async () => {
  harbor = await StartedHarbor.start({
    settings: { approvals: [{ class: 'evaluate', answer: 'deny' }] },
    args: ['--telnet-port', '0'],
  });
  decoy = path.join(harbor.project, 'written');
});
afterAll(() => harbor.stop());

/** What would leave a trace. */
const writing = () => `(close (open ${JSON.stringify(decoy)} :direction :output :if-exists :supersede))`;

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
    expect(text).toMatch(/refused to .* by a rule of a person|#\. is not taken here/);
    expect(isError).toBe(true);
    expect(existsSync(decoy)).toBe(false);
  });

  it('a REPL over telnet runs nothing, and says why', async () => {
    const client = new TelnetClient(harbor.ready.telnet ?? 0);
    await client.until('Code: ');
    client.type(harbor.ready.telnetCode ?? '');
    await client.until('* ');
    client.type(writing());
    expect(await client.until('\r\n* ')).toMatch(/refused to .* by a rule of a person/);
    client.close();
    expect(existsSync(decoy)).toBe(false);
  });
});
