/** Inspecting values of Clojure: every kind of value, infinite ones included. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STARTING_MS } from '../nrepl-server';
import { ClojureTestImage } from './clojure-fixture';
import { Inspecting, named } from './inspecting';

let image: ClojureTestImage;
let clojure: Inspecting;

beforeAll(async () => {
  image = await ClojureTestImage.start();
  clojure = new Inspecting(image.image);
}, STARTING_MS);
afterAll(() => image.end());

describe('data', () => {
  it('shows the entries of a map, and leads to values and keys', async () => {
    const map = await clojure.inspect('(array-map :a 1 [2 3] {:deep [:x :y]})');
    expect(map).toMatchObject({ kind: 'map', type: 'clojure.lang.PersistentArrayMap', total: 2 });
    expect(named(map)).toEqual([
      [':a', '1'],
      ['[2 3]', '{:deep [:x :y]}'],
    ]);
    expect(map.parts.every(({ settable }) => settable === undefined)).toBe(true);
    expect((await clojure.again(map, ['[2 3]', ':deep', 1])).text).toBe(':y');
    expect((await clojure.again(map, ['key 1'])).text).toBe('[2 3]');
  });

  it('shows vectors, sets, queues and records', async () => {
    expect(await clojure.parts('[1 "two" :three]')).toEqual([
      ['0', '1'],
      ['1', '"two"'],
      ['2', ':three'],
    ]);
    expect(await clojure.inspect('#{7}')).toMatchObject({ kind: 'set', total: 1 });
    expect(await clojure.parts('(conj clojure.lang.PersistentQueue/EMPTY 1 2)')).toEqual([
      ['0', '1'],
      ['1', '2'],
    ]);
    const record = await clojure.inspect('(defrecord Point [x y]) (->Point 3 4)');
    expect(record).toMatchObject({ kind: 'record', type: 'user.Point' });
    expect(named(record)).toEqual([
      [':x', '3'],
      [':y', '4'],
    ]);
  });

  it('shows scalars as what they are, and nil', async () => {
    expect(await clojure.inspect('nil')).toMatchObject({ kind: 'nil', text: 'nil', total: 0 });
    expect(await clojure.inspect(':k')).toMatchObject({ kind: 'keyword', parts: [] });
    expect(await clojure.inspect('"hello"')).toMatchObject({ kind: 'string', total: 5, parts: [] });
    expect(await clojure.parts('"hello"', { limit: 1 })).toEqual([['0', '\\h']]);
  });

  it('tells of metadata, and of a value that it has shown before', async () => {
    const outer = await clojure.inspect('(let [it [1]] ^:mine [it it [1]])');
    expect(outer.facts).toContainEqual({ name: 'metadata', text: '{:mine true}' });
    const { object } = await clojure.again(outer, [0]);
    const { parts } = await clojure.again(outer);
    expect(parts.map((part) => part.object)).toEqual([object, object, undefined]);
  });
});

describe('sequences', () => {
  it('pages through one without an end, and realizes no more than it shows', async () => {
    const tower = await clojure.inspect('(iterate inc 0)', { offset: 2, limit: 2 });
    expect(named(tower)).toEqual([
      ['2', '2'],
      ['3', '3'],
    ]);
    expect(tower.total).toBe(5);
    expect(tower.facts[0]?.text).toMatch(/^at least 5: a sequence is realized and counted no further/);
    const lazy = await clojure.inspect(
      `(def seen (atom 0)) (defn up [n] (lazy-seq (swap! seen inc) (cons n (up (inc n))))) (def lazy (up 0)) #'lazy`,
      { path: ['value'], limit: 3 },
    );
    expect(lazy).toMatchObject({ kind: 'sequence', text: '(a lazy sequence, not realized)', total: 4 });
    expect(await clojure.evaluate('@seen')).toEqual(['4']);
  });

  it('counts one that ends', async () => {
    const all = await clojure.inspect('(map inc [1 2 3])');
    expect(all).toMatchObject({ total: 3 });
    expect(all.facts).toEqual([]);
    expect(await clojure.inspect("'(1 2)")).toMatchObject({ total: 2 });
  });

  it('pages through a million elements', async () => {
    const page = await clojure.inspect('(vec (range 1000000))', { offset: 999_998 });
    expect(page.total).toBe(1_000_000);
    expect(named(page)).toEqual([
      ['999998', '999998'],
      ['999999', '999999'],
    ]);
  });
});

describe('what holds a value', () => {
  it('is shown with it and takes another', async () => {
    const atom = await clojure.inspect('(def a (atom {:n 1})) a');
    expect(atom).toMatchObject({ kind: 'atom', parts: [{ name: 'value', settable: true }] });
    expect(await clojure.set(atom, ['value'], '{:n 2}')).toEqual(['{:n 2}']);
    expect(await clojure.evaluate('@a')).toEqual(['{:n 2}']);
    const ref = await clojure.inspect('(def r (ref 1)) r');
    await clojure.set(ref, [0], '5');
    const held = await clojure.inspect("(def v 1) #'v");
    expect(held).toMatchObject({ kind: 'var', text: "#'user/v" });
    await clojure.set(held, ['value'], '(+ v @r)');
    expect(await clojure.evaluate('v')).toEqual(['6']);
    expect((await clojure.inspect("(declare later) #'later")).parts[0]).toMatchObject({ unbound: true });
    expect(await clojure.parts('(volatile! 3)')).toEqual([['value', '3']]);
  });

  it('is not forced and not waited for', async () => {
    const delayed = await clojure.inspect('(def d (delay (println "forced") 1)) d');
    expect(delayed).toMatchObject({ kind: 'delay', parts: [] });
    expect(delayed.facts[0]).toMatchObject({ name: 'realized', text: expect.stringMatching(/^no/) });
    expect(await clojure.evaluate('(realized? d)')).toEqual(['false']);
    expect(await clojure.inspect('(promise)')).toMatchObject({ kind: 'reference', parts: [] });
    expect(await clojure.parts('(doto (promise) (deliver 4))')).toEqual([['value', '4']]);
    expect(await clojure.parts('(let [f (future 5)] @f f)')).toEqual([['value', '5']]);
  });

  it('refuses to set what does not change, with what to do', async () => {
    const vector = await clojure.inspect('[1 2]');
    await expect(clojure.set(vector, [0], '9')).rejects.toThrow(
      /The part 0 of this vector cannot be set.*make new data/,
    );
  });
});

describe('what Clojure and Java are made of', () => {
  it('shows what a function closes over, namespaces and methods', async () => {
    const made = await clojure.inspect('((fn adder [n] (fn add [x] (+ n x))) 42)');
    expect(made).toMatchObject({ kind: 'function', parts: [{ name: 'n', text: '42' }] });
    const there = await clojure.inspect(
      '(ns small.one) (def z 1) (def b 2) (in-ns (quote user)) (the-ns (quote small.one))',
    );
    expect(there.parts.map(({ name }) => name)).toEqual(['b', 'z']);
    const multi = await clojure.inspect('(defmulti area :shape) (defmethod area :circle [_] 3) area');
    expect(multi.parts.map(({ name }) => name)).toEqual(['dispatch function', ':circle']);
  });

  it('shows exceptions with data, cause and trace', async () => {
    const error = await clojure.inspect('(ex-info "outer" {:n 1} (ArithmeticException. "inner"))');
    expect(error).toMatchObject({ kind: 'exception', type: 'clojure.lang.ExceptionInfo' });
    expect(error.parts.map(({ name }) => name)).toEqual(['message', 'data', 'cause', 'trace']);
    expect((await clojure.again(error, ['cause', 'message'])).text).toBe('"inner"');
    expect((await clojure.again(error, ['data', ':n'])).text).toBe('1');
  });

  it('shows fields of objects, says which Java keeps to itself, and sets elements of arrays', async () => {
    const type = await clojure.inspect('(deftype Box [^:unsynchronized-mutable it]) (Box. 1)');
    expect(type).toMatchObject({ kind: 'object', parts: [{ name: 'it', text: '1', settable: true }] });
    await clojure.set(type, ['it'], '2');
    expect(named(await clojure.again(type))).toEqual([['it', '2']]);
    const closed = await clojure.inspect('(Object.) (java.util.Random. 1)');
    expect(closed.parts[0]?.problem).toMatch(/does not open this class/);
    const array = await clojure.inspect('(def numbers (int-array [1 2 3])) numbers');
    await clojure.set(array, [1], '(int 20)');
    expect(await clojure.evaluate('(vec numbers)')).toEqual(['[1 20 3]']);
    const list = await clojure.inspect('(java.util.ArrayList. [1 2])');
    await clojure.set(list, [0], ':new');
    expect(named(await clojure.again(list))).toEqual([
      ['0', ':new'],
      ['1', '2'],
    ]);
    expect((await clojure.inspect('Long')).parts.map(({ name }) => name)).toContain('MAX_VALUE');
  });
});

it('says what is not there', async () => {
  const vector = await clojure.inspect('[1 2]');
  await expect(clojure.again(vector, [2])).rejects.toMatchObject({ code: 'unknown_part' });
  await expect(clojure.again(vector, ['x'])).rejects.toThrow(
    /no part called x in this vector; there are 0, 1/,
  );
  await expect(clojure.again({ ...vector, object: 99_999 })).rejects.toMatchObject({
    code: 'unknown_handle',
  });
  await expect(
    clojure.inspector.inspect({ start: { evaluation: 9999 }, path: [], offset: 0 }),
  ).rejects.toMatchObject({ code: 'unknown_handle' });
});

it('answers while an evaluation runs, of what was last', async () => {
  const map = await clojure.inspect('{:before 1}');
  const { settled } = await clojure.running('(do (println "ready") (loop [] (recur)))');
  expect(named(await clojure.again(map))).toEqual([[':before', '1']]);
  expect(await clojure.inspector.inspect({ start: { last: true }, path: [], offset: 0 })).toMatchObject({
    object: map.object,
  });
  await clojure.interrupt();
  expect((await settled).outcome).toBe('interrupted');
});

it('forgets the oldest, so that looking holds no memory for good', async () => {
  const first = await clojure.inspect('[:first]');
  await clojure.evaluate('(dotimes [n 1000] (lisp-harbor.objects/number-of [n]))');
  await expect(clojure.again(first)).rejects.toThrow(/no object \d+ any more: the latest 1000/);
});

describe('the value of an evaluation', () => {
  // As code does that an interrupt did not end: it stores its value in the session when it ends at last.
  const STORES = `(def storing (future (while (not (Thread/interrupted))
    (doseq [session (vals @@(resolve 'nrepl.middleware.session/sessions))]
      (swap! session assoc #'*1 :of-another)))))`;

  it('is its own, whatever other code stores in the session', async () => {
    await image.evaluate(STORES);
    try {
      for (let turn = 0; turn < 10; turn += 1)
        expect(await clojure.inspect(`{:turn ${turn}}`)).toMatchObject({
          kind: 'map',
          text: `{:turn ${turn}}`,
        });
    } finally {
      await image.evaluate('(future-cancel storing)');
    }
  });

  it('is printed as by the server', async () => {
    const { values } = await image.evaluate('[1 "two" nil (range 3) #"a.b" (atom 1)]');
    expect((await clojure.inspect('[1 "two" nil (range 3) #"a.b"]')).text).toBe(
      '[1 "two" nil (0 1 2) #"a.b"]',
    );
    expect(values[0]?.[0]).toContain('[1 "two" nil (0 1 2)');
  });
});

describe('an error', () => {
  it('has the frames of the project and its type, also without a message or of code that ran often', async () => {
    const often = '(dotimes [_ 300000] (try (length-of nil) (catch NullPointerException _)))';
    for (const code of [
      `(defn length-of [^String s] (.length s)) ${often} (length-of nil)`,
      '(defn length-of [_] (throw (NullPointerException.))) (length-of nil)',
      '(defn length-of [_] (throw (NullPointerException.))) (doall (map #(length-of %) [1]))',
    ]) {
      const { condition } = await image.evaluate(code);
      expect(condition?.type).toBe('java.lang.NullPointerException');
      expect(condition?.frames[0]?.call).toContain('length-of');
    }
  });
});
