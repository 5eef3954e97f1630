/** Choosing and ordering the forms of an exported session, and the text of its file. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../electron/contract/knowledge';
import {
  definitionsFile,
  exportedForms,
  packageDesignator,
  recordedForms,
} from '../../electron/sessions/export/recorded-forms';

import { fileNameFor } from '../../electron/shell/export-session';

const row = (id: number, packageAfter: string, ...forms: string[]) => ({
  id,
  package: packageAfter,
  code: forms.join('\n'),
  forms: forms.map((code) => ({ code, values: [] })),
});

const made = (kind: string, text: string, evaluation: number, position: number): Finding => ({
  kind,
  text,
  source: { evaluation, position, package: 'COMMON-LISP-USER' },
});

describe('recorded forms', () => {
  it('know their place in code points, their package and what they define', () => {
    const rows = [
      row(1, 'A', ';; 🌊\n(cl:defun f () 1)', '(in-package #:a)', '(defun (setf g) (x) x)'),
      row(2, 'CL-USER', '#| c |# (export (list 1))', '(in-package "CL-USER")', 'symbol'),
    ];
    const told = recordedForms(rows, 'CL-USER').map((form) => [
      form.start,
      form.end,
      form.package,
      form.operator,
      form.defines,
    ]);
    expect(told).toEqual([
      [0, 22, 'CL-USER', 'defun', 'defun f'],
      [23, 39, 'CL-USER', 'in-package', null],
      [40, 62, 'A', 'defun', 'defun (setf g)'],
      [0, 25, 'A', 'export', null],
      [26, 48, 'A', 'in-package', null],
      [49, 55, 'CL-USER', '', null],
    ]);
  });
});

describe('exported forms', () => {
  const rows = [
    row(1, 'CL-USER', '(declaim (optimize speed))'),
    row(2, 'CL-USER', '(defmacro m () 1)', '(defun f () (m))', '(print 1)'),
    row(3, 'CL-USER', '(defmacro m () 2)', '(defun f () (list (m)))', "(export 'f)"),
  ];
  const recorded = recordedForms(rows, 'CL-USER');

  it('are the last of each, macros where the first was, with what was said about packages since', () => {
    const { forms, missing } = exportedForms(
      [made('macro', 'M', 3, 0), made('function', 'F', 3, 18)],
      recorded,
    );
    expect(forms.map(({ code }) => code)).toEqual([
      '(defmacro m () 2)',
      '(defun f () (list (m)))',
      "(export 'f)",
    ]);
    expect(missing).toEqual([]);
  });

  it('hold a form once that made several definitions, and miss what is not recorded', () => {
    const several = [
      made('function', 'F', 3, 18),
      made('variable', '*G*', 3, 18),
      made('function', 'H', 9, 0),
    ];
    const { forms, missing } = exportedForms(several, recorded);
    expect(forms.filter(({ code }) => code.includes('defun'))).toHaveLength(1);
    expect(missing.map(({ text }) => text)).toEqual(['H']);
  });
});

describe('the file', () => {
  it('loads what it needs first, and switches packages where they change', () => {
    const text = definitionsFile({
      about: ['What it is for.'],
      systems: ['alexandria'],
      packages: [
        { name: 'KEPT', file: '/src/kept.lisp', uses: [] },
        { name: 'Odd "one"', uses: ['COMMON-LISP'] },
      ],
      forms: [
        { package: 'COMMON-LISP-USER', code: '(defun a ())' },
        { package: 'COMMON-LISP-USER', code: '(defun b ())' },
        { package: 'KEPT', code: '(defun c ())' },
      ],
    });
    expect(text).toBe(`;;;; ABOUTME: What it is for.

(require "asdf")
(asdf:load-system "alexandria")
(unless (find-package :kept) (load "/src/kept.lisp"))
(unless (find-package "Odd \\"one\\"") (make-package "Odd \\"one\\"" :use '(:common-lisp)))

(in-package :cl-user)

(defun a ())

(defun b ())

(in-package :kept)

(defun c ())
`);
    expect(['SHOP/INTERNAL', 'mixed', 'A B'].map(packageDesignator)).toEqual([
      ':shop/internal',
      '"mixed"',
      '"A B"',
    ]);
  });

  it.each([
    ['tide tables', 'tide tables.lisp'],
    ['a/b\\c: "d"?', 'a b c d.lisp'],
    ['..', 'session.lisp'],
    ['', 'session.lisp'],
    ['λ\n2', 'λ 2.lisp'],
  ])('of session %j is called %s', (name, file) => expect(fileNameFor(name)).toBe(file));
});
