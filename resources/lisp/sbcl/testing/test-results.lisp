;;;; What a run of tests came to: how many checks held, and each that did not with its form, values and place.
;;;; Frameworks report here check by check; the harbor gets one event for each run. What a test made may fail to print:
;;;; then the failure says that, and the run goes on.

(in-package :lisp-harbor-agent)

(defconstant +reported-test-failures+ 200 "Failures of one run that are sent; the others are counted.")

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

(defun failures-counted (run)
  (+ (run-failed run) (run-errors run)))

(defun record-failure (run kind test &rest members)
  "Counts a check of TEST, a UNIT-TEST, that did not hold. KIND is \"failed\" or \"error\"; MEMBERS are those of
TestFailure in electron/contract/report.ts, a reason among them."
  (if (string= kind "error") (incf (run-errors run)) (incf (run-failed run)))
  (when (<= (failures-counted run) +reported-test-failures+)
    (push (failure-data run kind test members) (run-failures run))))

;;; What fails while it is told.

(defun call-telling-error (run test words function)
  "The values of FUNCTION. An error that leaves it is one of TEST, told in WORDS, and RUN goes on."
  (handler-case (funcall function)
    (error (condition)
      (record-failure run "error" test "reason" (format nil "~A: ~A" words (condition-text condition)))
      nil)))

(defmacro describing-failure ((run test) &body body)
  "Runs BODY, which records a failure of TEST."
  `(call-telling-error ,run ,test "A check did not hold, and could not be described" (lambda () ,@body)))

(define-condition unprintable-error (error)
  ((text :initarg :text :reader text-of))
  (:report (lambda (condition stream) (write-string (text-of condition) stream)))
  (:documentation "Stands for an error that a framework could not put into words."))

(defun note-unprintable (condition)
  "Signals what stands for CONDITION, where that does not print."
  (let ((missing (or (nth-value 1 (print-bounded condition :printer #'princ)) (nth-value 1 (print-bounded condition)))))
    (when missing
      (error 'unprintable-error :text (format nil "The code of the test signalled ~A, which ~A."
                                              (name-text (type-of condition)) missing)))))

(defun call-with-printable-errors (function)
  "Calls FUNCTION, which a framework handles errors of: those that it does not handle itself are such as can be printed."
  (handler-bind ((error #'note-unprintable))
    (funcall function)))

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
    (apply #'send "tests"
           "id" (evaluation-id *evaluation*)
           "framework" (string-downcase (run-framework run))
           "tests" (mapcar #'test-name (run-tests run))
           "counts" (if (run-counted run)
                        (object "passed" (run-passed run) "failed" (run-failed run)
                                "errors" (run-errors run) "skipped" (run-skipped run))
                        :null)
           "failures" (reverse (run-failures run))
           (let ((more (- (failures-counted run) (length (run-failures run)))))
             (and (plusp more) (list "omitted" more))))))

(defun run-summary (run)
  "What evaluated code gets to see of RUN."
  (if (run-counted run)
      (list (run-framework run) :passed (run-passed run) :failed (run-failed run)
                                :errors (run-errors run) :skipped (run-skipped run))
      (list (run-framework run))))
