;;;; Support for FiveAM: tests and suites by name, and the results that it returns. The values of a
;;;; failed comparison are captured while FiveAM formats its reason, because it does not store them.

(in-package :lisp-harbor-agent)

(defun fiveam-test (name)
  (let ((object (call-framework :fiveam "GET-TEST" name)))
    (if (typep object (framework-symbol :fiveam "TEST-SUITE"))
        (make-unit-test :designator name :name (name-text name) :home (symbol-package name) :group t)
        (make-unit-test :designator name :name (name-text name)
                        :home (call-framework :fiveam "RUNTIME-PACKAGE" object)))))

(defmethod all-tests ((framework (eql :fiveam)))
  (mapcar #'fiveam-test (reverse (remove nil (call-framework :fiveam "TEST-NAMES")))))

(defmethod test-definition ((framework (eql :fiveam)) test)
  (call-framework :fiveam "GET-TEST" (test-designator test)))

(defmethod forget-test ((framework (eql :fiveam)) test)
  (call-framework :fiveam "REM-TEST" (test-designator test)))

(defun compared-values (control arguments)
  "Returns members with the values that IS compared, from the arguments of FiveAM's message."
  (when (and (stringp control) (search "evaluated to" control) (>= (length arguments) 2))
    `("actual" ,(value-of-check (second arguments))
      ,@(when (and (= (length arguments) 4) (search "which is not" control))
          `("expected" ,(value-of-check (fourth arguments)))))))

(defun values-compared-for (form reason failures)
  "Returns the values of the failed check FORM: those of the element of FAILURES with the same form and the
same REASON."
  (loop for (words failed control . arguments) in failures
        when (and (eq failed form) (equal reason words))
          return (compared-values control arguments)))

(defun failure-seen (arguments)
  "Returns the message that FiveAM makes of ARGUMENTS, those of a failed check, and ARGUMENTS. The current
package is that of the test."
  (destructuring-bind (form &optional control &rest values) arguments
    (declare (ignore form))
    (cons (and control (ignore-errors (apply #'format nil control values))) arguments)))

(defun record-fiveam-result (run result failures)
  (flet ((is-a (name) (typep result (framework-symbol :fiveam name)))
         (part (name) (let ((slot (framework-symbol :fiveam name)))
                        (and (slot-boundp result slot) (slot-value result slot)))))
    (let ((test (fiveam-test (name-of-result result)))
          (form (part "TEST-EXPR"))
          (reason (or (part "REASON") "")))
      (cond ((is-a "TEST-PASSED") (incf (run-passed run)))
            ((is-a "TEST-SKIPPED") (incf (run-skipped run)))
            ((is-a "UNEXPECTED-TEST-FAILURE")
             (record-failure run "error" test "reason" (condition-text (part "ACTUAL-CONDITION"))))
            (t (describing-failure (run test)
                 (apply #'record-failure run "failed" test
                        "reason" (on-one-line reason) "form" (value-of-check form)
                        (values-compared-for form reason failures))))))))

(defun name-of-result (result)
  (call-framework :fiveam "NAME" (slot-value result (framework-symbol :fiveam "TEST-CASE"))))

(defun in-order-of-tests (results)
  "Returns RESULTS in the order in which their tests were defined. FiveAM's own order differs."
  (let ((names (mapcar #'test-designator (all-tests :fiveam))))
    (stable-sort results #'< :key (lambda (result) (or (position (name-of-result result) names) 0)))))

(defun call-where-errors-print (function)
  "Calls FUNCTION, which runs tests, with safe printing. FiveAM prints values and errors, and an error in that
would end the run."
  (call-around (framework-symbol :fiveam "TEST-LAMBDA")
               (lambda (reader test)
                 (let ((code (funcall reader test)))
                   (lambda () (call-with-printable-errors code))))
               (lambda ()
                 (call-around (framework-symbol :fiveam "PROCESS-FAILURE")
                              (lambda (process &rest arguments)
                                (call-with-remarks (lambda () (apply process arguments))))
                              function))))

(defun call-past-circles (run function)
  "Calls FUNCTION, which runs tests. FiveAM runs no test of a dependency cycle: this is recorded as a failure,
and the others run."
  (handler-bind
      ((error (lambda (condition)
                (let ((skip (find-restart (framework-symbol :fiveam "SKIP") condition)))
                  (when (and skip (typep condition (framework-symbol :fiveam "CIRCULAR-DEPENDENCY")))
                    (let ((test (slot-value condition (framework-symbol :fiveam "TEST-CASE"))))
                      (record-failure run "error" (fiveam-test (call-framework :fiveam "NAME" test))
                                      "reason" "It waits for a test that waits for it: their :depends-on make a circle."))
                    (invoke-restart skip))))))
    (funcall function)))

(defmethod run-unit-tests ((framework (eql :fiveam)) tests run)
  (let* ((failures '())
         (results (progv (list (framework-symbol :fiveam "*TEST-DRIBBLE*")) (list (make-broadcast-stream))
                    (call-observed (framework-symbol :fiveam "PROCESS-FAILURE")
                                   (lambda (arguments) (push (failure-seen arguments) failures))
                                   (lambda ()
                                     (call-where-errors-print
                                      (lambda ()
                                        (call-past-circles
                                         run
                                         (lambda ()
                                           (call-framework :fiveam "RUN" (mapcar #'test-designator tests)))))))))))
    (dolist (result (in-order-of-tests (reverse results)))
      (record-fiveam-result run result failures))))
