/** What is no object of ACL2's, in all that it reads: it would run raw Lisp, reach the helper, or prove a falsehood. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { engineOptions, issues, startImage, verdicts } from './acl2-fixture';
import { type Files, writeFiles } from './loading-fixture';
import type { TestImage } from './test-image';

const GOOD = '(in-package "ACL2")\n(defun good (x) x)\n';

/** Code that any host would take for raw Lisp, and that is seen at once. */
const TAKE_OVER = "(setf (symbol-function 'acl2::evens) (lambda (x) (declare (ignore x)) 42))";

async function isTakenOver(image: TestImage): Promise<boolean> {
  const { values } = await image.evaluate("(evens '(1 2 3))");
  expect(['(1 3)', '42']).toContain(values.at(-1)?.[0]);
  return values.at(-1)?.[0] === '42';
}

/** From a name to where something can stand that ACL2 reads, and what has it read. */
const PLACES: Readonly<Record<string, (object: string) => { files: Files; code: string }>> = {
  'a form': (object) => ({ files: {}, code: `'(1 ${object})` }),
  'a file of forms': (object) => ({ files: { 'f.lsp': `'(1 ${object})\n` }, code: '(ld "f.lsp")' }),
  'a book': (object) => ({
    files: { 'b.lisp': `${GOOD}(defconst *c* '(1 ${object}))\n` },
    code: '(include-book "b")',
  }),
  'a .port file': (object) => ({
    files: { 'b.lisp': GOOD, 'b.port': `(in-package "ACL2")\n(defconst *c* '(1 ${object}))\n` },
    code: '(include-book "b")',
  }),
  'a certificate': (object) => ({
    files: {
      'b.lisp': GOOD,
      'b.cert': `(in-package "ACL2")\n"ACL2 Version 8.5"\n:BEGIN-PORTCULLIS-CMDS\n(defconst *c* '(1 ${object}))\n`,
    },
    code: '(include-book "b")',
  }),
  'the rest of a certificate': (object) => ({
    files: {
      'b.lisp': GOOD,
      'b.cert': `(in-package "ACL2")\n"ACL2 Version 8.5"\n:BEGIN-PORTCULLIS-CMDS :END-PORTCULLIS-CMDS\n:EXPANSION-ALIST ((1 . ${object}))\n`,
    },
    code: '(include-book "b")',
  }),
  'a file that a book reads': (object) => ({
    files: {
      'f.lsp': `(1 ${object})\n`,
      'b.lisp': `${GOOD}(make-event
        (mv-let (channel state) (open-input-channel "f.lsp" :object state)
          (mv-let (end object state) (read-object channel state)
            (declare (ignore end object))
            (pprogn (close-input-channel channel state) (value '(value-triple :read))))))\n`,
    },
    code: '(include-book "b")',
  }),
};

/** An object as ACL2 serializes it, of version 3 unless another is given. */
function serialized(of: readonly number[], version = 0xc9): string {
  const magic = [0xac, 0x12, 0x0b, version];
  return `#Z${String.fromCharCode(...magic, ...of, ...magic)}`;
}

const TWO_TO_THE_62 = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40];

const OWN = 'an object of ACL2’s';

const OBJECTS: Readonly<Record<string, string>> = {
  [OWN]: '#1=(a #2=#\\b #2# "c" 1/2 #c(1 2) #xff #+no-such-feature #(1 2))',
  'code that is evaluated when it is loaded': `#,${TAKE_OVER}`,
  'code that is evaluated when it is read': `#.${TAKE_OVER}`,
  'code in a feature': `(#+#,${TAKE_OVER} 2)`,
  'a floating point number': '1.5',
  'a symbol of the helper’s': 'lisp-harbor-acl2::*books*',
  'the state': 'acl2_invisible::|The Live State Itself|',
  'a symbol of no package': '#:a',
  'a structure of the helper’s': '#s(lisp-harbor-acl2::success)',
  'a pathname': '#p"a"',
  'a vector': '#(1 2)',
  'a list that holds itself': '#1=(a . #1#)',
  'a list that holds itself inside': '#1=(a #2=(b #1#))',
  'a label that stands for nothing': '#7#',
  'a serialized nothing': serialized([0, 0, 0, 0, 0, 0, 0, 0], 0xc7),
  'a serialized hash table of any size': serialized([
    ...[3, 1, 5, 0, 0, 0, 0, 0, 1, 10, 2],
    ...[3, ...TWO_TO_THE_62, 0],
  ]),
};

describe.each(Object.entries(PLACES))('in %s', (place, having) => {
  it('nothing is read but objects of ACL2’s', async () => {
    const image = await startImage();
    const { project } = image.request;
    const told: [name: string, outcome: string, isTakenOver: boolean][] = [];
    for (const [name, object] of Object.entries(OBJECTS)) {
      const { files, code } = having(object);
      // Bytes, of which a form can have those only that are UTF-8.
      if (place === 'a form' && object.startsWith('#Z')) continue;
      for (const [file, text] of Object.entries(files))
        writeFileSync(path.join(project, file), text, 'latin1');
      const answer = await image.evaluate(code);
      told.push([name, answer.outcome, await isTakenOver(image)]);
      await image.evaluate('(ubt! 1)');
    }
    expect(told).toEqual(told.map(([name]) => [name, name === OWN ? 'ok' : 'error', false]));
  });
});

