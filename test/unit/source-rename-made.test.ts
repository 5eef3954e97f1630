/** Renaming of names that no form writes where it defines them. */
import { expect, it } from 'vitest';
import { changedText } from '../../electron/source/rename/renaming';
import { renaming, results } from './source-renaming';

const BOX = '(defstruct box "A box." w (h 1 :type fixnum))\n';

it.each([
  [
    `${BOX}(defun area (b) (* (box-w b) (box-h b)))`,
    'box-w',
    'box-width',
    /\(defstruct box …\) \(a\.lisp:1\) of its slot w\..*box-width/,
  ],
  [`${BOX}(defun new () (make-box))`, 'make-box', 'a-box', /\(defstruct box …\).*\(:constructor make-box\)/],
  [`${BOX}(defun twice (b) (copy-box b))`, 'copy-box', 'twin', /\(:copier copy-box\)/],
  [`${BOX}(remove-if #'box-p boxes)`, 'box-p', 'boxp', /\(:predicate box-p\)/],
  [
    '(defstruct (box (:conc-name bx-)) w)\n(bx-w 1)',
    'bx-w',
    'bx-width',
    /\(defstruct box …\) \(a\.lisp:1\) of its slot w/,
  ],
  ['(defstruct (box (:conc-name "BX.")) w)\n(bx.w 1)', 'bx.w', 'width', /of its slot w/],
  [
    `${BOX}(defstruct (cube (:include box (w 2))) d)\n(cube-h 1)`,
    'cube-h',
    'x',
    /\(defstruct cube …\) \(a\.lisp:2\) of its slot h/,
  ],
  [
    '(defstruct (box (:constructor) (:constructor %box (w))) w)\n(make-box)',
    'make-box',
    'x',
    /defstruct box/,
  ],
  [`${BOX}(defun (setf box-w) (v b) b)`, 'box-w', 'x', /defstruct box/],
  ['(let () (cl:defstruct box w) (defun w (b) (box-w b)))', 'box-w', 'x', /defstruct box/],
])('refuses what DEFSTRUCT makes: %s', (text, name, newName, why) => {
  expect(() => renaming({ 'a.lisp': text }, name, newName)).toThrow(why);
});

it('knows what DEFSTRUCT makes from other files, in the package of its place', () => {
  const files = {
    'p.lisp': '(defpackage :shape (:use :cl) (:export #:box-w)) (defpackage :view (:use :cl :shape))',
    'a.lisp': `(in-package :shape)\n${BOX}`,
    'b.lisp':
      '(in-package :view)\n(box-w 1) (copy-box 2)\n(defstruct (cube (:include shape::box)) d)\n(cube-w 1)',
  };
  expect(() => renaming(files, 'box-w', 'box-width')).toThrow(/\(defstruct box …\) \(a\.lisp:2\)/);
  expect(() => renaming(files, 'cube-w', 'x')).toThrow(/\(defstruct cube …\) \(b\.lisp:3\) of its slot w/);
  expect(results(files, 'view::copy-box', 'twin')['b.lisp']).toContain('(twin 2)');
});

it.each([
  ['(defstruct (box (:constructor make-box (w))) w)\n(make-box 1)', 'make-box', 'a-box'],
  ['(defstruct (box (:copier twin) (:predicate boxp)) w)\n(twin 1)', 'twin', 'copied'],
  [
    '(defstruct (box (:copier nil) (:predicate nil) (:constructor nil)) w)\n(defun copy-box () (copy-box))',
    'copy-box',
    'other',
  ],
  ['(defstruct (box (:type list)) w)\n(defun box-p (x) (box-p x))', 'box-p', 'other'],
  ['(defclass box () ((w :accessor box-w :initarg :w)))\n(box-w 1)', 'box-w', 'other'],
  ['(define-condition lost () ((why :initarg :why :reader lost-why)))\n(lost-why c)', 'lost-why', 'other'],
  ["(defclass box () (w (price :initarg :price)))\n(slot-value b 'price)", 'price', 'other'],
  ['(defun f (x) (flet ((price (y) y)) (price x)))', 'price', 'other'],
  ['(defun f (price) (list (price-of price)))', 'price', 'other'],
  ['(let ((price 1)) (list price))', 'price', 'other'],
  ['(defmacro each ((price list) &body body) `(dolist (,price ,list) ,@body))', 'price', 'other'],
  [`${BOX.replace(' w ', ' width ')}(defun area (b) (* (box-w b) (box-h b)))`, 'box-w', 'box-width'],
])('renames what is written, and says nothing more: %s', (text, name, newName) => {
  const { files, notes } = renaming({ 'a.lisp': text }, name, newName);
  expect(files.map((each) => changedText(each))).toEqual([
    text.replaceAll(new RegExp(`(?<![-:\\w])${name}(?![-\\w])`, 'g'), newName),
  ]);
  expect(notes).toEqual([]);
});

it.each([
  ["(define-box box w)\n(box-w 1) #'box-w", 'box-w'],
  ["(defun f () (make-instance 'box))", 'box'],
  ['(defun f () (incf *boxes*))', '*boxes*'],
  [
    '(defstobj st fld)\n(defthm a (b (update-fld 1 st)) :hints (("Goal" :in-theory (enable update-fld))))',
    'update-fld',
  ],
])('says that nothing defines it: %s', (text, name) => {
  expect(renaming({ 'a.lisp': text }, name, 'x').notes).toEqual([
    expect.stringMatching(
      /^No form of these files defines cl-user::.* by name: only its uses were renamed\./,
    ),
  ]);
});

it('refuses a name that DEFSTRUCT makes for a new one', () => {
  expect(() => renaming({ 'a.lisp': `${BOX}(defun wide (b) b)` }, 'wide', 'box-w')).toThrow(
    /cl-user::box-w is made by \(defstruct box …\) \(a\.lisp:1\) already/,
  );
});
