/** Inspecting values of nbb: Clojure's data, and JavaScript's. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Inspecting, named } from './inspecting';
import { sharedByTests } from './nbb-fixture';

const image = sharedByTests();
let nbb: Inspecting;
beforeAll(() => {
  nbb = new Inspecting(image());
});

describe('nbb shows', () => {
  it('maps, vectors, sets and records with their parts', async () => {
    const map = await nbb.inspect('{:a 1 [2 3] {:deep [:x :y]}}');
    expect(map).toMatchObject({ kind: 'map', total: 2 });
    expect((await nbb.again(map, ['[2 3]', ':deep', 1])).text).toBe(':y');
    expect((await nbb.again(map, ['key 1'])).text).toBe('[2 3]');
    expect(await nbb.parts('[1 "two"]')).toEqual([
      ['0', '1'],
      ['1', '"two"'],
    ]);
    expect(await nbb.inspect('#{7}')).toMatchObject({ kind: 'set', total: 1 });
    const record = await nbb.inspect('(defrecord Point [x y]) (->Point 3 4)');
    expect(record).toMatchObject({ kind: 'record', type: 'user.Point', total: 2 });
    expect(await nbb.inspect('nil')).toMatchObject({ kind: 'nil', total: 0 });
    expect(await nbb.inspect('"hello"')).toMatchObject({ kind: 'string', total: 5, parts: [] });
  });

  it('sequences as far as they are asked for', async () => {
    const endless = await nbb.inspect("(def up (iterate inc 0)) #'up", {
      path: ['value'],
      offset: 2,
      limit: 2,
    });
    expect(named(endless)).toEqual([
      ['2', '2'],
      ['3', '3'],
    ]);
    expect(endless.total).toBe(5);
    expect(await nbb.inspect('(map inc [1 2 3])')).toMatchObject({ kind: 'sequence', total: 3 });
  });

  it('what holds a value, and sets it', async () => {
    const atom = await nbb.inspect('(def a (atom 1)) a');
    expect(atom).toMatchObject({ kind: 'atom', type: 'cljs.core.Atom', parts: [{ settable: true }] });
    await nbb.set(atom, ['value'], '(inc @a)');
    expect(await nbb.evaluate('@a')).toEqual(['2']);
    const held = await nbb.inspect("(def v 1) #'v");
    await nbb.set(held, ['value'], '5');
    expect(await nbb.evaluate('v')).toEqual(['5']);
    expect(await nbb.inspect('(delay (throw (js/Error. "forced")))')).toMatchObject({
      kind: 'delay',
      parts: [],
    });
    expect(await nbb.parts('(volatile! 3)')).toEqual([['value', '3']]);
  });

  it('objects of JavaScript: properties, but no getters, arrays, maps and promises', async () => {
    const object = await nbb.inspect('(doto #js {:a 1} (js/Object.defineProperty "b" #js {:get (fn [] 2)}))');
    expect(object).toMatchObject({ kind: 'object', type: 'Object' });
    expect(named(object)).toEqual([
      ['a', '1'],
      ['b', 'it is computed by a getter; evaluate it'],
    ]);
    await nbb.set(object, ['a'], '9');
    expect(named(await nbb.again(object))[0]).toEqual(['a', '9']);
    const array = await nbb.inspect('#js [1 2]');
    await nbb.set(array, [0], ':new');
    expect(named(await nbb.again(array))[0]).toEqual(['0', ':new']);
    expect(await nbb.inspect('(js/Uint8Array. 2)')).toMatchObject({
      kind: 'array',
      type: 'Uint8Array',
      total: 2,
    });
    expect(await nbb.parts('(js/Map. #js [#js ["k" 1]])')).toEqual([['"k"', '1']]);
    const promise = await nbb.inspect('[(js/Promise.resolve 1)]', { path: [0] });
    expect(promise).toMatchObject({ kind: 'promise', total: 0 });
  });

  it('errors, namespaces and functions', async () => {
    const error = await nbb.inspect('(ex-info "outer" {:n 1} (js/Error. "inner"))');
    expect(error).toMatchObject({ kind: 'exception', type: 'cljs.core.ExceptionInfo' });
    expect(error.parts.map(({ name }) => name)).toEqual(['message', 'data', 'cause', 'trace']);
    expect((await nbb.again(error, ['cause', 'message'])).text).toBe('"inner"');
    const there = await nbb.inspect("(ns berth) (def z 1) (def b 2) (ns user) (find-ns 'berth)");
    expect(there).toMatchObject({ kind: 'namespace', parts: [{ name: 'b' }, { name: 'z' }] });
    const area = await nbb.inspect('(defmulti area :shape) (defmethod area :circle [_] 3) area');
    expect(area).toMatchObject({ kind: 'multimethod', parts: [{ name: ':circle' }] });
    expect(await nbb.inspect('inc')).toMatchObject({ kind: 'function' });
  });
});

it('says what is not there, and leaves *1 as it was', async () => {
  const vector = await nbb.inspect('[1 2]');
  await expect(nbb.again(vector, [2])).rejects.toMatchObject({ code: 'unknown_part' });
  await expect(nbb.again({ ...vector, object: 99_999 })).rejects.toMatchObject({ code: 'unknown_handle' });
  await expect(nbb.set(vector, [0], '9')).rejects.toThrow(/cannot be set/);
  await nbb.evaluate('1 2 3');
  await nbb.again(vector);
  expect(await nbb.evaluate('[*1 *2 *3]')).toEqual(['[3 2 1]']);
});
