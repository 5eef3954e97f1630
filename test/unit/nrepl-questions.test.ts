/**
 * Our own code in an nREPL server that fails to load it once, for instance because memory is full for a
 * moment.
 */
import type { Buffer } from 'node:buffer';
import path from 'node:path';
import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { BencodeDecoder, type BencodeValue, encode } from '../../electron/host/bencode';
import { NreplClient } from '../../electron/images/nrepl/client';
import { NreplSession } from '../../electron/images/nrepl/nrepl-session';
import { SideEvaluator } from '../../electron/images/nrepl/queries';

const SOURCES = path.resolve(import.meta.dirname, '../../resources/clojure');

/**
 * A server that fails to evaluate the first file; `given` lists the files it received, `evaluated` everything
 * it ran.
 */
function server() {
  const [near, far] = duplexPair();
  const given: BencodeValue[] = [];
  const evaluated: BencodeValue[] = [];
  const decoder = new BencodeDecoder();
  const take = (request: BencodeValue) => {
    const { id, op, file, code } = request as Record<string, BencodeValue>;
    const status = ['done'];
    if (op === 'eval' && code) evaluated.push(code);
    if (op === 'eval' && file !== undefined && given.push(file) === 1) status.unshift('eval-error');
    far.write(encode({ id: id ?? '', 'new-session': 'one', out: 'answered', status }));
  };
  far.on('data', (chunk: Buffer) => {
    for (const request of decoder.read(chunk)) take(request);
  });
  return { client: new NreplClient(near), given, evaluated };
}

it('is sent again for the next query, and only once after it was loaded', async () => {
  const { client, given } = server();
  const session = await NreplSession.clone(client);
  if (!session) throw new Error('there is no session');
  const questions = new SideEvaluator(client, session, SOURCES);
  expect(await questions.run('(lisp-harbor.json/write 1)')).toEqual({ failure: 'error' });
  for (let count = 0; count < 2; count += 1)
    expect(await questions.run('(lisp-harbor.json/write 1)')).toEqual({ printed: 'answered' });
  expect(given).toEqual(['lisp_harbor/json.clj', 'lisp_harbor/json.clj']);
});

it('is required by a server that has it, and not sent', async () => {
  const { client, evaluated } = server();
  const session = await NreplSession.clone(client);
  if (!session) throw new Error('there is no session');
  const questions = new SideEvaluator(client, session, SOURCES, true);
  await questions.run('(lisp-harbor.json/write 1)');
  expect(evaluated).toEqual(["(require 'lisp-harbor.json)"]);
});
