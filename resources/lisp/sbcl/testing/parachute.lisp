;;;; Support for Parachute. Its tests are objects identified by package and name. A run returns a tree
;;;; of results, in which each comparison has its form and both values.

(in-package :lisp-harbor-agent)

(defun parachute-test (object)
  (let* ((name (string (call-framework :parachute "NAME" object)))
         (home (call-framework :parachute "HOME" object)))
    (make-unit-test :designator object :home home
                    :name (format nil "~A::~A" (package-name home) name)
                    :symbol (make-symbol name))))

(defmethod all-tests ((framework (eql :parachute)))
  (loop for package in (list-all-packages)
        append (mapcar #'parachute-test (call-framework :parachute "PACKAGE-TESTS" package))))

(defmethod test-definition ((framework (eql :parachute)) test)
  (call-framework :parachute "FIND-TEST" (symbol-name (test-symbol test)) (test-home test)))

(defmethod forget-test ((framework (eql :parachute)) test)
  (call-framework :parachute "REMOVE-TEST" (symbol-name (test-symbol test)) (test-home test)))

;;; Running. Results are recorded after each form of a test.

(defun call-each-form-as-test (run finished function)
  "Calls FUNCTION, which runs tests. Each form of a test costs only its test. Its stray error, one outside of all
checks, is recorded. FINISHED is called with the test after each form."
  (call-around (framework-symbol :parachute "TESTS")
               (lambda (reader object)
                 (let ((test (parachute-test object)))
                   (mapcar (lambda (form)
                             (lambda ()
                               (call-as-test run test (lambda () (call-recording-error run test form)))
                               (funcall finished test)))
                           (funcall reader object))))
               function))

(defun call-recording-error (run test function)
  (handler-bind ((error (lambda (condition)
                          (unless (typep condition 'printable-error)
                            (record-failure run "error" test "reason" (condition-text condition))
                            (signal-printable condition)))))
    (funcall function)))

(defun call-without-reports (function)
  "Calls FUNCTION, in which Parachute prints neither values nor warnings about errors."
  (flet ((call-quietly ()
           (handler-bind ((warning (lambda (warning)
                                     (when (search "Unhandled error" (message-of warning))
                                       (muffle-warning warning)))))
             (funcall function)))
         (say-nothing (format &rest arguments)
           (declare (ignore format arguments))
           ""))
    (let ((format (find-symbol "FORMAT-RESULT" (framework-package :parachute))))
      (if (and format (fboundp format))
          (call-around format #'say-nothing #'call-quietly)
          (call-quietly)))))

(defmethod run-unit-tests ((framework (eql :parachute)) tests run)
  (let ((added '())                     ; Parachute adds a check before it is done, and to two parents.
        (recorded (make-hash-table :test 'eq)))
    (flet ((record-added (test)
             (dolist (check (reverse (shiftf added '())))
               (unless (or (parachute-result-p check "PARENT-RESULT") (gethash check recorded))
                 (setf (gethash check recorded) t)
                 (record-check run test check))))
           (run-them ()
             (call-framework :parachute "TEST" (mapcar #'test-designator tests)
                             :report (framework-symbol :parachute "PLAIN")
                             :output (make-broadcast-stream))))
      (dolist (result (parachute-test-results
                       (call-observed (framework-symbol :parachute "ADD-RESULT")
                                      (lambda (arguments) (push (first arguments) added))
                                      (lambda ()
                                        (call-each-form-as-test
                                         run #'record-added
                                         (lambda () (call-without-reports #'run-them)))))))
        (record-whole-test run result)))))

;;; Results.

(defun parachute-result-p (result name)
  (typep result (framework-symbol :parachute name)))

(defun results-below (result)
  "Returns the results directly below RESULT. Older versions use a different reader name."
  (when (parachute-result-p result "PARENT-RESULT")
    (let ((reader (find-symbol "RESULTS" (framework-package :parachute))))
      (coerce (if (and reader (fboundp reader))
                  (funcall reader result)
                  (call-framework :parachute "CHILDREN" result))
              'list))))

(defun parachute-test-results (report)
  "Returns the results of whole tests, each once. A report lists those of nested tests both in the tree and
separately."
  (labels ((below (result)
             (loop for child in (results-below result)
                   when (parachute-result-p child "TEST-RESULT") collect child
                   append (below child))))
    (remove-duplicates (below report) :from-end t)))

(defun parachute-status (result)
  (call-framework :parachute "STATUS" result))

(defun record-check (run test check)
  (case (parachute-status check)
    (:passed (incf (run-passed run)))
    (:skipped (incf (run-skipped run)))
    (:failed (describing-failure (run test) (record-parachute-failure run test check)))))

(defun record-whole-test (run result)
  "Records what no check of the test of RESULT says: that it was skipped, or that it failed without a failed check."
  (let ((test (parachute-test (call-framework :parachute "EXPRESSION" result))))
    (case (parachute-status result)
      (:skipped (when (null (results-below result)) (incf (run-skipped run))))
      (:failed (unless (or (member (test-name test) (run-failing run) :test #'string=)
                           (some (lambda (below) (eq (parachute-status below) :failed)) (results-below result)))
                 (record-failure run "error" test "reason" "The test ended with an error."))))))

(defun record-parachute-failure (run test check)
  (flet ((part (name)
           (let ((slot (framework-symbol :parachute name)))
             (and (slot-exists-p check slot) (slot-boundp check slot) (slot-value check slot)))))
    (let ((form (value-of-check (part "EXPRESSION"))))
      (if (typep (part "VALUE") 'error)
          (record-failure run "error" test "form" form "reason" (condition-text (part "VALUE")))
          (record-failure run "failed" test
                          "form" form
                          "expected" (value-of-check (part "EXPECTED"))
                          "actual" (value-of-check (part "VALUE"))
                          "reason" (or (part "DESCRIPTION") "The value is not as expected."))))))
