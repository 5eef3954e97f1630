/** Promises as values in nbb: they are awaited, and the wait can be interrupted. */

import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import type { Image, ImageOutcome } from '../../electron/images/image';
import { evaluate, sharedByTests } from './nbb-fixture';

const shared = sharedByTests();

/** Interrupts the code after it has printed something. */
async function givenUp(image: Image, code: string): Promise<ImageOutcome> {
  const { promise: printed, resolve } = Promise.withResolvers<void>();
  const outcome = image.evaluate({ id: 7, code }, () => resolve());
  await printed;
  expect(await image.interrupt(7, 'cooperative')).toBe(true);
  return outcome;
}

const LATER = '(js/Promise. (fn [resolve] (js/setTimeout #(resolve (ex-info "far" {})) 5)))';

describe('a promise that is the value of a form', () => {
  it('is waited for: the value is what it came to, and so is *1', async () => {
    const image = shared();
    const code = `1 2 3 (.then ${LATER} (fn [error] [(ex-message error) "x"]))`;
    expect((await evaluate(image, code)).values).toEqual(['1', '2', '3', '["far" "x"]']);
    expect((await evaluate(image, '[*1 *2 *3]')).values).toEqual(['[["far" "x"] 3 2]']);
    const { values, stdout } = await evaluate(image, '(println "a") (js/Promise.resolve nil) (println "b")');
    expect({ values, stdout }).toEqual({ values: ['nil', 'nil', 'nil'], stdout: 'a\nb\n' });
    expect((await evaluate(image, '(def p (js/Promise.resolve 1)) (.then p inc)')).values).toEqual([
      "#'user/p",
      '2',
    ]);
    expect((await evaluate(image, '(def q (nbb.core/await (js/Promise.resolve 7))) q')).values.at(-1)).toBe(
      '7',
    );
  });

  it.each([
    [`(.then ${LATER} (fn [error] (throw error)))`, 'cljs.core.ExceptionInfo', 'far'],
    ['(js/Promise.reject (ex-info "no" {:a 1}))', 'cljs.core.ExceptionInfo', 'no {:a 1}'],
    ['(js/Promise.reject 5)', 'thrown value', '5'],
    ['(js/Promise.reject nil)', 'thrown value', 'nil'],
    ['(js/Promise.reject js/undefined)', 'thrown value', 'undefined'],
    ['(js/Promise.reject false)', 'thrown value', 'false'],
    ['(.then (js/Promise.resolve 1) (fn [_] (js/Promise.reject nil)))', 'thrown value', 'nil'],
  ])('and rejected: %s', async (code, type, message) => {
    const image = shared();
    const { outcome, condition, values, stderr } = await evaluate(image, `${code} 2`);
    expect({ outcome, values, stderr }).toEqual({ outcome: 'error', values: [], stderr: '' });
    expect(condition).toMatchObject({ type, message });
    expect((await evaluate(image, '(+ 1 1)')).values).toEqual(['2']);
  });

  it('names the frames of the code that rejected it', async () => {
    const image = shared();
    const { condition } = await evaluate(
      image,
      '(defn deep [x]\n  (throw (js/Error. x)))\n(.then (js/Promise.resolve "no")\n  (fn [x] (deep x)))',
    );
    expect(condition?.frames.map(({ call }) => call)).toEqual([
      'user (line 2, column 3)',
      'user/deep (line 4, column 11)',
    ]);
  });

  it('and never settles is given up, with all state kept', async () => {
    const image = shared();
    await evaluate(image, '(def x 1)');
    const code = '(def y 2) (js/Promise. (fn [_] (println "waits"))) (def z 3)';
    const { outcome, forms, notes } = await givenUp(image, code);
    expect({ outcome, values: forms.flatMap(({ values }) => values) }).toEqual({
      outcome: 'interrupted',
      values: ["#'user/y"],
    });
    expect(noteTexts(notes)).toEqual([expect.stringContaining('Stopped waiting')]);
    expect((await evaluate(image, "[x y (resolve 'z)]")).values).toEqual(['[1 2 nil]']);
  });

  it('and is rejected when nobody waits any more says so where it stands, and changes nothing', async () => {
    const image = shared();
    await evaluate(image, '(ns first.one)');
    await givenUp(image, '(js/Promise. (fn [_ no] (def no no) (println "waits")))');
    await evaluate(image, '(ns second.one)');
    const { stderr } = await evaluate(image, '(first.one/no (js/Error. "late")) (js/Promise.resolve 1)');
    expect(stderr).toBe('late\n');
    expect((await evaluate(image, '(str *ns*)')).values).toEqual(['"second.one"']);
    await evaluate(image, '(ns user)');
  });

  it('leaves what it prints later to whatever runs then', async () => {
    const image = shared();
    const late = '(js/Promise. (fn [done] (def go (fn [] (println "late") (done 5))) (println "waits")))';
    await givenUp(image, late);
    const { stdout, values } = await evaluate(image, '(go) :next');
    expect({ stdout, last: values.at(-1) }).toEqual({ stdout: 'late\n', last: ':next' });
    expect((await evaluate(image, '[*1 1]')).values).toEqual(['[:next 1]']);
  });
});
