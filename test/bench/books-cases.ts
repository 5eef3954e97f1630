/** Including books of ACL2's system in a session, beside ACL2 by itself; nothing where there are no books. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Client } from '@modelcontextprotocol/client';
import { call } from '../evaluation.ts';
import type { StartedHarbor } from '../started-harbor.ts';
import type { Case } from './case.ts';

const BOOKS = ['std/lists/top', 'centaur/fty/top'];

/** Milliseconds for which a call waits before it answers with a job. */
const WAIT_MS = 600_000;

const PROMPT = 'ACL2 !>';

export async function booksCases(harbor: StartedHarbor): Promise<Case[]> {
  const client = await harbor.client();
  const arithmetic = await inNewSession(client, including('arithmetic/top'));
  return (await arithmetic()) === 'ok' ? BOOKS.flatMap((book) => casesOf(client, book)) : [];
}

/** Of one book: ACL2 by itself, and a session beside it. */
export function casesOf(client: Client, book: string): [Case, Case] {
  const plain = `books-plain-${book}`;
  let acl2: PlainAcl2;
  let include: () => Promise<string>;
  return [
    {
      id: plain,
      what: `ACL2 by itself: ${book}`,
      before: async () => {
        acl2 = await PlainAcl2.start();
      },
      run: () => acl2.submit(including(book)),
      after: () => acl2.end(),
    },
    {
      id: `books-${book}`,
      what: `a session: ${book}`,
      against: plain,
      before: async () => {
        include = await inNewSession(client, including(book));
      },
      run: () => include(),
    },
  ];
}

/** Answers the outcome, and the session is closed then. */
async function inNewSession(client: Client, code: string): Promise<() => Promise<string>> {
  const opened = await call<{ session: string }>(client, 'open_session', { engine: 'acl2' });
  const { session } = opened.structured;
  return async () => {
    const args = { code, session, wait_ms: WAIT_MS };
    const { outcome } = (await call<{ outcome: string }>(client, 'eval', args)).structured;
    await call(client, 'close_session', { session });
    return outcome;
  };
}

function including(book: string): string {
  return `(include-book "${book}" :dir :system)`;
}

/** ACL2 as somebody starts it at a shell. */
class PlainAcl2 {
  readonly #process: ChildProcessWithoutNullStreams;
  #printed = '';
  #prompted: () => void = () => undefined;

  static async start(): Promise<PlainAcl2> {
    const acl2 = new PlainAcl2();
    await acl2.#prompt();
    return acl2;
  }

  private constructor() {
    const books = process.env.ACL2_BOOKS ? { ACL2_SYSTEM_BOOKS: process.env.ACL2_BOOKS } : {};
    const env = { ...process.env, ...books, ACL2_CUSTOMIZATION: 'NONE' };
    this.#process = spawn(process.env.ACL2 || 'acl2', [], { env });
    this.#process.stdout.on('data', (chunk: Buffer) => {
      this.#printed += chunk.toString();
      if (this.#printed.trimEnd().endsWith(PROMPT)) this.#prompted();
    });
  }

  async submit(form: string): Promise<void> {
    const prompted = this.#prompt();
    this.#process.stdin.write(`${form}\n`);
    await prompted;
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.stdin.end();
    await ended;
  }

  /** Settles when it prompts anew. */
  #prompt(): Promise<void> {
    this.#printed = '';
    return new Promise((resolve) => {
      this.#prompted = resolve;
    });
  }
}
