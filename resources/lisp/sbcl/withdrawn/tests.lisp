;;;; Removal of tests that a reloaded file no longer defines. Otherwise an image would continue to run
;;;; tests that are no longer in the sources.

(in-package :lisp-harbor-agent)

(defvar *tests-of-files* (make-hash-table :test #'equal)
  "Maps each loaded file to the KNOWN-TESTs that it defined.")

(defstruct (known-test (:conc-name known-))
  framework test definition)

(defun all-known-tests ()
  (loop for framework in (loaded-frameworks)
        append (loop for test in (ignore-errors (all-tests framework))
                     collect (make-known-test :framework framework :test test
                                              :definition (test-definition framework test)))))

(defun tests-defined-since (before)
  "Returns the tests whose definitions differ from those in BEFORE."
  (let ((known (make-hash-table :test #'eq)))
    (dolist (test before) (setf (gethash (known-definition test) known) t))
    (remove-if (lambda (test) (gethash (known-definition test) known)) (all-known-tests))))

(defun still-defined-p (known)
  "Reports whether the framework still has KNOWN with the same definition."
  (eq (known-definition known) (ignore-errors (test-definition (known-framework known) (known-test known)))))

(defun test-mentioned-p (known mentions)
  (let ((name (string-upcase (bare-name (test-name (known-test known))))))
    (some (lambda (form) (eq (gethash name form) :definition)) mentions)))

(defun forget-withdrawn-tests (file tests)
  "Removes the TESTS that FILE, which was just reloaded, no longer defines. One that it still mentions may be
conditional."
  (dolist (known (let ((mentions (mentions-in (or (ignore-errors (read-text file)) ""))))
                   (remove-if (lambda (known)
                                (or (not (still-defined-p known)) (test-mentioned-p known mentions)))
                              tests)))
    (forget-test (known-framework known) (known-test known))
    (when *evaluation*
      (note *evaluation* "The file that defined the test ~A does not any more, so it was taken out of the image."
            (test-name (known-test known))))))

(defun call-recording-tests (file function)
  "Calls FUNCTION, which loads FILE, a full name, and records the tests that FILE defines. Removes those that it
no longer defines, if the load withdraws."
  (let ((before (all-known-tests)))
    (multiple-value-prog1 (funcall function)
      (let ((made (tests-defined-since before))
            (former (gethash file *tests-of-files*)))
        (when *withdrawing* (forget-withdrawn-tests file former))
        (setf (gethash file *tests-of-files*) (append made (remove-if-not #'still-defined-p former)))))))
