/** Values given to tap> in Clojure: the code continues, and the values can be inspected. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NreplEngine } from '../../electron/images/nrepl/engine';
import type { Taps } from '../../electron/images/optional-groups';
import { NreplServer, STARTING_MS } from '../nrepl-server';
import { PATIENT } from '../started-harbor';
import { ClojureTestImage, OPTIONS } from './clojure-fixture';
import { TestImage } from './test-image';

let image: ClojureTestImage;
let taps: Taps;

beforeAll(async () => {
  image = await ClojureTestImage.start();
  if (!image.image.taps) throw new Error('it keeps no taps');
  ({ taps } = image.image);
}, STARTING_MS);
afterAll(() => image.end());

/** They arrive in a thread of Clojure, in order. */
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

it(
  'is kept in a server of others as long as somebody of ours looks on, and no longer',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'taps-'));
    const server = await NreplServer.onJava(folder);
    const engine = new NreplEngine({
      questions: OPTIONS.sources,
      named: () => [],
      heartbeatMs: () => 60_000,
    });
    const address = { kind: 'nrepl', host: '127.0.0.1', port: server.port } as const;
    const attached = async () => new TestImage(await engine.attach({ server: address }));
    const [one, other, somebody] = await Promise.all([attached(), attached(), attached()]);
    const listeners = async () => (await somebody.evaluate("(count @@#'clojure.core/tapset)")).values.flat();
    const before = await listeners();
    for (const { image: looking } of [one, other]) await looking.taps?.read();
    const looked = await listeners();
    await one.image.end();
    expect([before, looked, await listeners()]).toEqual([['0'], ['1'], ['1']]);
    await other.image.end();
    expect(await listeners()).toEqual(['0']);
    const again = await attached();
    await again.image.taps?.read();
    await again.evaluate('(tap> :back)');
    await expect
      .poll(async () => (await again.image.taps?.read())?.map(({ text }) => text), PATIENT)
      .toEqual([':back']);
    await Promise.all([again.image.end(), somebody.image.end()]);
    await server.stop();
    rmSync(folder, { recursive: true });
  },
  STARTING_MS,
);
