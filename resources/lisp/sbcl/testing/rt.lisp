;;;; Support for RT, the regression tester of MIT, and SB-RT, the older version that comes with SBCL.
;;;; Reports each entry with the values that it compares. RT's own functions evaluate and compare;
;;;; their output is discarded.

(in-package :lisp-harbor-agent)

(defun rt-tests (framework)
  (loop for entry in (rest (symbol-value (framework-symbol framework "*ENTRIES*")))
        for name = (call-framework framework "NAME" entry)
        collect (make-unit-test :designator name :name (name-text name)
                                :home (if (symbolp name) (symbol-package name) *package*))))

(defun rt-entry (framework test)
  (call-framework framework "GET-ENTRY" (test-designator test)))

(defun expected-values (framework entry)
  "Returns the expected values. In SB-RT an entry is a list of a pending flag, its name, its form and the values."
  (if (eq framework :sb-rt) (cdddr entry) (call-framework framework "VALS" entry)))

(defun run-rt-entry (framework entry)
  "Runs ENTRY. Returns whether it passed, the list of its values, and the condition that ended it. RT prints a
failure without a limit, so its function is left after the comparison."
  (let ((comparing nil))                ; The comparison calls itself for parts of values.
    (handling-test-errors
        (catch 'compared
          (progv (list (framework-symbol framework "*CATCH-ERRORS*")) (list nil)
            (call-around (framework-symbol framework "EQUALP-WITH-CASE")
                         (lambda (compare values expected)
                           (if (shiftf comparing t)
                               (funcall compare values expected)
                               (let ((equal (funcall compare values expected)))
                                 (set-rt-pending framework entry (not equal))
                                 (throw 'compared (values equal values nil)))))
                         (lambda () (call-framework framework "DO-ENTRY" entry (make-broadcast-stream)))))
          (values (not (call-framework framework "PEND" entry)) '() nil))
      (lambda (condition) (values nil '() condition)))))

(defun set-rt-pending (framework entry pending)
  "Sets what RT itself knows about ENTRY. An entry of SB-RT is a list."
  (if (eq framework :sb-rt)
      (setf (first entry) pending)
      (funcall (fdefinition `(setf ,(framework-symbol framework "PEND"))) pending entry)))

(defun value-list-text (values)
  (format nil "~{~A~^, ~}" (mapcar #'value-of-check values)))

(defun rt-disabled-p (framework entry)
  "Reports whether a note disables the test. SB-RT has no such notes."
  (and (eq framework :rt) (call-framework framework "HAS-DISABLED-NOTE" entry)))

(defun run-rt-tests (framework tests run)
  (dolist (test tests)
    (let ((entry (rt-entry framework test)))
      (if (rt-disabled-p framework entry)
          (incf (run-skipped run))
          (call-as-test run test (lambda () (record-rt-entry framework run test entry)))))))

(defun record-rt-entry (framework run test entry)
  (multiple-value-bind (held values condition) (run-rt-entry framework entry)
    (let ((form (value-of-check (call-framework framework "FORM" entry)))
          (expected (value-list-text (expected-values framework entry))))
      (cond (held (incf (run-passed run)))
            (condition (record-failure run "error" test "form" form "expected" expected
                                                        "reason" (condition-text condition)))
            (t (record-failure run "failed" test "form" form "expected" expected
                                                 "actual" (value-list-text values)
                                                 "reason" "The values differ."))))))

(macrolet ((implement (framework)
             `(progn
                (defmethod all-tests ((framework (eql ,framework)))
                  (rt-tests framework))
                (defmethod test-definition ((framework (eql ,framework)) test)
                  (rt-entry framework test))
                (defmethod forget-test ((framework (eql ,framework)) test)
                  (call-framework framework "REM-TEST" (test-designator test)))
                (defmethod run-unit-tests ((framework (eql ,framework)) tests run)
                  (run-rt-tests framework tests run)))))
  (implement :rt)
  (implement :sb-rt))
