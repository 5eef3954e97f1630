/** Rows about how Lisp code is written, asked of the harbor's own code in a live image. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { ROOT, StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
  client = await harbor.client();
  await evaluate(client, WORDS);
});
afterAll(() => harbor.stop());

/** Where the harbor's own files are in a checkout. */
const OWN_FILES = '/resources/lisp/';

/** What the rows are asked with. A symbol is our own when its home is one of our packages. */
const WORDS = `
(defun our-packages ()
  (remove "LISP-HARBOR" (list-all-packages)
          :test-not (lambda (prefix package) (eql 0 (search prefix (package-name package))))))

(defun own-symbols (wanted)
  (loop for package in (our-packages)
        nconc (loop for symbol being the present-symbols of package
                    when (and (eq package (symbol-package symbol)) (funcall wanted symbol))
                      collect (symbol-name symbol))))

(defun variable-kind (symbol) (sb-int:info :variable :kind symbol))

(defun framed-p (symbol mark)
  (let ((name (symbol-name symbol)))
    (and (> (length name) 2)
         (char= mark (char name 0) (char name (1- (length name)))))))

(defun defined-p (symbol)
  (or (fboundp symbol) (boundp symbol) (find-class symbol nil)))`;

describe('the packages of the harbor', () => {
  it('S1-34 are its own: a package cl-mcp-server of a user is apart from them', async () => {
    expect(await values(client, "(mapcar #'package-name (our-packages))")).toEqual([
      expect.stringContaining('"LISP-HARBOR-AGENT"'),
    ]);
    const { structured } = await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' });
    const { session } = structured;
    await evaluate(
      client,
      `(defpackage :cl-mcp-server (:use :cl) (:export #:start))
       (in-package :cl-mcp-server)
       (defun start () (list :started (package-name *package*)))`,
      { session },
    );
    expect(await values(client, '(start)', { session })).toEqual(['(:STARTED "CL-MCP-SERVER")']);
  });

  it('S1-34 export by name what is there, in lower case with hyphens', async () => {
    const exported = `(loop for package in (our-packages)
      nconc (loop for symbol being the external-symbols of package
                  unless (defined-p symbol) collect symbol))`;
    expect(await values(client, exported)).toEqual(['NIL']);
    const [count] = await values(client, "(length (own-symbols #'defined-p))");
    expect(Number(count)).toBeGreaterThan(300);
    const odd = `(own-symbols
      (lambda (symbol)
        (and (defined-p symbol)
             (find-if (lambda (char) (or (lower-case-p char) (char= char #\\_))) (symbol-name symbol)))))`;
    expect(await values(client, odd)).toEqual(['NIL']);
  });
});

describe('the names of the harbor', () => {
  it('S1-35 say what they name: *variable*, +constant+, predicate-p', async () => {
    const variables = (kind: string, marks: string) => `(own-symbols
      (lambda (symbol)
        (and (eq (variable-kind symbol) ${kind})
             (notany (lambda (mark) (framed-p symbol mark)) "${marks}"))))`;
    // A list that never changes is a constant to whoever reads it, but Lisp wants one of these to be EQL to itself.
    expect(await values(client, variables(':special', '*+'))).toEqual(['NIL']);
    expect(await values(client, variables(':constant', '+'))).toEqual(['NIL']);
    const [specials] = await values(client, `(length ${variables(':special', '+')})`);
    expect(Number(specials)).toBeGreaterThan(20);
    const questions = `(own-symbols
      (lambda (symbol)
        (and (fboundp symbol)
             (or (eql 0 (search "IS-" (symbol-name symbol))) (find #\\? (symbol-name symbol))))))`;
    expect(await values(client, questions)).toEqual(['NIL']);
  });
});

describe('the files of the harbor', () => {
  it('S1-36 begin with what they are about', async () => {
    const code = `(let ((files '()))
      (own-symbols
       (lambda (symbol)
         (when (and (fboundp symbol) (not (macro-function symbol)))
           (let ((place (ignore-errors
                         (sb-introspect:definition-source-pathname
                          (sb-introspect:find-definition-source (fdefinition symbol))))))
             (when place (pushnew (namestring place) files :test #'equal))))
         nil))
      (format t "~{~a~%~}" files))`;
    const { stdout } = (await evaluate(client, code)).structured;
    // What DEFSTRUCT has made says that it is from SBCL.
    const files = stdout.split('\n').filter((file) => file.includes(OWN_FILES));
    expect(files.length).toBeGreaterThan(40);
    for (const file of files.map(inThisCheckout))
      expect(readFileSync(file, 'utf8'), file).toMatch(/^;;;; [A-Z]\S* .*(\n;;;; .*)*\.\n\n/);
  });
});

/** A core may have been built from the very same files elsewhere. */
function inThisCheckout(file: string): string {
  return path.join(ROOT, file.slice(file.lastIndexOf(OWN_FILES)));
}
