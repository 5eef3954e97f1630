/** What code of a real Clojure gives to tap>: it goes on, and the values are there to be looked into. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Taps } from '../../electron/images/optional-groups';
import { STARTING_MS } from '../nrepl-server';
import { PATIENT } from '../started-harbor';
import { ClojureTestImage } from './clojure-fixture';

let image: ClojureTestImage;
let taps: Taps;

beforeAll(async () => {
  image = await ClojureTestImage.start();
  if (!image.image.taps) throw new Error('it keeps no taps');
  ({ taps } = image.image);
}, STARTING_MS);
afterAll(() => image.end());

/** They come in a thread of Clojure's own, in order. */
async function whenThere(texts: readonly string[]): Promise<void> {
  await expect.poll(async () => (await taps.read()).map(({ text }) => text), PATIENT).toEqual(texts);
}

it('is kept from before anybody looks, the newest first, nil and what has no end among it', async () => {
  await image.evaluate(
    '(tap> {:ship :kea :draught 4}) (tap> nil) (tap> (range)) (tap> (map inc [1 2])) :went-on',
  );
  await whenThere([
    '(a lazy sequence, not realized)',
    '(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 ...)',
    'nil',
    '{:ship :kea, :draught 4}',
  ]);
  const [, , , first] = await taps.read();
  expect(first?.type).toBe('clojure.lang.PersistentArrayMap');
  const looked = await image.image.inspector?.inspect({
    start: { object: first?.object ?? Number.NaN },
    path: [],
    offset: 0,
  });
  expect(looked?.parts.map(({ text }) => text)).toEqual([':kea', '4']);
});

it('is told while an evaluation runs', async () => {
  await taps.forget();
  const { settled } = await image.running(
    '(tap> :under-way) (print "ready") (flush) (loop [] (Thread/sleep 5) (recur))',
  );
  await whenThere([':under-way']);
  await image.interrupt('cooperative');
  expect((await settled).outcome).toBe('interrupted');
});

it('is the latest hundred, with values that cannot be printed, until it is forgotten', async () => {
  await image.evaluate(`(tap> (reify Object (toString [_] (throw (Exception. "no")))))
    (doseq [n (range 120)] (tap> n) (Thread/sleep 1))`);
  await expect.poll(async () => (await taps.read())[0]?.text, PATIENT).toBe('119');
  const kept = await taps.read();
  expect([kept.length, kept.at(-1)?.text]).toEqual([100, '20']);
  await taps.forget();
  expect(await taps.read()).toEqual([]);
});