it('nor in the file below a book', async () => {
  const image = await startImage();
  const { project } = image.request;
  writeFiles(project, { 'b.lisp': GOOD, 'b.acl2': `#,${TAKE_OVER}\n` });
  const code = image.image.world?.certifyCode(path.join(project, 'b')) ?? '';
  const { outcome, report } = await image.evaluate(code);
  expect([outcome, JSON.stringify(report?.failures)]).toEqual([
    'error',
    expect.stringContaining('Read error'),
  ]);
});

/** Writes the certificate of the book `top` anew, with what `change` makes of the list `cert` of its objects. */
const forging = (change: string) => `
  (defun print-all (objects channel state) (declare (xargs :mode :program :stobjs state))
    (if (consp objects)
        (pprogn (print-object$ (car objects) channel state) (print-all (cdr objects) channel state))
      (close-output-channel channel state)))
  (er-let* ((cert (read-file "top.cert" state)))
    (mv-let (channel state) (open-output-channel "top.cert" :object state)
      (pprogn (print-all ${change} channel state) (value :written))))
  (ubt! 1)`;

describe('a certificate that was forged', () => {
  it('makes no book one of the system’s', async () => {
    const system = await startImage();
    writeFiles(system.request.project, { 'top.lisp': GOOD });
    const of = new Acl2Engine({ ...engineOptions, books: system.request.project });
    const image = await startImage({ engine: of });
    writeFiles(image.request.project, {
      'top.lisp': '(in-package "ACL2")\n(defaxiom evil nil :rule-classes nil)\n',
    });
    const name = path.join(system.request.project, 'top.lisp');
    const forged = await image.evaluate(`(certify-book "top" ? nil :defaxioms-okp t) (ubt! 1)
      ${forging(`(append (take 7 cert)
        (list (list (list* "${name}" "top" "top" '((:skipped-proofsp) (:axiomsp)) (cddddr (car (nth 7 cert)))))
              *trivial-book-hash*))`)}`);
    expect(forged.outcome).toBe('ok');
    const answer = await image.evaluate('(include-book "top") (thm nil :hints (("Goal" :use evil)))');
    expect(issues(answer)).toContain('outside-book');
  });

  it('is none where its parts are not what they should be', async () => {
    const image = await startImage();
    for (const part of ['17', "'((a . 1))", "'(17)", "'((1 . 2) . 3)"]) {
      writeFiles(image.request.project, { 'top.lisp': GOOD });
      const forged = await image.evaluate(`(certify-book "top" ? nil) (ubt! 1)
        ${forging(`(append (take 4 cert) (list :expansion-alist ${part})
          (butlast (nthcdr 4 cert) 1) (list *trivial-book-hash*))`)}`);
      expect(forged.outcome).toBe('ok');
      const answer = await image.evaluate('(include-book "top")');
      expect([answer.outcome, verdicts(answer), issues(answer)]).toEqual([
        'ok',
        ['admitted'],
        ['outside-book', 'uncertified-book'],
      ]);
      await image.evaluate('(ubt! 1)');
    }
  });
});

it('a certificate names symbols of packages that are local to its book', async () => {
  const image = await startImage();
  writeFiles(image.request.project, {
    'low.lisp': '(in-package "ACL2")\n(defconst *low* \'(hidden::a))\n',
    'high.lisp': `(in-package "ACL2")\n(local (include-book "low"))\n(make-event \`(defconst *high* ',*low*))\n`,
  });
  const made = await image.evaluate(
    '(defpkg "HIDDEN" nil) (certify-book "low" ? nil) (ubt! 1) (certify-book "high" ? nil)',
  );
  expect(made.outcome).toBe('ok');
  const later = await startImage({ project: image.request.project });
  const answer = await later.evaluate('(include-book "high") *high*');
  expect([answer.values.at(-1), issues(answer)]).toEqual([['(HIDDEN::A)'], ['outside-book']]);
});

it('what shares very much is looked through as fast, also with symbols of a package that was undone', async () => {
  const image = await startImage();
  await image.evaluate(`(defpkg "HIDDEN" nil) (assign kept '(hidden::a)) (ubt! 1)
    (defun deep (n x)
      (declare (xargs :mode :program))
      (if (zp n) x (let ((y (deep (1- n) x))) (cons y y))))`);
  const { outcome, values } = await image.evaluate(
    "(make-event (list 'value-triple (list 'consp (list 'quote (deep 60 (@ kept))))))",
  );
  expect([outcome, values]).toEqual(['ok', [['T']]]);
});
