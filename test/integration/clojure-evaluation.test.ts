/** Evaluation in Clojure on a JVM: values, output, errors, namespaces, input, interrupts. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONGEST_VALUE } from '../../electron/images/image';
import { ClojureTestImage } from './clojure-fixture';

let image: ClojureTestImage;

beforeAll(async () => {
  image = await ClojureTestImage.start(async (project) => {
    await mkdir(path.join(project, 'src/shop'), { recursive: true });
    await writeFile(
      path.join(project, 'src/shop/cart.clj'),
      '(ns shop.cart)\n\n(defn total [prices]\n  (if (seq prices)\n    (reduce + prices)\n    (throw (ex-info "empty" {:prices prices}))))\n',
    );
  });
}, 120_000);
afterAll(() => image.end());

describe('Clojure evaluates', () => {
  it('every form, with its own values', async () => {
    const { outcome, forms } = await image.evaluate('(+ 1 2) (def x 5) #_ ignored [x "λ"]');
    expect(outcome).toBe('ok');
    expect(forms).toEqual([
      { code: '(+ 1 2)', values: ['3'] },
      { code: '(def x 5)', values: ["#'user/x"] },
      { code: '[x "λ"]', values: ['[5 "λ"]'] },
    ]);
  });

  it('symbols with a space that forbids a break and with U+FEFF in them, which its reader takes for letters', async () => {
    const { outcome, forms } = await image.evaluate(
      '\uFEFF(def a\u00A0b 3) (def c\uFEFF 4)\u2003[a\u00A0b c\uFEFF]',
    );
    expect(outcome).toBe('ok');
    expect(forms.map(({ code }) => code)).toEqual([
      '(def a\u00A0b 3)',
      '(def c\uFEFF 4)',
      '[a\u00A0b c\uFEFF]',
    ]);
    expect(forms.at(-1)?.values).toEqual(['[3 4]']);
  });

  it('with output and errors apart, in order, and the JVM’s own descriptors too', async () => {
    const { output } = await image.evaluate(
      '(println "a") (binding [*out* *err*] (println "b")) (println "c")',
    );
    expect(output).toEqual([
      ['stdout', 'a\n'],
      ['stderr', 'b\n'],
      ['stdout', 'c\n'],
    ]);
    let heard = '';
    await image.evaluate('(.println System/out "from Java") (.flush System/out)', {}, (_, text) => {
      heard += text;
    });
    await expect.poll(async () => heard + (await image.evaluate('nil')).stdout).toContain('from Java');
  });

  it('keeping *1, *2 and *e, also after an error was told', async () => {
    await image.evaluate('1 2 (throw (ex-info "kept" {:a 1}))');
    expect((await image.evaluate('[*1 *2 (ex-message *e)]')).values).toEqual([['[2 1 "kept"]']]);
  });

  it('up to the first error, whose class, message, data and causes it tells', async () => {
    const { outcome, forms, condition } = await image.evaluate(
      '1 (throw (ex-info "outer" {:a 1} (IllegalStateException. "inner"))) 2',
    );
    expect(outcome).toBe('error');
    expect(forms).toEqual([{ code: '1', values: ['1'] }]);
    expect(condition).toMatchObject({ type: 'java.lang.IllegalStateException', restarts: [] });
    expect(condition?.message).toBe('inner\n  thrown as clojure.lang.ExceptionInfo: outer {:a 1}');
  });

  it('with the frames of the project before those of others', async () => {
    const { condition } = await image.evaluate("(require 'shop.cart) (shop.cart/total [])");
    expect(condition).toMatchObject({ type: 'clojure.lang.ExceptionInfo', message: 'empty {:prices []}' });
    expect(condition?.frames[0]?.call).toBe('shop.cart/total (cart.clj:6)');
    const calls = condition?.frames.map(({ call }) => call) ?? [];
    expect([calls.length, calls.filter((call) => call.startsWith('shop.cart/'))]).toEqual([
      20,
      ['shop.cart/total (cart.clj:6)', 'shop.cart/total (cart.clj:3)'],
    ]);
  });

  it('in the namespace that the session is in, or in one that the call names', async () => {
    const moved = await image.evaluate('(ns shop.desk) (def here 1) (str *ns*)');
    expect(moved).toMatchObject({
      package: 'shop.desk',
      values: [['nil'], ["#'shop.desk/here"], ['"shop.desk"']],
    });
    expect(image.image.prompt()).toBe('shop.desk=> ');
    expect((await image.evaluate('(str *ns*)', { package: 'user' })).values).toEqual([['"user"']]);
    expect((await image.evaluate('here')).values).toEqual([['1']]);
    const missing = await image.evaluate('1', { package: 'no.such.place' });
    expect(missing).toMatchObject({ outcome: 'error', package: 'shop.desk' });
    expect(missing.condition?.message).toMatch(/no such namespace/);
    await image.evaluate("(in-ns 'user)");
  });

  it('what it cannot read as an error', async () => {
    expect((await image.evaluate("(+ 1 2) '")).condition?.message).toMatch(/EOF/);
    const unbalanced = await image.evaluate('(println "ran")\n(+ 1 [2)');
    expect(unbalanced).toMatchObject({ outcome: 'error', stdout: '', forms: [] });
    expect(unbalanced.condition?.message).toBe(
      'The [ at line 2, column 6 is closed by the ) at line 2, column 8, where ] was expected. Nothing was evaluated.',
    );
    expect((await image.evaluate(' ; nothing')).outcome).toBe('ok');
  });

  it('code that reads, from whoever asked, or to its end', async () => {
    const lines = ['first', 'second'];
    const input = async () => lines.shift() ?? null;
    expect((await image.evaluate('[(read-line) (read-line) (read-line)]', { input })).values).toEqual([
      ['["first" "second" nil]'],
    ]);
    expect((await image.evaluate('(read-line)')).values).toEqual([['nil']]);
  });

  it('endless values up to the limit', async () => {
    const { values, notes } = await image.evaluate('(range)', { maxChars: 1_000 });
    expect(values[0]?.[0]?.length).toBeLessThanOrEqual(1_000);
    expect(notes.join()).toMatch(/cut to 1000 characters/);
  });

  it('large values whole, and endless ones up to a limit of ours', async () => {
    const { values, notes } = await image.evaluate('(apply str (repeat 1000000 "v")) (range)');
    expect(values[0]?.[0] === `"${'v'.repeat(1_000_000)}"`).toBe(true);
    expect(values[1]?.[0]).toHaveLength(LONGEST_VALUE);
    expect(notes).toEqual([`A value was cut to ${LONGEST_VALUE} characters.`]);
  });

  it('until it is interrupted, and keeps all state', async () => {
    await image.evaluate('(def kept 42)');
    for (const code of [
      '(do (println "ready") (Thread/sleep 100000))',
      '(do (println "ready") (loop [] (recur)))',
    ]) {
      const { settled } = await image.running(code);
      expect(await image.interrupt('cooperative')).toBe(true);
      expect((await settled).outcome).toBe('interrupted');
    }
    expect((await image.evaluate('kept')).values).toEqual([['42']]);
  });

  it('interrupted before it could begin, and nothing after it', async () => {
    const evaluated = image.evaluate('(Thread/sleep 100000) (println "not reached")');
    expect(await image.interrupt('cooperative')).toBe(true);
    expect(await evaluated).toMatchObject({ outcome: 'interrupted', stdout: '' });
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });

  it('with a stack that overflows, and a heap that is full, as errors', async () => {
    expect((await image.evaluate('(defn deep [n] (inc (deep n))) (deep 1)')).condition?.type).toBe(
      'java.lang.StackOverflowError',
    );
    const full = await image.evaluate('(count (vec (repeatedly 100000000 #(byte-array 100000))))');
    expect(full.condition?.type).toBe('java.lang.OutOfMemoryError');
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });
});

describe('a Clojure image', () => {
  it('begins where it was asked to', async () => {
    expect((await image.evaluate('(System/getProperty "user.dir")')).values).toEqual([
      [JSON.stringify(image.project)],
    ]);
    expect((await image.evaluate('(.maxMemory (Runtime/getRuntime))')).values).not.toEqual([]);
  });

  it('tells how it ended', async () => {
    const other = await ClojureTestImage.start();
    const { outcome, notes } = await other.evaluate('(println "last words") (System/exit 3)');
    expect(outcome).toBe('crashed');
    expect(notes.join()).toContain('The JVM exited with code 3');
    await other.end();
  }, 120_000);
});
