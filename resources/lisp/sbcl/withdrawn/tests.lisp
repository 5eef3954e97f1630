;;;; A test that its file does not define any more is forgotten when the file is loaded again: otherwise an image would
;;;; go on running what its sources have lost.

(in-package :lisp-harbor-agent)

(defvar *tests-of-files* (make-hash-table :test #'equal)
  "For each file that we saw being loaded, the KNOWN-TESTs that it defined.")

(defstruct (known-test (:conc-name known-))
  framework test definition)

(defun all-known-tests ()
  (loop for framework in (loaded-frameworks)
        append (loop for test in (ignore-errors (all-tests framework))
                     collect (make-known-test :framework framework :test test
                                              :definition (test-definition framework test)))))

(defun tests-defined-since (before)
  "The tests whose definitions are others than those BEFORE."
  (let ((known (make-hash-table :test #'eq)))
    (dolist (test before) (setf (gethash (known-definition test) known) t))
    (remove-if (lambda (test) (gethash (known-definition test) known)) (all-known-tests))))

(defun still-defined-p (known)
  "Whether the framework has KNOWN as it was, and has not got another definition of it since."
  (eq (known-definition known) (ignore-errors (test-definition (known-framework known) (known-test known)))))

(defun forget-withdrawn-tests (tests)
  "Forgets those of TESTS that their file, which was just loaded again, has not defined this time."
  (dolist (known (remove-if-not #'still-defined-p tests))
    (forget-test (known-framework known) (known-test known))
    (when *evaluation*
      (note *evaluation* "The file that defined the test ~A does not any more, so it was taken out of the image."
            (test-name (known-test known))))))

(defun call-withdrawing-tests (file function)
  "Calls FUNCTION, which loads FILE, and keeps account of the tests that come from it."
  (let ((before (all-known-tests))
        (key (full-name file)))
    (multiple-value-prog1 (funcall function)
      (forget-withdrawn-tests (gethash key *tests-of-files*))
      (setf (gethash key *tests-of-files*) (tests-defined-since before)))))
