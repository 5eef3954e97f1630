;;;; What a run of tests came to: how many checks held, and each that did not with its form, values and place.
;;;; Frameworks report here check by check; the harbor gets one event for each run.

(in-package :lisp-harbor-agent)

(defconstant +reported-test-failures+ 200 "Failures of one run that are sent.")

(defstruct (test-run (:conc-name run-))
  (framework nil :type keyword)
  (tests '() :type list)                ; those that were run, see UNIT-TEST
  (files '() :type list)                ; where their sources are looked for
  (passed 0 :type integer)
  (failed 0 :type integer)
  (errors 0 :type integer)
  (skipped 0 :type integer)
  (counted t)                           ; whether the framework tells its checks apart
  (failures '() :type list))            ; JSON objects, last one first

(defstruct (unit-test (:conc-name test-))
  "A test or a group of tests. Its framework takes the DESIGNATOR. SYMBOL is its name in the source where that is not the
designator, and HOME the package in which it was defined."
  designator
  (symbol nil :type symbol)
  (name "" :type string)
  home
  (group nil))

(defun value-of-check (value)
  (values (print-bounded value :limit 4000)))

(defun test-form-p (text start symbol)
  "Whether the form at START defines the test called SYMBOL, as far as its text shows."
  (and (eql (char-at text start) #\()
       (search "test" (operator-text text start) :test #'char-equal)
       (same-written-name-p symbol (second-text text start))))

(defun test-place (symbol files)
  "Members that name the line of one of FILES where the test called SYMBOL is defined; empty when none is found."
  (dolist (file files)
    (let* ((text (ignore-errors (read-text file)))
           (start (and text (find-if (lambda (start) (test-form-p text start symbol)) (top-level-forms text)))))
      (when start
        (return (list "file" (sb-ext:native-namestring file) "line" (line-number text start)))))))

(defun failure-data (run kind test members)
  (let ((symbol (or (test-symbol test) (test-designator test))))
    (apply #'object
           "test" (test-name test)
           "kind" kind
           (append members (when (symbolp symbol) (test-place symbol (run-files run)))))))

(defun record-failure (run kind test &rest members)
  "Counts a check of TEST, a UNIT-TEST, that did not hold. KIND is \"failed\" or \"error\"; MEMBERS are those of
TestFailure in electron/contract/report.ts, a reason among them."
  (if (string= kind "error") (incf (run-errors run)) (incf (run-failed run)))
  (when (<= (+ (run-failed run) (run-errors run)) +reported-test-failures+)
    (push (failure-data run kind test members) (run-failures run))))

;;; What several frameworks say in the same way.

(defun on-one-line (text)
  "TEXT, in which frameworks put each value on a line of its own, as a sentence."
  (format nil "~{~A~^ ~}" (remove "" (uiop:split-string text :separator '(#\Newline #\Space)) :test #'string=)))

(defun condition-text (condition)
  (format nil "~A: ~A" (name-text (type-of condition)) (message-of condition)))

(defun operand-members (form-x x form-y y)
  "Members that tell what a comparison of X and Y, the values of FORM-X and FORM-Y, expected. Frameworks leave their order
open: where just one form is a constant, it says what was expected, and else the second one does."
  (if (and (constantp form-x) (not (constantp form-y)))
      `("expected" ,(value-of-check x) "actual" ,(value-of-check y))
      `("expected" ,(value-of-check y) "actual" ,(value-of-check x))))

;;; The harbor.

(defun send-run (run)
  (when *evaluation*
    (flush-output)
    (send "tests"
          "id" (evaluation-id *evaluation*)
          "framework" (string-downcase (run-framework run))
          "tests" (mapcar #'test-name (run-tests run))
          "counts" (if (run-counted run)
                       (object "passed" (run-passed run) "failed" (run-failed run)
                               "errors" (run-errors run) "skipped" (run-skipped run))
                       :null)
          "failures" (reverse (run-failures run)))))

(defun run-summary (run)
  "What evaluated code gets to see of RUN."
  (if (run-counted run)
      (list (run-framework run) :passed (run-passed run) :failed (run-failed run)
                                :errors (run-errors run) :skipped (run-skipped run))
      (list (run-framework run))))
