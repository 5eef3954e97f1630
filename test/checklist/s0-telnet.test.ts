/** Telnet: a REPL on a port of this computer, for who has the code of the time. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { PATIENT, StartedHarbor } from '../started-harbor';
import { TelnetClient } from '../telnet-client';

/** The first evaluation may have to build what images start from. */
const PATIENTLY = { timeout: 120_000 };

const IAC = 255;

let harbor: StartedHarbor;
const open: TelnetClient[] = [];

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--telnet-port', '0'] });
});
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});
afterAll(() => harbor.stop());

function telnet({ ready }: StartedHarbor = harbor): TelnetClient {
  const client = new TelnetClient(ready.telnet ?? 0);
  open.push(client);
  return client;
}

describe('telnet', PATIENTLY, () => {
  it('S0-27 gives a REPL with the prompt of the engine to who has the code, once', async () => {
    const client = telnet();
    expect(await client.until('Code: ')).toMatch(/^Lisp Harbor\./);
    client.type(harbor.ready.telnetCode?.replace('-', ' ') ?? '');
    await client.until('* ');
    client.type('(defun kept (x)');
    client.type('  (* x 7))');
    await client.until('KEPT\r\n* ');
    client.type('(format t "a~%b~%") (kept 6)');
    expect(await client.until('42\r\n* ')).toContain('a\r\nb\r\n');
    const again = telnet();
    await again.until('Code: ');
    again.type(harbor.ready.telnetCode ?? '');
    await again.until('That is not the code.');
  });

  it('S0-27 closes after three codes that are none, and at once on what a web page sends', async () => {
    const client = telnet();
    for (const code of ['1', '', 'aaaaa-aaaaa']) {
      await client.until('Code: ');
      client.type(code);
    }
    expect(await client.rest()).toMatch(/That is not the code\.\r\n$/);
    for (const opening of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01']) {
      const page = telnet();
      await page.until('Code: ');
      page.send(opening);
      expect(await page.rest()).toBe('');
    }
  });
});

describe('a session over telnet', PATIENTLY, () => {
  let own: StartedHarbor;
  let client: TelnetClient;

  beforeAll(async () => {
    own = await StartedHarbor.start({ args: ['--telnet-port', '0'] });
    client = new TelnetClient(own.ready.telnet ?? 0);
    await client.until('Code: ');
    client.type(own.ready.telnetCode ?? '');
    await client.until('* ');
  }, PATIENTLY.timeout);
  afterAll(() => own.stop());

  it('S0-27 refuses options, and interrupts what runs when the client asks for that', async () => {
    client.send([IAC, 253, 1]);
    await client.until([IAC, 252, 1]);
    client.type('(progn (print :begun) (finish-output) (loop))');
    await client.until(':BEGUN');
    client.send([IAC, 244, IAC, 242]);
    await client.until('; Evaluation interrupted.\r\n');
    await client.until('* ');
    client.type('(list');
    client.send([3]);
    await client.until('* ');
    client.type('(+ 1 2)');
    await client.until('3\r\n* ');
  });

  it('S0-27 shows the debugger as the engine does, and takes a restart by its number', async () => {
    client.type('(restart-case (error "on purpose") (again () :again))');
    expect(await client.until('0: [AGAIN]')).toContain('debugger invoked on a SIMPLE-ERROR');
    await client.until('\r\n0] ');
    client.type('0');
    await client.until(':AGAIN\r\n');
    await client.until('* ');
  });

  it('S0-27 is in the history, and ends with its connection', async () => {
    const asked = await call<{ rows: { client: string; session: string }[] }>(await own.client(), 'history', {
      query: 'begun',
    });
    const [row] = asked.structured.rows;
    expect(row?.client).toBe('telnet');
    const folder = path.join(own.data, 'sessions', row?.session ?? '');
    expect(existsSync(folder)).toBe(true);
    client.type('(loop)');
    client.send([4]);
    await expect.poll(() => existsSync(folder), PATIENT).toBe(false);
  });

  it('S0-29 opens where the variables ask for it, and for a port alone opens nothing', async () => {
    const asked = await StartedHarbor.start({ env: { START_TELNET: 'true', TELNET_PORT: '0' } });
    expect(asked.ready.telnet).toBeGreaterThan(0);
    await telnet(asked).until('Code: ');
    await asked.stop();
    for (const env of [{ TELNET_PORT: '0' }, { START_TELNET: 'false', TELNET_PORT: '0' }]) {
      const other = await StartedHarbor.start({ env });
      expect(other.ready).not.toHaveProperty('telnet');
      await other.stop();
    }
  });
});
