;;;; Results of a test run: the number of passed checks, and each failed check with its form, values
;;;; and source location. Frameworks report each test and check here; the harbor gets an event at the
;;;; beginning of each test, with the results so far, and one at the end of the run. If an object of a
;;;; test cannot be printed, the failure says so and the run continues.

(in-package :lisp-harbor-agent)

(defconstant +reported-test-failures+ 200
  "Maximum number of failures of one run that are sent. The others are counted.")

(defstruct (test-run (:conc-name run-))
  (framework nil :type keyword)
  (tests '() :type list)                ; the tests that were run, see UNIT-TEST
  (files '() :type list)                ; files in which their sources are searched
  (passed 0 :type integer)
  (failed 0 :type integer)
  (errors 0 :type integer)
  (skipped 0 :type integer)
  (counted t)                           ; true if the framework reports its checks separately
  (failures '() :type list)             ; JSON objects, last one first
  (unsent '() :type list)               ; those of them that the harbor does not have yet, last one first
  (failing '() :type list)              ; names of the tests with a failure, last one first
  (current nil)                         ; the test that runs
  (ended '() :type list))               ; tests that were ended early; the rest of them is not run

(defstruct (unit-test (:conc-name test-))
  "A test or a group of tests. DESIGNATOR is the framework's argument for it. SYMBOL is its name in the source
if that differs from the designator, and HOME the package in which it was defined."
  designator
  (symbol nil :type symbol)
  (name "" :type string)
  home
  (group nil))

(defun value-of-check (value)
  (values (print-bounded value :limit 4000)))

(defun test-form-p (text start symbol)
  "Reports whether the form at START defines the test called SYMBOL, judged by its text."
  (and (eql (char-at text start) #\()
       (search "test" (operator-text text start) :test #'char-equal)
       (same-written-name-p symbol (second-text text start))))

(defun test-place (symbol files)
  "Returns members with the line of one of FILES at which the test called SYMBOL is defined. Empty if none is
found."
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

(defun failures-counted (run)
  (+ (run-failed run) (run-errors run)))

(defun record-failure (run kind test &rest members)
  "Counts a failed check of TEST, a UNIT-TEST. KIND is \"failed\" or \"error\". MEMBERS are those of
TestFailure in electron/contract/report.ts, including a reason."
  (if (string= kind "error") (incf (run-errors run)) (incf (run-failed run)))
  (unless (equal (first (run-failing run)) (test-name test))
    (push (test-name test) (run-failing run)))
  (when (<= (failures-counted run) +reported-test-failures+)
    (let ((data (failure-data run kind test members)))
      (push data (run-failures run))
      (push data (run-unsent run)))))

;;; Failures while reporting.

(defvar *debug-tests* nil
  "True if the debugger opens at errors of tests, and at failed checks where the framework can do that.")

(defmacro handling-test-errors (form handler)
  "Returns the values of FORM, or of HANDLER, a function of one argument, for an error in it. If tests are debugged,
errors are not handled."
  (let ((run (gensym "RUN")))
    `(flet ((,run () ,form))
       (if *debug-tests*
           (,run)
           (block nil
             (funcall ,handler
                      (handler-case (return (,run))
                        (error (condition) condition))))))))

(defun call-telling-error (run test words function)
  "Returns the values of FUNCTION. An error in it is recorded as one of TEST with the text WORDS, and RUN
continues."
  (handling-test-errors
      (funcall function)
      (lambda (condition)
        (record-failure run "error" test "reason" (format nil "~A: ~A" words (condition-text condition)))
        nil)))

(defmacro describing-failure ((run test) &body body)
  "Runs BODY, which records a failure of TEST."
  `(call-telling-error ,run ,test "A check did not hold, and could not be described" (lambda () ,@body)))

(define-condition printable-error (error)
  ((text :initarg :text :reader text-of))
  (:report (lambda (condition stream) (write-string (text-of condition) stream)))
  (:documentation "Signalled in place of an error of a test, whose report may be endless, huge or fail."))

(defun bounded-condition-text (condition)
  "Returns type and message of CONDITION, or why they cannot be printed."
  (multiple-value-bind (message missing) (print-bounded condition :limit 4000 :printer #'princ)
    (if (and missing (not (search "was cut" missing)))
        (format nil "The code of the test signalled ~A, which ~A." (name-text (type-of condition)) missing)
        (format nil "~A: ~A~:[~; …~]" (name-text (type-of condition)) message missing))))

(defun signal-printable (condition)
  "Signals a substitute for CONDITION, which frameworks print as a whole."
  (unless (typep condition 'printable-error)
    (error 'printable-error :text (bounded-condition-text condition))))

(defun call-with-printable-errors (function unless)
  "Calls FUNCTION, whose errors a framework handles. Errors that it does not handle itself are replaced by
printable ones, except those for which UNLESS is true."
  (handler-bind ((error (lambda (condition)
                          (unless (funcall unless condition) (signal-printable condition)))))
    (funcall function)))

;;; Functions for several frameworks.

(defun on-one-line (text)
  "Returns TEXT, in which frameworks put each value on its own line, as one line."
  (format nil "~{~A~^ ~}" (remove "" (uiop:split-string text :separator '(#\Newline #\Space)) :test #'string=)))

(defun condition-text (condition)
  (if (typep condition 'printable-error)
      (text-of condition)
      (bounded-condition-text condition)))

(defun operand-members (form-x x form-y y)
  "Returns members that describe the expected value of a comparison of X and Y, the values of FORM-X and
FORM-Y. Frameworks do not define the order of the arguments: if exactly one form is a constant, it is the
expected value, otherwise the second one is."
  (if (and (constantp form-x) (not (constantp form-y)))
      `("expected" ,(value-of-check x) "actual" ,(value-of-check y))
      `("expected" ,(value-of-check y) "actual" ,(value-of-check x))))

;;; Reports to the harbor.

(defun counts-of (run)
  (if (run-counted run)
      (object "passed" (run-passed run) "failed" (run-failed run)
              "errors" (run-errors run) "skipped" (run-skipped run))
      :null))

(defun send-begun-test (run test)
  "Sends that TEST begins, with the results that are not sent yet."
  (when *evaluation*
    (flush-output)
    (send "testing"
          "id" (evaluation-id *evaluation*)
          "framework" (string-downcase (run-framework run))
          "test" (test-name test)
          "planned" (length (run-tests run))
          "counts" (counts-of run)
          "failures" (reverse (shiftf (run-unsent run) '())))))

(defun failing-beyond-details (run)
  "Returns the names of the failing tests none of whose failures is sent with details."
  (let ((detailed (make-hash-table :test 'equal)))
    (dolist (failure (run-failures run))
      (setf (gethash (member-of failure "test") detailed) t))
    (remove-duplicates (remove-if (lambda (name) (gethash name detailed)) (reverse (run-failing run)))
                       :test #'string= :from-end t)))

(defun send-run (run)
  (when *evaluation*
    (flush-output)
    (apply #'send "tests"
           "id" (evaluation-id *evaluation*)
           "framework" (string-downcase (run-framework run))
           "tests" (mapcar #'test-name (run-tests run))
           "counts" (counts-of run)
           "failures" (reverse (run-failures run))
           (let ((more (- (failures-counted run) (length (run-failures run)))))
             (and (plusp more) (list "omitted" more "alsoFailed" (failing-beyond-details run)))))))

(defun run-summary (run)
  "Returns the representation of RUN for evaluated code."
  (if (run-counted run)
      (list (run-framework run) :passed (run-passed run) :failed (run-failed run)
                                :errors (run-errors run) :skipped (run-skipped run))
      (list (run-framework run))))
