;;;; RT, the regression tester of MIT: its entries one by one, with the values that it compares.
;;;; Its own functions evaluate and judge; what they print is left out.

(in-package :lisp-harbor-agent)

(defmethod all-tests ((framework (eql :rt)))
  (loop for entry in (rest (symbol-value (framework-symbol :rt "*ENTRIES*")))
        for name = (call-framework :rt "NAME" entry)
        collect (make-unit-test :designator name :name (name-text name)
                                :home (if (symbolp name) (symbol-package name) *package*))))

(defmethod test-definition ((framework (eql :rt)) test)
  (call-framework :rt "GET-ENTRY" (test-designator test)))

(defmethod forget-test ((framework (eql :rt)) test)
  (call-framework :rt "REM-TEST" (test-designator test)))

(defun run-rt-entry (entry)
  "Runs ENTRY. Answers whether it held, the list of its values, and the condition that ended it."
  (let ((values :none))                 ; the comparison calls itself for the parts of values
    (handler-case
        (progv (list (framework-symbol :rt "*CATCH-ERRORS*")) (list nil)
          (call-observed (framework-symbol :rt "EQUALP-WITH-CASE")
                         (lambda (arguments)
                           (when (eq values :none) (setf values (first arguments))))
                         (lambda () (call-framework :rt "DO-ENTRY" entry (make-broadcast-stream))))
          (values (not (call-framework :rt "PEND" entry)) values nil))
      (error (condition) (values nil values condition)))))

(defun value-list-text (values)
  (format nil "~{~A~^, ~}" (mapcar #'value-of-check values)))

(defmethod run-unit-tests ((framework (eql :rt)) tests run)
  (dolist (test tests)
    (let ((entry (test-definition :rt test)))
      (if (call-framework :rt "HAS-DISABLED-NOTE" entry)
          (incf (run-skipped run))
          (record-rt-entry run test entry)))))

(defun record-rt-entry (run test entry)
  (multiple-value-bind (held values condition) (run-rt-entry entry)
    (let ((form (value-of-check (call-framework :rt "FORM" entry)))
          (expected (value-list-text (call-framework :rt "VALS" entry))))
      (cond (held (incf (run-passed run)))
            (condition (record-failure run "error" test "form" form "expected" expected
                                                        "reason" (condition-text condition)))
            (t (record-failure run "failed" test "form" form "expected" expected
                                                 "actual" (value-list-text values)
                                                 "reason" "The values differ."))))))
