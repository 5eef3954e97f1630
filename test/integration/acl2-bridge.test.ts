/** The port of the ACL2 Bridge on a started harbor: who gets in, what is not answered, and how connections end. */
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { frame, MAX_CONTENT_BYTES } from '../../electron/compat/acl2-bridge/bridge-frames';
import { call } from '../evaluation';
import { acl2Processes } from '../processes';
import { PATIENT, StartedHarbor } from '../started-harbor';

/** Runs for longer than any test when it is called with 70. */
const FIB = '(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))';

/** GCL prints some megabytes: seconds of a core. */
const PRINTING = { timeout: 120_000 };

let harbor: StartedHarbor;
let client: Client;
beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--bridge-port', '0'] });
  client = await harbor.client();
});
afterAll(() => harbor.stop());

/** A client that counts bytes, and says what it says. */
class Connection {
  readonly socket: Socket;
  readonly ended: Promise<string>;
  #received = '';

  constructor() {
    this.socket = connect(harbor.ready.bridge ?? 0, '127.0.0.1');
    this.socket.setEncoding('utf8').on('data', (piece) => {
      this.#received += piece;
    });
    this.ended = new Promise((resolve) => {
      // A reset ends it as well.
      this.socket.on('error', () => undefined).once('close', () => resolve(this.#received));
    });
    onTestFinished(() => void this.socket.destroy());
  }

  send(...commands: string[]): void {
    for (const command of commands) this.socket.write(frame('LISP', command));
  }

  /** Waits until `wanted` has come, and answers all that came up to it. */
  async until(wanted: RegExp): Promise<string> {
    const ended = this.ended.then(() => true);
    while (!wanted.test(this.#received)) {
      const more = once(this.socket, 'data').then(() => false);
      if (await Promise.race([ended, more])) throw new Error(`It ended after ${this.#received}`);
    }
    const received = this.#received;
    this.#received = '';
    return received;
  }

  /** What a command is answered with, up to READY. */
  async command(command: string): Promise<string> {
    this.send(command);
    return this.until(/READY 0\n\n$/);
  }

  async greeted(): Promise<this> {
    expect(await this.until(/READY 0\n\n$/)).toMatch(/^ACL2_BRIDGE_HELLO \d+\nbridge-worker-\d+\n/);
    return this;
  }
}

const greeted = () => new Connection().greeted();
const processes = () => acl2Processes(harbor.child.pid);

interface Rows {
  rows: { id: number; client: string; outcome: string; code: string }[];
}

interface Row {
  evaluation: { notes: string[] };
}

async function rows(query: string): Promise<Rows['rows']> {
  return (await call<Rows>(client, 'history', { query })).structured.rows;
}

describe('who gets in', () => {
  it.each([
    ['a web page', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    ['a form with a command in it', 'POST / HTTP/1.1\r\nContent-Length: 15\r\n\r\nLISP 7\n(+ 1 2)\n'],
    ['TLS', '\x16\x03\x01\x00\x05'],
  ])('not %s', async (_name, bytes) => {
    const visitor = await greeted();
    visitor.socket.write(bytes, 'latin1');
    expect(await visitor.ended).toBe('');
    const sessions = path.join(harbor.data, 'sessions');
    expect(existsSync(sessions) ? readdirSync(sessions) : []).toEqual([]);
  });

  it('many at once, each with a world of its own', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, greeted));
    await Promise.all(clients.map((each, number) => each.command(`(defconst *mine* ${number})`)));
    const answers = await Promise.all(clients.map((each) => each.command('*mine*')));
    expect(answers).toEqual(clients.map((_, number) => `RETURN 1\n${number}\nREADY 0\n\n`));
  });
});

describe('commands', () => {
  it('are in the history, as their client’s, as they were evaluated', async () => {
    const bridge = await greeted();
    await bridge.command('(bridge::in-main-thread (list 20 26))');
    expect(await rows('list 20 26')).toEqual([
      expect.objectContaining({ client: 'bridge', outcome: 'ok', code: '(list 20 26)' }),
    ]);
  });

  it('that come before they are asked for are answered in their order', async () => {
    const bridge = await greeted();
    bridge.send('(+ 1 1)', '(car', '(+ 2 2)');
    const answers = await bridge.until(/\n4\nREADY 0\n\n$/);
    expect(answers).toMatch(
      /^RETURN 1\n2\nREADY 0\n\nERROR \d+\n[\s\S]*\nREADY 0\n\nRETURN 1\n4\nREADY 0\n\n$/,
    );
  });

  it('that are too long are refused, and those after them answered', async () => {
    const bridge = await greeted();
    const refused = await bridge.command('x'.repeat(MAX_CONTENT_BYTES + 1));
    expect(refused).toContain(`the maximum is ${MAX_CONTENT_BYTES}`);
    expect(await bridge.command('(+ 1 2)')).toBe('RETURN 1\n3\nREADY 0\n\n');
  });

  it('without a form are refused', async () => {
    expect(await (await greeted()).command('; nothing')).toContain('no form in it');
  });

  it('print while they run', async () => {
    const bridge = await greeted();
    await bridge.command(FIB);
    bridge.send('(prog2$ (cw "ready~%") (fib 70))');
    expect(await bridge.until(/ready/)).not.toContain('RETURN');
  });
});

describe('values', () => {
  it('are whole, however long', async () => {
    const answer = await (await greeted()).command('(make-list 100000)');
    expect(answer).toBe(`RETURN 400001\n(${'NIL '.repeat(99_999)}NIL)\nREADY 0\n\n`);
  });

  it('that are too long are an error', PRINTING, async () => {
    const answer = await (await greeted()).command(`(make-list 5000 :initial-element "${'x'.repeat(1000)}")`);
    expect(answer).toMatch(/^ERROR \d+\nError writing return value:\nIt has more than 4194304 characters/);
  });

  it('that are no text are an error', async () => {
    const answer = await (await greeted()).command('(coerce (list (code-char 233)) (quote string))');
    expect(answer).toMatch(/^ERROR \d+\nError writing return value:\n[^\n]*not UTF-8/);
  });
});

describe('the end', () => {
  it('of the connection interrupts what runs, and leaves no process', async () => {
    const bridge = await greeted();
    await bridge.command(FIB);
    bridge.send('(prog2$ (cw "until closed~%") (fib 70))', '(+ 3 33)');
    await bridge.until(/until closed/);
    bridge.socket.end();
    const outcomes = async () => (await rows('until closed')).map(({ outcome }) => outcome);
    await expect.poll(outcomes, PATIENT).toEqual(['interrupted']);
    const [{ id } = { id: 0 }] = await rows('until closed');
    const { evaluation } = (await call<Row>(client, 'history', { id })).structured;
    expect(evaluation.notes, 'by ending its image').toEqual([]);
    await expect.poll(processes, PATIENT).toEqual([]);
    expect(await rows('3 33')).toEqual([]);
  });

  it('of ACL2 is told, and ends the connection', async () => {
    const bridge = await greeted();
    bridge.send('(good-bye)');
    expect(await bridge.ended).toMatch(/ERROR \d+\n[\s\S]*ACL2 exited with code 0/);
  });

  it('of an ACL2 that does nothing ends the connection, so that no other world takes its place', async () => {
    const bridge = await greeted();
    await bridge.command('(defconst *lost* 1)');
    await expect.poll(processes, PATIENT).toHaveLength(1);
    for (const pid of processes()) process.kill(pid, 'SIGKILL');
    expect(await bridge.ended).toBe('');
  });
});

it('is closed unless it is asked for', async () => {
  const other = await StartedHarbor.start({ env: { BRIDGE_PORT: '0' } });
  onTestFinished(async () => void (await other.stop()));
  expect(other.ready).not.toHaveProperty('bridge');
});
