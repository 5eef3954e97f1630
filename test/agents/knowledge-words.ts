/** What it costs to look around in the shop that `words.ts` has loaded: names, who uses them, values, a held level, files. */
import type { Call } from './words.ts';

const HELD = '(shop:price 1 "two")';
const TABLE =
  '(let ((h (make-hash-table :test (quote equal)))) (dotimes (n 10 h) (setf (gethash (format nil "key-~a" n) h) n)))';

/** A function with five uses, in a file that is loaded and one that is not. */
export const DESK = {
  'desk.lisp': `(in-package :shop)
(defun half (n) (/ n 2))
(defun quarter (n) (half (half n)))
(defun halves (lines) (mapcar #'half lines))
(defmacro halved (place) \`(setf ,place (half ,place)))
(defun eighth-of (n)
  (let ((quarter (quarter n)))
    (half quarter)))
`,
  'later.lisp': '(in-package :shop)\n(defun later () (half 3))\n',
};

export const KNOWLEDGE: readonly Call[] = [
  { what: 'a file that is loaded', tool: 'load', args: { path: 'desk.lisp' }, goal: 200, says: /desk/ },
  {
    what: 'a function described',
    tool: 'describe',
    args: { symbol: 'shop:price' },
    goal: 200,
    says: /^function SHOP:PRICE \(EACH COUNT\) · shop\.lisp:3/,
  },
  {
    what: 'a library’s function described',
    tool: 'describe',
    args: { symbol: 'mapcar' },
    goal: 350,
    says: /Apply FUNCTION to successive tuples[\s\S]*type: /,
  },
  {
    what: 'a package described',
    tool: 'describe',
    args: { symbol: 'shop' },
    goal: 150,
    says: /2 external symbols\nfunction: PRICE \(EACH COUNT\), TOTAL \(LINES\)/,
  },
  {
    what: 'a library described',
    tool: 'describe',
    args: { symbol: 'alexandria' },
    goal: 3_500,
    says: /external symbols[\s\S]*FLATTEN[\s\S]*`find` with kind apropos/,
  },
  {
    what: 'where a name is defined',
    tool: 'find',
    args: { query: 'shop:total', kind: 'definition' },
    goal: 40,
    says: /^shop\.lisp:4 function SHOP:TOTAL$/,
  },
  {
    what: 'five uses',
    tool: 'find',
    args: { query: 'shop::half', kind: 'reference' },
    goal: 300,
    says: /^desk\.lisp:3 [\s\S]*\ndesk\.lisp:4 [\s\S]*\ndesk\.lisp:5 [\s\S]*\ndesk\.lisp:8 in defun eighth-of: \(half quarter\)\)\)\nlater\.lisp:2 [^\n]*$/,
  },
  {
    what: 'a table of ten entries',
    tool: 'inspect',
    args: { code: TABLE },
    goal: 300,
    says: /^#o\d+ · HASH-TABLE\n[\s\S]*9 "key-9": 9/,
  },
  {
    what: 'an error that is held',
    tool: 'eval',
    args: { code: HELD, on_error: 'debug' },
    goal: 350,
    says: /restarts[\s\S]*suspended at debugger level 1/,
  },
  {
    what: 'the debugger',
    tool: 'debug',
    args: { action: 'show' },
    goal: 350,
    says: /level 1 \(evaluation \d+\): \[TYPE-ERROR\][\s\S]*\[ABORT\][\s\S]*2: \(SHOP:PRICE 1 "two"\)/,
  },
  {
    what: 'a frame',
    tool: 'debug',
    args: { action: 'frame', frame: 2 },
    goal: 250,
    says: /COUNT = "two"[\s\S]*in shop\.lisp[\s\S]*RESTART-FRAME/,
  },
  {
    what: 'giving up',
    tool: 'debug',
    args: { action: 'abort' },
    goal: 60,
    says: /Aborted · evaluation \d+/,
  },
  {
    what: 'ten rows of the history',
    tool: 'history',
    args: { limit: 10 },
    goal: 900,
    says: /\d+ \d\d:\d\d error \(shop:price 1 "two"\) TYPE-ERROR[\s\S]*more with before/,
  },
  {
    what: 'a file in outline',
    tool: 'read_file',
    args: { path: 'desk.lisp' },
    goal: 300,
    says: /^1: \(in-package :shop\)\n2: [\s\S]*; hash [0-9a-f]{12}$/,
  },
  {
    what: 'a form of a file',
    tool: 'read_file',
    args: { path: 'desk.lisp', name_pattern: 'quarter' },
    goal: 130,
    says: /^3:\n\(defun quarter \(n\) \(half \(half n\)\)\)\n; hash/,
  },
  {
    what: 'a form that is not there',
    tool: 'read_file',
    args: { path: 'desk.lisp', name_pattern: 'quater' },
    goal: 130,
    says: /No form matches quater\. There are: quarter, /,
  },
  {
    what: 'a system that is not there',
    tool: 'load',
    args: { system: 'shpo' },
    goal: 350,
    says: /There is no system shpo\. In the project there are: shop\./,
  },
  {
    what: 'a state that is saved',
    tool: 'checkpoint',
    args: { action: 'save', name: 'one' },
    goal: 40,
    says: /^Saved one/,
  },
  {
    what: 'a second session',
    tool: 'open_session',
    args: {},
    goal: 60,
    says: /^Opened sbcl-\w+ · package CL-USER$/,
  },
];
