/** Infinite, circular and very large values in nbb: a part is printed, and the session goes on. */
import { expect, it } from 'vitest';
import { evaluate, sharedByTests } from './nbb-fixture';

const shared = sharedByTests();

/** No value is printed longer than this. */
const LONGEST = 200_000;

it.each([
  ['(range)', /^\(0 1 2 3 .*\.\.\.\)$/],
  ['(repeat 1)', /^\(1 1 .*\.\.\.\)$/],
  ['(cycle [1 2])', /^\(1 2 1 .*\.\.\.\)$/],
  ['(iterate inc 0)', /^\(0 1 2 .*\.\.\.\)$/],
  ['(repeatedly (fn [] 1))', /^\(1 1 .*\.\.\.\)$/],
  ['(map inc (range))', /^\(1 2 3 .*\.\.\.\)$/],
  ['(concat [:a] (range))', /^\(:a 0 1 .*\.\.\.\)$/],
  ['(repeat (range))', /^\(\(0 1 .*\.\.\.\)/],
  ['{:a (repeat 1)}', /^\{:a \(1 1 .*\.\.\.\)\}$/],
  ['[1 #{(range)}]', /^\[1 #\{\(0 1 .*\.\.\.\)\}\]$/],
  ['(list (lazy-seq (range)))', /^\(\(0 1 .*\.\.\.\)\)$/],
  ['(atom (range))', /^#object\[.*0 1 2/],
  ['(volatile! (range))', /^#object\[.*0 1 2/],
  ['(doto (delay (range)) deref)', /^#object\[.*0 1 2/],
  ['(js/Promise.resolve (iterate inc 0))', /^\(0 1 2 .*\.\.\.\)$/],
  ['(js/Promise.resolve {:a (range)})', /^\{:a \(0 1 2 .*\.\.\.\)\}$/],
  ['#js {:a (range)}', /^#js \{.*0 1 2 .*\.\.\./],
  ['#js [(range)]', /^#js \[\(0 1 2 .*\.\.\./],
  ['(let [a (atom nil)] (reset! a a) a)', /^#object\[.*#/],
  ['(let [a (atom nil)] (reset! a [a a a]) a)', /^#object\[.*#/],
  ['(let [o #js {}] (set! (.-self o) o) o)', /^#js \{.*#/],
  ['(let [o #js [1]] (.push o o) o)', /^#js \[1 .*#/],
  ['(let [o #js {}] (set! (.-a o) #js [{:b o}]) {:c o})', /^\{:c #js \{.*#/],
  ['(nth (iterate list 1) 5000)', /^\(\(\(.*#/],
  ['(vec (range 100000))', /^\[0 1 2 .*\.\.\.\]$/],
])(
  '%s',
  async (code, part) => {
    const image = shared();
    const { outcome, values } = await evaluate(image, code);
    expect(outcome).toBe('ok');
    expect(values[0]?.length).toBeLessThan(LONGEST);
    expect(values[0]).toMatch(part);
    // It is the value itself, not its text, and the session goes on.
    expect((await evaluate(image, '[(some? *1) (+ 1 1)]')).values).toEqual(['[true 2]']);
  },
  30_000,
);

it('a finite value is printed as a whole, as pr-str does', async () => {
  const code = `[{:a/b 1 :c 2} #js {:a 1} #js [1 2] (atom 1) (js/Date. 0) "s\\n" (map inc [1 2]) 'x :k nil 1.5 \\a #"re" #{1}]`;
  const { values } = await evaluate(shared(), `${code} (pr-str *1)`);
  expect(JSON.stringify(values[0])).toBe(JSON.stringify(JSON.parse(values[1] ?? '')));
  expect((await evaluate(shared(), '(vec (range 5000))')).values[0]).toMatch(/ 4999\]$/);
});

it('what a lazy value prints when it is printed belongs to the evaluation', async () => {
  const { stdout, values } = await evaluate(shared(), '(map (fn [x] (println "at" x) x) [1 2])');
  expect({ stdout, values }).toEqual({ stdout: 'at 1\nat 2\n', values: ['(1 2)'] });
});
