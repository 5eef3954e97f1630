/**
 * Values of Clojure that fail to print: they are reported and can be inspected. Code that fails meanwhile has
 * failed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STARTING_MS } from '../nrepl-server';
import { ClojureTestImage } from './clojure-fixture';
import { Inspecting, named } from './inspecting';

let image: ClojureTestImage;
let clojure: Inspecting;

beforeAll(async () => {
  image = await ClojureTestImage.start();
  clojure = new Inspecting(image.image);
  await image.evaluate(`(defrecord Mute [a])
    (defmethod print-method Mute [_ _] (throw (ex-info "no print" {})))
    (deftype Dumb [] Object (toString [_] (throw (ex-info "no text" {}))))`);
}, STARTING_MS);
afterAll(() => image.end());

describe('a value that fails to print', () => {
  it.each([
    ['a record', '(->Mute 1)', /^#user\.Mute\{:a 1\}$/, 'clojure.lang.ExceptionInfo: no print'],
    [
      'one inside of data',
      '{:a [(->Mute 1) 2]}',
      /^\{:a \[#user\.Mute\{:a 1\} 2\]\}$/,
      'clojure.lang.ExceptionInfo: no print',
    ],
    [
      'a type',
      '[1 (->Dumb)]',
      /^\[1 #<user\.Dumb, not printed: .*: no text>\]$/,
      'clojure.lang.ExceptionInfo: no text',
    ],
    [
      'one without an end',
      '(let [a (atom nil)] (reset! a a))',
      /^#object\[clojure\.lang\.Atom /,
      'java.lang.StackOverflowError',
    ],
  ])(
    '%s, is told with what prints and a note, and the forms behind it run',
    async (_what, code, text, problem) => {
      const { outcome, values, notes, condition } = await image.evaluate(`${code} :next`);
      expect({ outcome, condition }).toEqual({ outcome: 'ok', condition: null });
      expect(values).toEqual([[typeof text === 'string' ? text : expect.stringMatching(text)], [':next']]);
      expect(notes).toEqual([
        `Printing a value failed (${problem}): its text shows the part that could be printed, and *e is the error. \`inspect\` shows its contents.`,
      ]);
    },
  );

  it.each(['(map #(/ 1 %) [1 0])', '[(map #(/ 1 %) (list* 1 2 (lazy-seq [0])))]'])(
    '%s fails, for it cannot be computed',
    async (code) => {
      const { outcome, condition } = await image.evaluate(code);
      expect(outcome).toBe('error');
      expect(condition).toMatchObject({ message: expect.stringContaining('Divide by zero') });
    },
  );

  it('is kept for the inspector, and an error after it is one', async () => {
    const record = await clojure.inspect('(->Mute 1)');
    expect(record).toMatchObject({ kind: 'record', text: '#user.Mute{:a 1}' });
    expect(named(record)).toEqual([[':a', '1']]);
    expect(await image.evaluate('(throw (ex-info "no print" {}))')).toMatchObject({
      outcome: 'error',
      condition: { message: 'no print' },
      notes: [],
    });
  });
});

describe('the inspector', () => {
  it('shows the elements before one that cannot be computed, and why there are no more', async () => {
    const broken = await clojure.inspect(
      '(do (def failing (lazy-seq (cons 1 (lazy-seq (throw (ex-info "no more" {})))))) [#\'failing])',
    );
    expect((await clojure.again(broken, [0, 'value'])).parts).toMatchObject([
      { name: '0', text: '1' },
      { name: '1', problem: 'clojure.lang.ExceptionInfo: no more' },
    ]);
    await expect(clojure.again(broken, [0, 'value', 1])).rejects.toThrow(
      'The part 1 has no value: clojure.lang.ExceptionInfo: no more.',
    );
  });

  it('shows a value that fails to tell its contents as such', async () => {
    expect(
      await clojure.inspect('(proxy [java.util.HashMap] [] (entrySet [] (throw (ex-info "no entries" {}))))'),
    ).toMatchObject({
      kind: 'map',
      parts: [],
      facts: [{ name: 'problem', text: 'clojure.lang.ExceptionInfo: no entries' }],
    });
  });
});
