;;;; Support for Fiasco. Its tests are functions and its suites are tests with children. Each run
;;;; leaves a tree of contexts with the failures, their forms and the operands of comparisons.

(in-package :lisp-harbor-agent)

(defun callable-without-arguments-p (lambda-list)
  (or (null lambda-list) (member (first lambda-list) lambda-list-keywords)))

(defun fiasco-test (object)
  (let ((name (call-framework :fiasco "NAME-OF" object)))
    (make-unit-test :designator name :name (name-text name)
                    :home (symbol-package name)
                    :group (plusp (hash-table-count (call-framework :fiasco "CHILDREN-OF" object))))))

(defun own-suite-p (object)
  "Reports whether OBJECT is one of the two suites that Fiasco itself defines."
  (let ((name (call-framework :fiasco "NAME-OF" object)))
    (or (eq (symbol-package name) (framework-package :fiasco))
        (string= (name-text name) "FIASCO-SUITES::ALL-TESTS"))))

(defmethod all-tests ((framework (eql :fiasco)))
  (loop for object being the hash-values of (symbol-value (framework-symbol :fiasco "*TESTS*"))
        when (and (not (own-suite-p object))
                  (call-framework :fiasco "AUTO-CALL?" object)
                  (callable-without-arguments-p (call-framework :fiasco "LAMBDA-LIST-OF" object)))
          collect (fiasco-test object)))

(defmethod test-definition ((framework (eql :fiasco)) test)
  (and (fboundp (test-designator test)) (fdefinition (test-designator test))))

(defmethod forget-test ((framework (eql :fiasco)) test)
  (call-framework :fiasco "DELETE-TEST" (test-designator test) :otherwise nil))

(defmethod run-unit-tests ((framework (eql :fiasco)) tests run)
  (flet ((named (name) (framework-symbol :fiasco name)))
    (progv (mapcar #'named '("*DEBUG-ON-UNEXPECTED-ERROR*" "*DEBUG-ON-ASSERTION-FAILURE*" "*PRINT-TEST-RUN-PROGRESS*"))
        (list *debug-tests* *debug-tests* nil)
      (call-observed (named "REGISTER-ASSERTION-WAS-SUCCESSFUL")
                     (lambda (arguments) (declare (ignore arguments)) (incf (run-passed run)))
                     (lambda ()
                       (dolist (test tests)
                         (call-as-test run test
                                       (lambda ()
                                         (call-telling-error run test "Fiasco could not run it" (test-designator test))
                                         (record-fiasco-run run (symbol-value (named "*LAST-TEST-RESULT*")))))))))))

(defun record-fiasco-run (run context)
  (incf (run-skipped run)
        (count-if (lambda (context) (call-framework :fiasco "SKIPPED-P" context))
                  (call-framework :fiasco "ALL-TEST-RUNS-OF" context)))
  (dolist (failure (reverse (call-framework :fiasco "FAILURES-OF" context)))
    (if (call-framework :fiasco "EXPECTED-P" failure)
        (incf (run-skipped run))        ; A failure that the test declares as expected is neither a pass nor a defect.
        (record-fiasco-failure run failure))))

(defun record-fiasco-failure (run failure)
  (let ((test (fiasco-test (call-framework :fiasco "TEST-OF" (call-framework :fiasco "CONTEXT-OF" failure)))))
    (if (typep failure (framework-symbol :fiasco "UNEXPECTED-ERROR"))
        (record-failure run "error" test "reason" (condition-text (call-framework :fiasco "ERROR-OF" failure)))
        (describing-failure (run test)
          (apply #'record-failure run "failed" test
                 "form" (value-of-check (call-framework :fiasco "FORM-OF" failure))
                 "reason" (on-one-line (print-bounded failure :limit 4000 :printer #'describe-object))
                 (fiasco-operands failure))))))

(defun fiasco-operands (failure)
  "Returns members with the two values of a failed comparison. Its message lists them after their forms."
  (let ((control (simple-condition-format-control failure))
        (arguments (simple-condition-format-arguments failure)))
    (when (and (stringp control) (search "Binary predicate" control))
      (apply #'operand-members (rest arguments)))))
