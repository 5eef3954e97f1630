/** A confined ACL2: it proves, its project is all it can write to, and an interrupt finds it behind the wrapper. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';
import { landlockLauncher } from '../landlock-launcher';
import { sampled } from '../rounds';
import { engineOptions, proofOf, startImage } from './acl2-fixture';

const LAUNCHERS = {
  bubblewrap: async () => new BubblewrapLauncher(readHostLayout()),
  landlock: landlockLauncher,
};

/** Whether ACL2 can open `file` for output. */
const opens = (file: string) => `(mv-let (channel state) (open-output-channel "${file}" :character state)
  (if channel (pprogn (close-output-channel channel state) (value :opened)) (value :refused)))`;

const LETS_PROGRAMS_START = new Acl2Engine({
  ...engineOptions,
  trustTags: () => ['PROGRAMS'],
});

/** Ways to start a program; the last ones are of raw Lisp, and the host that does not have one refuses it. */
const PROGRAMS = (file: string) => [
  `(sys-call "/usr/bin/touch" '("${file}"))`,
  `(mv-let (channel state) (open-output-channel "|touch ${file}; true <&-" :character state) (value channel))`,
  '(set-raw-mode-on!)',
  `(progn (si::system "touch ${file}") nil)`,
  `(progn (open "|touch ${file}; true <&-" :direction :output) nil)`,
  `(progn (sb-ext:run-program "/usr/bin/touch" '("${file}")) nil)`,
  '(set-raw-mode nil)',
];

describe.each(sampled('acl2-sandbox', Object.entries(LAUNCHERS), 1))(
  'an image confined by %s',
  (_name, launcher) => {
    const confined = async () => startImage({ launcher: await launcher() });

    it('proves, and certifies and includes a book of its project', async () => {
      const image = await confined();
      expect(image.image.sandbox.confined).toBe(true);
      const book = path.join(image.request.project, 'sound.lisp');
      await writeFile(
        book,
        '(in-package "ACL2")\n(defthm sound (equal (car (cons x y)) x) :rule-classes nil)\n',
      );
      const answer = await image.evaluate('(certify-book "sound" ? nil) (ubt! 1) (include-book "sound")');
      expect(answer.outcome).toBe('ok');
      expect(proofOf(answer).events.at(-1)?.verdict).toBe('admitted');
    });

    it('checks a book finally, in processes that see nothing of the project but its sources', async () => {
      const image = await confined();
      const { project } = image.request;
      await writeFile(path.join(project, 'secret'), 'told');
      await writeFile(
        path.join(project, 'sound.lisp'),
        `(in-package "ACL2")
(make-event (mv-let (text state) (mv (read-file-into-string "${project}/secret") state)
              (value (list 'defconst '*seen* text))))
(defthm nothing-is-seen (equal *seen* nil) :rule-classes nil)
`,
      );
      const checks = { book: 'sound', claim: 'nothing-is-seen', trustTags: [], notes: [] };
      const answer = await image.evaluate('; a final check', { finalCheck: checks });
      // Of a file that is there and may not be read SBCL makes an error.
      expect(answer.condition?.message ?? answer.report?.finalCheck?.theorems[0]?.formula).toMatch(
        /^\(EQUAL NIL NIL\)$|secret":\s+Permission denied$/,
      );
    });

    it('writes in its project and nowhere else', async () => {
      const image = await confined();
      const inside = path.join(image.request.project, 'inside');
      expect((await image.evaluate(opens(inside))).values).toEqual([[':OPENED']]);
      for (const folder of [homedir(), '/usr', '/'])
        expect((await image.evaluate(opens(path.join(folder, 'lisp-harbor-decoy')))).values, folder).toEqual([
          [':REFUSED'],
        ]);
    });

    it('has the project as its working directory', async () => {
      const image = await confined();
      expect((await image.evaluate('(cbd)')).values).toEqual([[`"${image.request.project}/"`]]);
      await writeFile(path.join(image.request.project, 'here.lsp'), '(defun here (x) x)\n');
      expect((await image.evaluate('(ld "here.lsp") (here 1)')).values.at(-1)).toEqual(['1']);
    });

    it('starts no program, whatever code it runs, and goes on', async () => {
      const image = await confined();
      const file = path.join(image.request.project, 'ran');
      image.image.rawLisp?.allow();
      await image.evaluate('(defttag :programs)');
      for (const way of PROGRAMS(file)) await image.evaluate(way);
      expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
      expect(existsSync(file)).toBe(false);
    });

    it('starts programs if a user has allowed trust tags', async () => {
      const image = await startImage({
        launcher: await launcher(),
        engine: LETS_PROGRAMS_START,
      });
      const file = path.join(image.request.project, 'ran');
      image.image.rawLisp?.allow();
      await image.evaluate('(defttag :programs)');
      for (const way of PROGRAMS(file).slice(0, 1)) await image.evaluate(way);
      expect(existsSync(file)).toBe(true);
    });

    it('runs functions that ACL2 would compile', async () => {
      const image = await confined();
      const answer =
        await image.evaluate(`(set-compile-fns t) (defun f (x) (declare (xargs :guard t)) (list x)) (f 1)
      (set-compile-fns nil) (memoize 'f) (f 2)`);
      expect([answer.outcome, answer.values.at(-1)]).toEqual(['ok', ['(2)']]);
      await image.evaluate("(comp 'f)");
      expect((await image.evaluate('(f 3)')).values).toEqual([['(3)']]);
    });

    it('is interrupted and goes on', async () => {
      const image = await confined();
      await image.evaluate(
        '(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))',
      );
      const { settled } = await image.running('(prog2$ (cw "ready~%") (fib 70))');
      expect(await image.interrupt('cooperative')).toBe(true);
      await Promise.race([settled, image.interrupt('insistent')]);
      expect((await settled).outcome).toBe('interrupted');
      expect((await image.evaluate('(fib 10)')).values).toEqual([['55']]);
    });
  },
);
