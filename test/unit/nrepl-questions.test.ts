/** Our own code in an nREPL server that fails to take it once, as one does whose memory is full for a moment. */
import type { Buffer } from 'node:buffer';
import path from 'node:path';
import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { BencodeDecoder, type BencodeValue, encode } from '../../electron/images/nrepl/bencode';
import { NreplClient } from '../../electron/images/nrepl/client';
import { NreplSession } from '../../electron/images/nrepl/nrepl-session';
import { NreplQuestions } from '../../electron/images/nrepl/questions';

const SOURCES = path.resolve(import.meta.dirname, '../../resources/clojure');

/** A server that fails to evaluate the first file it is given; `given` names all that it is, `evaluated` is all it has run. */
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

it('is given again for the next question, and once when it was taken', async () => {
  const { client, given } = server();
  const session = await NreplSession.clone(client);
  if (!session) throw new Error('there is no session');
  const questions = new NreplQuestions(client, session, SOURCES);
  expect(await questions.ask('(lisp-harbor.json/write 1)')).toEqual({ failure: 'error' });
  for (let count = 0; count < 2; count += 1)
    expect(await questions.ask('(lisp-harbor.json/write 1)')).toEqual({ printed: 'answered' });
  expect(given).toEqual(['lisp_harbor/json.clj', 'lisp_harbor/json.clj']);
});

it('is named to a server that has it, and not sent', async () => {
  const { client, evaluated } = server();
  const session = await NreplSession.clone(client);
  if (!session) throw new Error('there is no session');
  const questions = new NreplQuestions(client, session, SOURCES, true);
  await questions.ask('(lisp-harbor.json/write 1)');
  expect(evaluated).toEqual(["(require 'lisp-harbor.json)"]);
});
