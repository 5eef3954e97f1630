;;;; The test frameworks that we know: which are loaded, what tests they have, and how each runs some of them.
;;;; None of them is a part of the image, so their functions are found by name when they are needed.

(in-package :lisp-harbor-agent)

(defparameter +frameworks+
  '((:fiveam . "IT.BESE.FIVEAM")
    (:fiasco . "FIASCO")
    (:parachute . "PARACHUTE")
    (:rove . "ROVE")
    (:rt . "REGRESSION-TEST")
    (:sb-rt . "SB-RT"))
  "Each with the package by which it is known to be loaded.")

(defgeneric all-tests (framework)
  (:documentation "Every test and group of tests that is defined, as UNIT-TESTs in the order of their definition."))

(defgeneric run-unit-tests (framework tests run)
  (:documentation "Runs TESTS, and tells RUN of each check."))

(defgeneric test-definition (framework test)
  (:documentation "What the framework makes anew whenever TEST is defined; NIL when it does not know it any more."))

(defgeneric forget-test (framework test)
  (:documentation "Has the framework know TEST no longer."))

(defun framework-package (framework)
  (find-package (cdr (assoc framework +frameworks+))))

(defun loaded-frameworks ()
  (remove-if-not #'framework-package (mapcar #'car +frameworks+)))

(defun framework-symbol (framework name)
  (or (find-symbol name (framework-package framework))
      (error "This version of ~(~A~) has no ~A; run its tests by evaluating its own functions." framework name)))

(defun call-framework (framework name &rest arguments)
  "Calls the function of FRAMEWORK that is called NAME."
  (apply (symbol-function (framework-symbol framework name)) arguments))
