;;;; ABOUTME: What a run of tests came to: how many checks held, and each that did not with its form, values and place.
;;;; ABOUTME: Frameworks report here check by check; the harbor gets one event for each run.

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
  "A test or a group of tests. DESIGNATOR is what its framework takes, HOME the package that it was defined in."
  designator
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

(defun top-level-forms (text)
  "Where the top-level forms of TEXT begin."
  (loop for start = (form-start text 0) then (form-start text (form-end text start))
        while start
        collect start))

(defun failure-data (run kind test members)
  (let ((designator (test-designator test)))
    (apply #'object
           "test" (test-name test)
           "kind" kind
           (append members (when (symbolp designator) (test-place designator (run-files run)))))))

(defun record-failure (run kind test &rest members)
  "Counts a check of TEST, a UNIT-TEST, that did not hold. KIND is \"failed\" or \"error\"; MEMBERS are those of
TestFailure in electron/contract/report.ts, a reason among them."
  (if (string= kind "error") (incf (run-errors run)) (incf (run-failed run)))
  (when (<= (+ (run-failed run) (run-errors run)) +reported-test-failures+)
    (push (failure-data run kind test members) (run-failures run))))

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
