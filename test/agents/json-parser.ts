/** A JSON parser from nothing, with tests of its own. */
import type { Task } from './task.ts';

const SYSTEM = `(defsystem "small-json" :components ((:file "small-json")))
(defsystem "small-json/tests" :depends-on ("small-json" "fiveam") :components ((:file "tests")))
`;

/** As a model writes it at first: an escaped quote ends a string, and an empty array has an element. */
const PARSER = `(defpackage :small-json (:use :cl) (:export #:parse #:json-error))
(in-package :small-json)

(define-condition json-error (error)
  ((place :initarg :place :reader place))
  (:report (lambda (condition stream) (format stream "No JSON at ~D." (place condition)))))

(defvar *text*)
(defvar *place*)

(defun peek ()
  (and (< *place* (length *text*)) (char *text* *place*)))

(defun next ()
  (or (prog1 (peek) (incf *place*)) (fail)))

(defun fail ()
  (error 'json-error :place *place*))

(defun skip-space ()
  (loop while (member (peek) '(#\\Space #\\Tab #\\Newline #\\Return)) do (incf *place*)))

(defun expect (char)
  (skip-space)
  (unless (eql (next) char) (fail)))

(defun parse-string ()
  (expect #\\")
  (with-output-to-string (out)
    (loop for char = (next)
          until (char= char #\\")
          do (write-char char out))))

(defun parse-number ()
  (let ((end (or (position-if-not (lambda (char) (find char "+-.eE0123456789")) *text* :start *place*)
                 (length *text*))))
    (prog1 (let ((*read-default-float-format* 'double-float))
             (handler-case (let ((*read-eval* nil)) (read-from-string *text* t nil :start *place* :end end))
               (error () (fail))))
      (setf *place* end))))

(defun parse-word (word value)
  (unless (eql (mismatch word *text* :start2 *place*) (length word))
    (unless (null (mismatch word *text* :start2 *place*)) (fail)))
  (incf *place* (length word))
  value)

(defun parse-items (close parse-item)
  (next)
  (loop collect (funcall parse-item)
        do (skip-space)
        while (eql (peek) #\\,)
        do (next)
        finally (expect close)))

(defun parse-member ()
  (skip-space)
  (let ((key (parse-string)))
    (expect #\\:)
    (cons key (parse-value))))

(defun parse-value ()
  (skip-space)
  (case (peek)
    (#\\{ (parse-items #\\} #'parse-member))
    (#\\[ (coerce (parse-items #\\] #'parse-value) 'vector))
    (#\\" (parse-string))
    (#\\t (parse-word "true" t))
    (#\\f (parse-word "false" :false))
    (#\\n (parse-word "null" :null))
    (t (parse-number))))

(defun parse (text)
  "The value of TEXT: objects are alists, arrays vectors, false and null keywords. Signals JSON-ERROR."
  (let ((*text* text) (*place* 0))
    (prog1 (parse-value)
      (skip-space)
      (when (peek) (fail)))))
`;

const TESTS = `(defpackage :small-json-tests (:use :cl :fiveam :small-json))
(in-package :small-json-tests)
(def-suite :small-json)
(in-suite :small-json)

(test atoms
  (is (eq t (parse "true")))
  (is (eq :false (parse " false ")))
  (is (eq :null (parse "null")))
  (is (= -12.5d0 (parse "-1.25e1"))))

(test strings
  (is (string= "a b" (parse "\\"a b\\"")))
  (is (string= "say \\"hi\\"" (parse "\\"say \\\\\\"hi\\\\\\"\\""))))

(test arrays
  (is (equalp #(1 #(2) "x") (parse "[1, [2], \\"x\\"]")))
  (is (equalp #() (parse "[ ]"))))

(test objects
  (is (equalp '(("a" . 1) ("b" . #(2))) (parse "{\\"a\\": 1, \\"b\\": [2]}"))))

(test refusals
  (dolist (wrong '("" "[1," "{1}" "tru" "1 2"))
    (signals json-error (parse wrong))))
`;

const RIGHT_STRING = `(defun parse-string ()
  (expect #\\")
  (with-output-to-string (out)
    (loop for char = (next)
          until (char= char #\\")
          do (write-char (if (char= char #\\\\) (next) char) out))))`;

const RIGHT_ITEMS = `(defun parse-items (close parse-item)
  (next)
  (skip-space)
  (if (eql (peek) close)
      (progn (next) '())
      (loop collect (funcall parse-item)
            do (skip-space)
            while (eql (peek) #\\,)
            do (next)
            finally (expect close))))`;

const TESTING = [
  `sbcl --noinform --non-interactive --eval '(require :asdf)' --eval '(push (truename ".") asdf:*central-registry*)'`,
  `--eval '(asdf:load-system "small-json/tests")' --eval '(sb-ext:exit :code (if (fiveam:run! :small-json) 0 1))'`,
  '2>&1',
].join(' ');

const heredoc = (file: string, text: string) => `cat > ${file} <<'END_OF_FILE'\n${text}END_OF_FILE\n`;

/** What a shell's agent does with an editor: the function from its first line to the blank one is another. */
const replacing = (name: string, text: string) =>
  `python3 - <<'END_OF_EDIT'
import re
text = open('small-json.lisp').read()
new = r'''${text}'''
open('small-json.lisp', 'w').write(re.sub(r'\\(defun ${name} .*?\\n(?=\\n)', lambda found: new + '\\n', text, flags=re.S))
END_OF_EDIT
`;

export const jsonParser: Task = {
  what: 'a JSON parser from nothing',
  engine: 'sbcl',
  prepare() {},
  async tools(agent) {
    const files = { 'small-json.asd': SYSTEM, 'small-json.lisp': PARSER, 'tests.lisp': TESTS };
    const created = Object.entries(files).map(([path, content]) => ({ path, operation: 'create', content }));
    await agent.call('edit_form', { edits: created }, /Written/);
    const testing = { system: 'small-json/tests' };
    await agent.call('run_tests', testing, /STRINGS[\s\S]*ARRAYS/);
    const right = { 'parse-string': RIGHT_STRING, 'parse-items': RIGHT_ITEMS };
    const edits = Object.entries(right).map(([name, content]) => ({
      ...{ operation: 'replace', form_type: 'defun', form_name: name, content },
    }));
    await agent.call('edit_form', { path: 'small-json.lisp', edits }, /Written/);
    await agent.call('run_tests', testing, /14 passed in 5 tests/);
  },
  shell: [
    `${heredoc('small-json.asd', SYSTEM)}${heredoc('small-json.lisp', PARSER)}${heredoc('tests.lisp', TESTS)}${TESTING}`,
    `${replacing('parse-string', RIGHT_STRING)}${replacing('parse-items', RIGHT_ITEMS)}${TESTING}`,
  ],
  goal: 2_000,
};
