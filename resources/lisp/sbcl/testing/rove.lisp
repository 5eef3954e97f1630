;;;; Support for Rove. Its tests are symbols with a function, grouped by package in suites with hooks.
;;;; Assertions are recorded on their way to Rove's statistics, whose format differs between versions.

(in-package :lisp-harbor-agent)

(defun rove-symbol (package name)
  "Returns the symbol called NAME in the package PACKAGE of Rove."
  (let ((package (format nil "ROVE/CORE/~A" package)))
    (or (and (find-package package) (find-symbol name package))
        (error "This version of rove has no ~A in ~A; run its tests by evaluating its own functions." name package))))

(defun call-rove (package name &rest arguments)
  (apply (symbol-function (rove-symbol package name)) arguments))

(defun call-rove-suite (name suite)
  (call-rove "SUITE/PACKAGE" name suite))

(defmethod all-tests ((framework (eql :rove)))
  (loop for suite in (call-rove "SUITE/PACKAGE" "ALL-SUITES")
        append (loop for name in (call-rove-suite "SUITE-TESTS" suite)
                     collect (make-unit-test :designator name :name (name-text name)
                                             :home (call-rove-suite "SUITE-PACKAGE" suite)))))

(defmethod test-definition ((framework (eql :rove)) test)
  (call-rove "SUITE/PACKAGE" "GET-TEST" (test-designator test)))

(defmethod forget-test ((framework (eql :rove)) test)
  (call-rove "SUITE/PACKAGE" "REMOVE-TEST" (test-designator test)))

(defmethod run-unit-tests ((framework (eql :rove)) tests run)
  (dolist (suite (call-rove "SUITE/PACKAGE" "ALL-SUITES"))
    (let ((own (remove (call-rove-suite "SUITE-PACKAGE" suite) tests :key #'test-home :test-not #'eq)))
      (when own (run-rove-suite suite own run)))))

(defun run-rove-suite (suite tests run)
  "Runs TESTS of SUITE as Rove does: between its setup and teardown, each between its hooks."
  (flet ((call-part (name) (let ((function (call-rove-suite name suite))) (when function (funcall function))))
         (call-hooks (name) (loop for (nil . hook) in (reverse (call-rove-suite name suite)) do (funcall hook))))
    (let ((*package* (call-rove-suite "SUITE-PACKAGE" suite)))
      (call-part "SUITE-SETUP")
      (unwind-protect
           (dolist (test tests)
             (call-hooks "SUITE-BEFORE-HOOKS")
             (unwind-protect (run-rove-test test run)
               (call-hooks "SUITE-AFTER-HOOKS")))
        (call-part "SUITE-TEARDOWN")))))

(defun run-rove-test (test run)
  (progv (list (rove-symbol "STATS" "*STATS*")) (list (make-instance (rove-symbol "STATS" "STATS")))
    (call-observed (rove-symbol "STATS" "RECORD")
                   (lambda (arguments) (record-rove-assertion run test (second arguments)))
                   (lambda ()
                     (call-as-test run test
                                   (lambda ()
                                     (call-telling-error run test "Rove could not run it"
                                                         (test-definition :rove test))))))))

(defun record-rove-assertion (run test result)
  "Counts RESULT if it is an assertion. The results of whole tests, which are recorded as well, repeat those."
  (flet ((is-a (name) (typep result (rove-symbol "RESULT" name))))
    (cond ((is-a "PASSED-ASSERTION") (incf (run-passed run)))
          ((is-a "PENDING-ASSERTION") (incf (run-skipped run)))
          ((is-a "FAILED-ASSERTION") (describing-failure (run test) (record-rove-failure run test result))))))

(defun record-rove-failure (run test assertion)
  (flet ((part (name) (call-rove "RESULT" name assertion)))
    (let ((form (part "ASSERTION-FORM"))
          (cause (part "ASSERTION-REASON")))
      (apply #'record-failure run (if (typep cause 'condition) "error" "failed") test
             "reason" (if (typep cause 'condition)
                          (condition-text cause)
                          (on-one-line (print-bounded assertion :limit 4000 :printer #'print-rove-description)))
             (append (when (consp form)
                       (list* "form" (value-of-check form)
                              (rove-operands form (part "ASSERTION-ARGS") (part "ASSERTION-VALUES")))))))))

(defun print-rove-description (assertion stream)
  (princ (call-rove "RESULT" "ASSERTION-DESCRIPTION" assertion) stream))

(defun rove-operands (form forms values)
  "Returns members with the two values that FORM compared. Rove lists all subforms with their VALUES."
  (when (and (= (length form) 3) (= (length forms) (length values)))
    (flet ((value-of (operand) (position operand forms :from-end t)))
      (destructuring-bind (x y) (mapcar #'value-of (rest form))
        (when (and x y)
          (operand-members (second form) (nth x values) (third form) (nth y values)))))))
