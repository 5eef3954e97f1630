/** Images of Clojure start from nREPL and our own code compiled ahead, except for what the project has of them itself. */
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STARTING_MS } from '../nrepl-server';
import { CORES } from '../shared-cores';
import { ClojureTestImage } from './clojure-fixture';
import { writeFiles } from './loading-fixture';

let image: ClojureTestImage;

beforeAll(async () => {
  image = await ClojureTestImage.start(async (project) =>
    writeFiles(project, {
      'src/nrepl/ack.clj': '(ns nrepl.ack) (defn send-ack [& _] :ours) (def reset-ack-port! nil)',
    }),
  );
}, STARTING_MS);
afterAll(() => image.end());

const answerTo = async (code: string) => (await image.evaluate(code)).values.at(-1)?.[0];

/** The file that the class of a function was read from; nil where it was compiled in the image. */
const origin = (name: string) =>
  answerTo(`(some-> (class ${name}) .getProtectionDomain .getCodeSource .getLocation .getFile)`);

it('reads what is compiled from one archive', async () => {
  const archive = JSON.parse((await origin('nrepl.server/handle')) ?? '');
  expect(path.dirname(archive)).toBe(CORES);
  await image.evaluate("(require 'lisp-harbor.json)");
  expect(await origin('lisp-harbor.json/json')).toBe(JSON.stringify(archive));
});

it('takes what a folder of the project has, though it is older than the archive', async () => {
  expect(await answerTo('(nrepl.ack/send-ack)')).toBe(':ours');
  expect(await origin('nrepl.ack/send-ack')).toBe('nil');
});
