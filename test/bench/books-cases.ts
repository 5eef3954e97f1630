/**
 * `--books`: including books of ACL2's system in a session, beside ACL2 by itself. What counts is the time that the process has
 * had a processor, which others on the machine do not change much.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { MOST_USED } from '../books/most-used.ts';
import { call } from '../evaluation.ts';
import { StartedHarbor } from '../started-harbor.ts';
import type { Case, Cases } from './case.ts';
import { PlainAcl2, plainAcl2 } from './plain-acl2.ts';
import { processorTime } from './processor-time.ts';

/** Milliseconds for which a call waits before it answers with a job. */
const WAIT_MS = 600_000;

/**
 * @param named as `:dir :system` names them; none for those that are used most
 * @throws Error where there are no books, or none that is named
 */
export async function booksCases(named: readonly string[]): Promise<Cases> {
  const { image, books } = plainAcl2();
  const wanted = named.length > 0 ? named : MOST_USED;
  const certified = wanted.filter((book) => existsSync(path.join(books, `${book}.cert`)));
  if (certified.length === 0) throw new Error(`${books} has no certificate of ${wanted.join(', ')}.`);
  const harbor = await StartedHarbor.start();
  const client = await harbor.client();
  const cases = certified.flatMap((book) => casesOf(client, book, () => PlainAcl2.start(image, books)));
  return { cases, end: () => harbor.stop() };
}

/** Of one book: ACL2 by itself, and a session beside it. */
function casesOf(client: Client, book: string, start: () => Promise<PlainAcl2>): [Case, Case] {
  const plain = `books-plain-${book}`;
  const code = `(include-book "${book}" :dir :system)`;
  let acl2: PlainAcl2;
  let session: Session;
  return [
    {
      id: plain,
      what: `ACL2 by itself: ${book}`,
      before: async () => {
        acl2 = await start();
      },
      run: () => processorMs(acl2.pid, () => acl2.submit(code)),
      after: () => acl2.end(),
    },
    {
      id: `books-${book}`,
      what: `a session: ${book}`,
      against: plain,
      goal: { times: 1.1 },
      before: async () => {
        session = await opened(client);
      },
      run: () => processorMs(session.pid, () => included(client, session, code)),
      after: () => call(client, 'close_session', { session: session.session }),
    },
  ];
}

interface Session {
  session: string;
  pid: number;
}

async function opened(client: Client): Promise<Session> {
  const args = { engine: 'acl2' };
  const { session } = (await call<{ session: string }>(client, 'open_session', args)).structured;
  const { sessions } = (await call<{ sessions: Session[] }>(client, 'images')).structured;
  const found = sessions.find((each) => each.session === session);
  if (!found) throw new Error(`${session} is not there.`);
  return found;
}

async function included(client: Client, { session }: Session, code: string): Promise<void> {
  const { structured, text } = await call(client, 'eval', { code, session, wait_ms: WAIT_MS });
  if (structured.outcome !== 'ok') throw new Error(text);
}

/** Milliseconds of a processor that the process has had meanwhile. */
async function processorMs(pid: number, work: () => Promise<void>): Promise<number> {
  const before = used(pid);
  await work();
  return used(pid) - before;
}

function used(pid: number): number {
  return [...processorTime(pid).values()].reduce((sum, micros) => sum + micros / 1_000, 0);
}
