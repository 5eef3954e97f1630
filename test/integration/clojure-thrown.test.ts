/**
 * Exceptions of Clojure evaluations while the image has them: causes with data, stacks, and source locations
 * of frames.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Thrown } from '../../electron/contract/debugger';
import type { Exceptions, Inspector } from '../../electron/images/optional-groups';
import { STARTING_MS } from '../nrepl-server';
import { ClojureTestImage } from './clojure-fixture';

const TIDES = `(ns lighthouse.tides)

(defn height [ship]
  (when-not (:draught ship)
    (throw (ex-info "no draught" {:ship ship :depth 4})))
  (:draught ship))
`;

let image: ClojureTestImage;
let exceptions: Exceptions;
let inspector: Inspector;
/** Of the evaluation that failed last. */
let failed = 0;

beforeAll(async () => {
  image = await ClojureTestImage.start();
  image.write({ 'src/lighthouse/tides.clj': TIDES });
  if (!image.image.exceptions || !image.image.inspector) throw new Error('it keeps no exceptions');
  ({ exceptions, inspector } = image.image);
  await evaluate(`(load-file ${JSON.stringify(image.file('src/lighthouse/tides.clj'))})`, 'ok');
}, STARTING_MS);
afterAll(() => image.end());

async function evaluate(code: string, outcome: 'ok' | 'error' = 'error'): Promise<void> {
  expect((await image.evaluate(code)).outcome).toBe(outcome);
  failed += 1;
}

/** The location of a function's first frame, in the cause with that number. */
function placeOf(causes: readonly Thrown[], cause: number, named: string) {
  const frame = causes[cause]?.frames.find(({ call }) => call.startsWith(`${named} (`));
  if (!frame) throw new Error(`there is no frame of ${named} in ${JSON.stringify(causes[cause]?.frames)}`);
  return exceptions.source(failed, { cause, frame: frame.index });
}

describe('what was thrown', () => {
  it('is a chain of values with their data, and each can be looked into', async () => {
    await evaluate(`(defn sail [ship]
  (try (lighthouse.tides/height ship)
       (catch Exception e (throw (IllegalStateException. "cannot sail" e)))))
(sail {:name :kea})`);
    const causes = await exceptions.causes(failed);
    const [outer, inner] = [causes.at(-2), causes.at(-1)];
    expect(outer).toMatchObject({
      type: 'java.lang.IllegalStateException',
      message: 'cannot sail',
      data: [],
    });
    expect(inner).toMatchObject({ type: 'clojure.lang.ExceptionInfo', message: 'no draught', entries: 2 });
    expect(inner?.data.map(({ name, text }) => [name, text])).toEqual([
      [':ship', '{:name :kea}'],
      [':depth', '4'],
    ]);
    const ship = await inspector.inspect({
      start: { object: inner?.object ?? 0 },
      path: ['data', inner?.data[0]?.index ?? 0],
      offset: 0,
    });
    expect(ship).toMatchObject({ kind: 'map', text: '{:name :kea}' });
  });

  it('has frames that lead to files and to evaluations', async () => {
    const causes = await exceptions.causes(failed);
    const last = causes.length - 1;
    const own = causes[last]?.frames
      .map(({ call }) => call)
      .filter((call) => /^(?:user|lighthouse)/.test(call));
    expect(own?.slice(0, 2)).toEqual(['lighthouse.tides/height (tides.clj:5)', 'user/sail (REPL:2)']);
    expect(await placeOf(causes, last, 'lighthouse.tides/height')).toEqual({
      file: image.file('src/lighthouse/tides.clj'),
      line: 5,
      start: 3,
      text: TIDES.slice(TIDES.indexOf('(defn')),
    });
    expect(await placeOf(causes, last, 'user/sail')).toEqual({ evaluation: failed, line: 2 });
    expect(await placeOf(causes, last, 'clojure.core/eval')).toMatchObject({
      text: expect.stringMatching(/^\(defn eval/),
    });
  });

  it('is that of the last evaluation that failed, and of no other', async () => {
    await evaluate('(+ 1 1)', 'ok');
    expect(await exceptions.causes(failed)).toEqual([]);
    expect(await exceptions.causes(failed - 1)).not.toEqual([]);
    await evaluate('(inc 1)\n(/ 1 0)');
    expect(await exceptions.causes(failed - 2)).toEqual([]);
    expect((await exceptions.causes(failed)).at(-1)).toMatchObject({
      type: 'java.lang.ArithmeticException',
      message: 'Divide by zero',
    });
    const [error] = await exceptions.causes(failed);
    const form = error?.frames.find(({ call }) => /^user\/eval\d+ \(REPL:2\)/.test(call));
    const at = { cause: 0, frame: form?.index ?? 0 };
    expect(await exceptions.source(failed, at)).toEqual({ evaluation: failed, line: 2 });
  });

  it('has no text where there is none, and says of endless stacks how many frames it leaves out', async () => {
    await evaluate('((fn deeper [n] (+ 1 (deeper n))) 1)');
    const [error] = await exceptions.causes(failed);
    expect(error?.type).toBe('java.lang.StackOverflowError');
    expect(error?.more).toBeGreaterThan(0);
    await evaluate('(Integer/parseInt "x")');
    const causes = await exceptions.causes(failed);
    const frame = causes.at(-1)?.frames.find(({ call }) => call.startsWith('java.lang.Integer.parseInt'));
    expect(
      await exceptions.source(failed, { cause: causes.length - 1, frame: frame?.index ?? 0 }),
    ).toBeNull();
  });
});
