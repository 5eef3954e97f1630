/**
 * Sessions of nbb and Clojure after their image is lost: definitions are restored, the rest is reported as
 * missing.
 */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { Engines } from '../../electron/images/discovery';
import type { Engine } from '../../electron/images/image';
import { NbbEngine } from '../../electron/images/nbb/engine';
import { sessionSource } from '../../electron/sessions/export/session-source';
import type { Session } from '../../electron/sessions/session/session';
import { STARTING_MS } from '../nrepl-server';
import { engine as clojure } from './clojure-fixture';
import { IMAGE_FILE } from './nbb-fixture';
import { evaluate, pidOf, sessionsFixture } from './sessions-fixture';

async function open(engine: Engine): Promise<Session> {
  return (await opened(engine)).session;
}

async function opened(engine: Engine) {
  const { sessions, project, history } = sessionsFixture({
    instead: { engines: new Engines([engine], () => undefined) },
  });
  const again = () => sessions.open({ client: 'tester', engine: engine.name, project });
  return { session: await again(), again, history };
}

async function told(session: Session, code: string): Promise<{ values: string[]; notes: string }> {
  const { forms, notes, condition } = await evaluate(session, code).settled;
  expect(condition).toBeNull();
  return { values: forms.at(-1)?.values ?? [], notes: noteTexts(notes).join('\n') };
}

const DEFINITIONS = `(ns shop.cart (:require [clojure.string :as string]))
(defn shout [text] (string/upper-case text))
(defmacro twice [form] \`(do ~form ~form))
(defprotocol Priced (price [it]))
(defrecord Item [name] Priced (price [_] 42))
(def stock (atom 1))
(swap! stock inc)
(comment (never))
(let [n 1] (defn counted [] n))`;

const USES = '[(str *ns*) (shout "a") (twice 5) (price (->Item 1)) @stock (counted)]';

describe.each<[string, () => Engine]>([
  ['nbb', () => new NbbEngine(IMAGE_FILE)],
  ['clojure', () => clojure],
])('a session of %s', (name, engine) => {
  it(
    'comes back with its definitions, in the namespace it was in, and names what it left out',
    async () => {
      const session = await open(engine());
      const first = evaluate(session, DEFINITIONS);
      await first.settled;
      await evaluate(session, '(ns shop.desk) (def here 1) (throw (ex-info "no" {})) (def there 2)').settled;
      expect((await told(session, '(ns shop.cart) [(count "ab")] [stock]')).values).toHaveLength(1);
      process.kill(await pidOf(session), 'SIGKILL');
      await expect.poll(() => session.state).toBe('lost');
      const { values, notes } = await told(session, USES);
      expect(values).toEqual(['["shop.cart" "A" 5 42 1 1]']);
      expect(notes).toContain('generation 2');
      expect(notes).toContain('10 forms of the history, evaluated again');
      expect(notes).toContain(`Not evaluated again: #${first.id} (swap! stock inc) (it defines nothing); #`);
      expect(notes).toContain('[(count "ab")] (it defines nothing)');
      expect(notes).not.toMatch(/^$/m);
      expect((await told(session, "[shop.desk/here (resolve 'shop.desk/there)]")).values).toEqual([
        '[1 nil]',
      ]);
      if (name === 'nbb') return;
      const { results = [] } =
        (await session.ability('knowledge').find({ kind: 'definitions', query: 'counted', limit: 1 })) ?? {};
      expect(results[0]?.source).toEqual({ evaluation: first.id, line: 9 });
    },
    2 * STARTING_MS,
  );
});

describe('what a session has defined', () => {
  it('is exported as a file that a fresh one takes', async () => {
    const { session, again, history } = await opened(new NbbEngine(IMAGE_FILE));
    await evaluate(session, DEFINITIONS).settled;
    const { text, definitions, extension } = await sessionSource(session, history.evaluations);
    expect({ definitions, extension }).toEqual({ definitions: 7, extension: 'cljs' });
    expect(text).toMatch(/^;; ABOUTME: Definitions of session ".*\n\n\(ns shop\.cart /s);
    expect(text).not.toContain('swap!');
    const fresh = await again();
    expect((await told(fresh, `${text}${USES}`)).values).toEqual(['["shop.cart" "A" 5 42 1 1]']);
  });
});

describe('a loop that blocks nbb', () => {
  it('is stopped by ending it; definitions are evaluated again, and that is said', async () => {
    const session = await open(new NbbEngine(IMAGE_FILE));
    await evaluate(session, '(defn kept [] 42)').settled;
    const looping = evaluate(session, '(loop [] (recur))');
    await expect.poll(() => session.running?.id).toBe(looping.id);
    await session.cancel(looping);
    expect(await looping.settled).toMatchObject({
      outcome: 'interrupted',
      notes: expect.arrayContaining([
        { kind: 'image_lost', text: expect.stringContaining('The next evaluation gets a new one') },
      ]),
    });
    const { values, notes } = await told(session, '(kept)');
    expect(values).toEqual(['42']);
    expect(notes).toContain('because an evaluation could only be stopped by ending its image');
    expect(notes).toContain('1 form of the history, evaluated again');
  });
});

describe('a definition that fails when it is evaluated again', () => {
  it('is named with the reason, and the others come back', async () => {
    const session = await open(new NbbEngine(IMAGE_FILE));
    const file = path.join(session.identity.project, 'note.txt');
    writeFileSync(file, 'read');
    await evaluate(session, '(ns a (:require ["node:fs" :as fs]))').settled;
    await evaluate(session, '(def note (str (fs/readFileSync "note.txt"))) (def answer 42)').settled;
    rmSync(file);
    process.kill(await pidOf(session), 'SIGKILL');
    await expect.poll(() => session.state).toBe('lost');
    const { values, notes } = await told(session, 'answer');
    expect(values).toEqual(['42']);
    expect(notes).toMatch(/\(def note \(str \(fs\/readFileSync "note\.txt"\)\)\) \(Error: ENOENT/);
  });
});
