/** Evaluation in nbb: values, output, reading, namespaces. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { noteTexts } from '../../electron/contract/note';
import { evaluate, project, sharedByTests, start } from './nbb-fixture';

const shared = sharedByTests();

/** Each test begins in the namespace that an image begins in. */
afterEach(async () => void (await evaluate(shared(), '(ns user)')));

describe('nbb evaluates', () => {
  it('text outside ASCII of any length, cut anywhere on the wire', async () => {
    const image = shared();
    const text = 'aλ€𝒳'.repeat(50_000);
    const { values } = await evaluate(
      image,
      `(def λ "${text}") (count λ) (= λ (apply str (repeat 50000 "aλ€𝒳"))) λ`,
    );
    expect(values).toEqual(["#'user/λ", '250000', 'true', `"${text}"`]);
  });

  it('much output, in order and complete before the evaluation is over', async () => {
    const image = shared();
    const { stdout } = await evaluate(image, '(dotimes [i 20000] (println i))');
    expect(stdout).toBe(Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join(''));
  });

  it('console output and println as one stream, and errors apart', async () => {
    const image = shared();
    const code = `(js/console.log "a" #js {:b 1}) (println "c") (.write js/process.stdout "d") (js/console.log "€")
      (js/console.error "e") (.write js/process.stderr (js/Buffer.from "λ\\n"))`;
    expect(await evaluate(image, code)).toMatchObject({ stdout: 'a { b: 1 }\nc\nd€\n', stderr: 'e\nλ\n' });
  });

  it('programs, whose output is part of it', async () => {
    const image = shared();
    const code = `(require '["node:child_process" :as cp]) (cp/execFileSync "echo" #js ["from echo"] #js {:stdio "inherit"})`;
    expect(await evaluate(image, code)).toMatchObject({ outcome: 'ok', stdout: 'from echo\n' });
  });

  it('programs, whose output is part of it also where all that the evaluation says is heard at once', async () => {
    const image = shared();
    await evaluate(image, `(require '["node:child_process" :as cp] '["node:fs" :as fs])`);
    const answered = path.join(project, 'answered');
    const evaluated = evaluate(
      image,
      `(do (println "from nbb") (cp/execFileSync "echo" #js ["from echo"] #js {:stdio "inherit"})
           (js/setTimeout #(fs/writeFileSync "${answered}" "") 0) :done)`,
    );
    await turn();
    // The reader is busy until the image has printed everything.
    execFileSync('sh', ['-c', `until test -e ${answered}; do sleep 0.01; done`]);
    const { stdout } = await evaluated;
    expect(stdout.split('\n').toSorted()).toEqual(['', 'from echo', 'from nbb']);
  });

  it('promises by waiting for them', async () => {
    const image = shared();
    const { values } = await evaluate(image, '(js/Promise. (fn [resolve] (js/setTimeout #(resolve 42) 10)))');
    expect(values).toEqual(['42']);
  });

  it('a form that reads as nothing without losing count', async () => {
    const image = shared();
    expect((await evaluate(image, '1 #?(:clj 2) #?(:cljs 3) #_ 4 5')).forms).toEqual([
      { code: '1', values: ['1'] },
      { code: '#?(:cljs 3)', values: ['3'] },
      { code: '5', values: ['5'] },
    ]);
    expect(await evaluate(image, ' ; nothing')).toMatchObject({ outcome: 'ok', forms: [] });
  });

  it('keeping *1, *2, *3 and *e across forms and errors', async () => {
    const image = shared();
    await evaluate(image, '1 2 3');
    await evaluate(image, '(throw (ex-info "m" {:a 1}))');
    const { values } = await evaluate(image, '[*1 *2 *3 (ex-message *e) (ex-data (ex-cause *e))]');
    expect(values).toEqual(['[3 2 1 "m" {:a 1}]']);
  });

  it('cutting long values, and saying so', async () => {
    const image = shared();
    const result = await evaluate(image, '(range 100) 1', { maxChars: 10 });
    expect(result.values).toEqual(['(0 1 2 3 4', '1']);
    expect(noteTexts(result.notes)).toEqual(['A value of 291 characters was cut to 10.']);
  });

  it('never at read time', async () => {
    const image = shared();
    const result = await evaluate(image, '#=(println "read") 2', { safeRead: true });
    expect(result).toMatchObject({
      outcome: 'error',
      values: [],
      stdout: '',
      condition: { type: 'sci.error/parse' },
    });
  });
});

describe('nbb tells a value that fails to print', () => {
  const MUTE = '(deftype Mute [a] IPrintWithWriter (-pr-writer [_ _ _] (throw (ex-info "no print" {}))))';
  const FAILING = '(def failing (map #(if (zero? %) (throw (js/Error. "zero")) %) [1 0]))';

  it('with what prints and a note, and evaluates the forms behind it', async () => {
    const image = shared();
    const { outcome, values, notes } = await evaluate(image, `${MUTE} [1 (->Mute 2)] 3`);
    expect(outcome).toBe('ok');
    expect(values.slice(1)).toEqual(['[1 #<user.Mute, not printed: no print>]', '3']);
    expect(noteTexts(notes)).toEqual([expect.stringContaining('Printing a value failed (no print)')]);
  });

  it('and errors that read as that of printing, and what cannot be computed, as errors', async () => {
    const image = shared();
    expect((await evaluate(image, `${MUTE} (->Mute 2)`)).outcome).toBe('ok');
    for (const code of [
      '(throw (ex-info "no print" {}))',
      `${FAILING} failing`,
      '[failing]',
      '(doall failing)',
    ])
      expect((await evaluate(image, code)).outcome).toBe('error');
  });
});

describe('nbb namespaces', () => {
  it('persist when the code goes to one', async () => {
    const image = shared();
    expect(image.prompt()).toBe('user=> ');
    expect(await evaluate(image, '(ns app.core) (def x ::key)')).toMatchObject({
      outcome: 'ok',
      package: 'app.core',
    });
    expect(image.package).toBe('app.core');
    expect(image.prompt()).toBe('app.core=> ');
    expect((await evaluate(image, '[x ::other]')).values).toEqual(['[:app.core/key :app.core/other]']);
  });

  it('hold for one evaluation when it asks for one, with its history untouched', async () => {
    const image = shared();
    await evaluate(image, '(ns other) (def y 7) (ns user) 1 2 3');
    const asked = await evaluate(image, '[y ::k *1 *2 *3]', { package: 'other' });
    expect(asked).toMatchObject({ values: ['[7 :other/k 3 2 1]'], package: 'user' });
    expect(image.package).toBe('user');
    expect((await evaluate(image, '[::k *1 *2 *3]')).values).toEqual(['[:user/k [7 :other/k 3 2 1] 3 2]']);
  });

  it.each(['nowhere', 'a) (println 1', '1bad', ''])('%j is refused by name', async (namespace) => {
    const image = shared();
    const result = await evaluate(image, '(println "ran")', { package: namespace });
    expect(result).toMatchObject({ outcome: 'error', package: 'user', stdout: '', forms: [] });
    expect(result.condition?.message).toContain(`There is no namespace ${namespace}`);
    expect((await evaluate(image, '(str *ns*)')).values).toEqual(['"user"']);
  });

  it('to begin in', async () => {
    expect((await start(undefined, 'clojure.string')).package).toBe('clojure.string');
    await expect(start(undefined, 'nowhere')).rejects.toThrow(HarborError);
  });
});
