/** Images of every engine under Landlock: each evaluates, runs programs and stays in its project. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Engine } from '../../electron/images/image';
import { NbbEngine } from '../../electron/images/nbb/engine';
import { ABCL, ECL } from '../../electron/images/portable/implementations';

import type { Launcher } from '../../electron/launchers/launcher';
import { landlockLauncher } from '../landlock-launcher';
import { engine as acl2 } from './acl2-fixture';
import { engine as clojure } from './clojure-fixture';
import { IMAGE_FILE } from './nbb-fixture';
import { portableEngine, START_MS } from './portable-fixture';
import { engine as sbcl } from './sbcl-fixture';
import { TestImage } from './test-image';

interface Case {
  engine: Engine;
  /** A definition and its use, which returns 42. */
  code: string;
  /** Returns the text of a file, and fails if it cannot be read. */
  read: (file: string) => string;
  /** Returns the name of a new temporary file. */
  scratch?: string;
}

const lispRead = (file: string) => `(with-open-file (s "${file}") (read-line s))`;

const CASES: Record<string, Case> = {
  sbcl: {
    engine: sbcl(),
    code: '(defun twice (x) (* 2 x)) (twice 21)',
    read: lispRead,
    scratch: `(let ((file (concatenate 'string (sb-posix:getenv "TMPDIR") "/made"))) (with-open-file (s file :direction :output) (print 1 s)) file)`,
  },
  acl2: {
    engine: acl2,
    code: '(defun twice (x) (* 2 x)) (twice 21)',
    read: (file) => `(read-file-into-string "${file}")`,
  },
  clojure: {
    engine: clojure,
    code: '(defn twice [x] (* 2 x)) (twice 21)',
    read: (file) => `(slurp "${file}")`,
    scratch: '(str (java.io.File/createTempFile "made" "x"))',
  },
  nbb: {
    engine: new NbbEngine(IMAGE_FILE),
    code: '(defn twice [x] (* 2 x)) (twice 21)',
    read: (file) => `(do (require '["fs" :as fs]) (.readFileSync fs "${file}" "utf8"))`,
    scratch: `(do (require '["fs" :as fs] '["os" :as os]) (.mkdtempSync fs (str (.tmpdir os) "/made")))`,
  },
  ecl: { engine: portableEngine(ECL), code: '(defun twice (x) (* 2 x)) (twice 21)', read: lispRead },
  abcl: { engine: portableEngine(ABCL), code: '(defun twice (x) (* 2 x)) (twice 21)', read: lispRead },
};

let launcher: Launcher;

beforeAll(async () => {
  launcher = await landlockLauncher();
});

async function start(engine: Engine): Promise<{ image: TestImage; folder: string; home: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-landlock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [project, home, checkpoints] = ['project', 'home', 'checkpoints'].map((name) => {
    const made = path.join(folder, name);
    mkdirSync(made);
    return made;
  }) as [string, string, string];
  const confinement = { writable: [project, home, checkpoints], readable: [], network: false };
  const image = await engine.start({ launcher, confinement, project, home, checkpoints });
  onTestFinished(() => image.end());
  return { image: new TestImage(image), folder, home };
}

describe.each(Object.entries(CASES))('%s', (_name, { engine, code, read, scratch }) => {
  it(
    'evaluates in its project and reads nothing beside it',
    async () => {
      const { image, folder, home } = await start(engine);
      const outcome = await image.evaluate(code);
      expect(outcome).toMatchObject({ outcome: 'ok', notes: [] });
      expect(outcome.values.at(-1)).toEqual(['42']);
      expect(image.image.sandbox).toMatchObject({ confined: true, launcher: 'landlock' });
      writeFileSync(path.join(folder, 'outside'), 'decoy\n');
      writeFileSync(path.join(folder, 'project/inside'), 'mine\n');
      const inside = await image.evaluate(read(path.join(folder, 'project/inside')));
      expect(inside.values.flat().join()).toContain('mine');
      const outside = await image.evaluate(read(path.join(folder, 'outside')));
      expect(outside.values.flat().join()).not.toContain('decoy');
      if (scratch === undefined) return;
      const made = await image.evaluate(scratch);
      expect(made.values.flat().join()).toContain(`${home}/tmp/made`);
    },
    START_MS,
  );
});
