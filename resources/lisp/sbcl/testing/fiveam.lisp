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

(defun call-each-as-test (run function)
  "Calls FUNCTION, which runs tests, each of which costs only itself."
  (call-around (framework-symbol :fiveam "TEST-LAMBDA")
               (lambda (reader test)
                 (let ((code (funcall reader test))
                       (name (call-framework :fiveam "NAME" test)))
                   (lambda ()
                     (call-as-test run (fiveam-test name)
                                   (if *debug-tests*
                                       code
                                       (lambda () (call-with-printable-errors code #'check-failure-p)))))))
               function))

(defun check-failure-p (condition)
  (typep condition (framework-symbol :fiveam "CHECK-FAILURE")))

(defun call-with-bounded-reasons (noticed function)
  "Calls FUNCTION, which runs tests. FiveAM formats the reason of a failed check without a limit, so it gets a
text. NOTICED is called with the text and the arguments of each failed check."
  (call-around (framework-symbol :fiveam "PROCESS-FAILURE")
               (lambda (process form &optional control &rest values)
                 (if (null control)
                     (funcall process form)
                     (let ((reason (print-bounded values :limit 4000
                                                         :printer (lambda (values stream)
                                                                    (apply #'format stream control values)))))
                       (funcall noticed (list* reason form control values))
                       (funcall process form "~A" reason))))
               function))

(defun call-noticing-results (noticed function)
  "Calls FUNCTION, which runs tests. NOTICED is called with each result when FiveAM adds it."
  (call-around (framework-symbol :fiveam "ADD-RESULT")
               (lambda (add &rest arguments)
                 (let ((results (apply add arguments)))
                   (funcall noticed (first results))
                   results))
               function))

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

(defun debugging-variables ()
  "Returns the variables that make FiveAM open the debugger if they are :DEBUG. Older versions have others."
  (loop for name in '("*ON-ERROR*" "*ON-FAILURE*")
        for symbol = (find-symbol name (framework-package :fiveam))
        when symbol collect symbol))

(defmethod run-unit-tests ((framework (eql :fiveam)) tests run)
  (let ((failures '())
        (recorded (make-hash-table :test 'eq)))
    (labels ((record (result)
               (unless (gethash result recorded)
                 (setf (gethash result recorded) t)
                 (record-fiveam-result run result failures)))
             (run-them ()
               (call-past-circles
                run (lambda () (call-framework :fiveam "RUN" (mapcar #'test-designator tests)))))
             (run-noticing ()
               (call-with-bounded-reasons
                (lambda (failure) (push failure failures))
                (lambda () (call-noticing-results #'record #'run-them)))))
      ;; FiveAM adds no result for a skipped test.
      (mapc #'record (reverse (progv (cons (framework-symbol :fiveam "*TEST-DRIBBLE*") (and *debug-tests* (debugging-variables)))
                                    (list (make-broadcast-stream) :debug :debug)
                                (call-each-as-test run #'run-noticing)))))))
