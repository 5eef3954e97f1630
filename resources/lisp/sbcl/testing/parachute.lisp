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

;;; Running.

(defun call-noting-stray-errors (function)
  "Returns the value of FUNCTION, and the texts of the warnings by which Parachute reports errors outside of
its checks."
  (let ((texts '()))
    (values (handler-bind ((warning (lambda (warning)
                                      (let ((text (message-of warning)))
                                        (when (search "Unhandled error" text)
                                          (push text texts)
                                          (muffle-warning warning))))))
              (funcall function))
            texts)))

(defmethod run-unit-tests ((framework (eql :parachute)) tests run)
  (multiple-value-bind (report stray-errors)
      (call-noting-stray-errors
       (lambda ()
         (call-framework :parachute "TEST" (mapcar #'test-designator tests)
                         :report (framework-symbol :parachute "PLAIN")
                         :output (make-broadcast-stream))))
    (dolist (result (parachute-test-results report))
      (record-parachute-result run result stray-errors))))

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

(defun checks-of (result)
  "Returns the checks below RESULT, without those of nested tests."
  (loop for child in (results-below result)
        append (cond ((parachute-result-p child "TEST-RESULT") '())
                     ((parachute-result-p child "PARENT-RESULT") (checks-of child))
                     (t (list child)))))

(defun parachute-status (result)
  (call-framework :parachute "STATUS" result))

(defun record-parachute-result (run result stray-errors)
  (let ((test (parachute-test (call-framework :parachute "EXPRESSION" result)))
        (checks (checks-of result)))
    (dolist (check checks)
      (ecase (parachute-status check)
        (:passed (incf (run-passed run)))
        (:skipped (incf (run-skipped run)))
        (:failed (describing-failure (run test) (record-parachute-failure run test check)))))
    (cond ((and (null checks) (eq (parachute-status result) :skipped)) (incf (run-skipped run)))
          ((and (eq (parachute-status result) :failed)
                (notany (lambda (below) (eq (parachute-status below) :failed)) (results-below result)))
           (record-failure run "error" test "reason" (stray-error-of test stray-errors))))))

(defun stray-error-of (test stray-errors)
  "Returns the text about the error that ended TEST outside of its checks."
  (on-one-line (or (find-if (lambda (text) (search (symbol-name (test-symbol test)) text)) stray-errors)
                   "The test ended with an error.")))

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
