/** Errors in nbb: how they are reported, and that the session continues. */
import { describe, expect, it } from 'vitest';
import { evaluate, sharedByTests } from './nbb-fixture';

const shared = sharedByTests();

describe('nbb errors', () => {
  it.each([
    ['(throw (ex-info "no λ" {:a 1}))', 'cljs.core.ExceptionInfo', 'no λ {:a 1}'],
    ['(.-x nil)', 'TypeError', "Cannot read properties of null (reading 'x')"],
    ['(js/Promise.reject (js/RangeError. "far"))', 'RangeError', 'far'],
    ['(unknown)', 'cljs.core.ExceptionInfo', 'Unable to resolve symbol: unknown'],
    ['unknown', 'cljs.core.ExceptionInfo', 'Unable to resolve symbol: unknown'],
    ['(throw 5)', 'thrown value', '5'],
    ['(throw nil)', 'thrown value', 'nil'],
    ['(throw js/undefined)', 'thrown value', 'undefined'],
    ['(throw false)', 'thrown value', 'false'],
    ['((fn [f] (f)) (fn [] (throw nil)))', 'thrown value', 'nil'],
    ['(.-message nil)', 'TypeError', "Cannot read properties of null (reading 'message')"],
    ['((fn [x] (.-message x)) nil)', 'TypeError', "Cannot read properties of null (reading 'message')"],
    [
      '(throw (ex-info "long" {:a (range)}))',
      'cljs.core.ExceptionInfo',
      `long {:a (${Array.from({ length: 20 }, (_, n) => n).join(' ')} ...)}`,
    ],
    ["'", 'sci.error/parse', 'EOF while reading'],
  ])('%s', async (code, type, message) => {
    const image = shared();
    const result = await evaluate(
      image,
      `1 ${code} (println "not reached")`.replace(/ \(println.*/, code === "'" ? '' : '$&'),
    );
    expect(result).toMatchObject({ outcome: 'error', stdout: '', stderr: '', notes: [] });
    expect(result.values).toEqual(['1']);
    expect(result.condition).toMatchObject({ type, message, level: 1, restarts: [] });
    expect((await evaluate(image, '(+ 1 1)')).values).toEqual(['2']);
  });

  it.each([
    ['1\n(+ 1', 'The ( at line 2, column 1 is not closed. Nothing was evaluated.'],
    ['1 )', 'The ) at line 1, column 3 closes nothing. Nothing was evaluated.'],
  ])('of delimiters in %j are told before anything runs', async (code, message) => {
    const { outcome, values, condition } = await evaluate(shared(), code);
    expect({ outcome, values }).toEqual({ outcome: 'error', values: [] });
    expect(condition).toMatchObject({ type: 'unbalanced delimiters', message });
  });

  it('with the calls that led there, innermost first, at their lines in the source', async () => {
    const image = shared();
    const code =
      '(defn inner [x]\n  (throw (js/Error. x)))\n\n(defn outer [x]\n  (inner x))\n\n  (outer "deep")';
    const { condition } = await evaluate(image, code);
    expect(condition?.frames.map((frame) => frame.call)).toEqual([
      'user (line 2, column 3)',
      'user/inner (line 5, column 3)',
      'user/outer (line 7, column 3)',
    ]);
    expect(condition?.frames.map((frame) => frame.index)).toEqual([0, 1, 2]);
  });

  it('in a timer leave the session alive, and are told with what follows', async () => {
    const image = shared();
    await evaluate(image, '(def x 1)');
    const first = await evaluate(
      image,
      '(js/setTimeout (fn [] (println "tick") (throw (js/Error. "late"))) 0)',
    );
    const result = await evaluate(image, '(js/Promise. (fn [resolve] (js/setTimeout #(resolve x) 20)))');
    expect(result.values).toEqual(['1']);
    // Belongs to the evaluation that was running when it arrived.
    expect(first.stdout + first.stderr + result.stdout + result.stderr).toBe('tick\nUncaught Error: late\n');
  });
});
