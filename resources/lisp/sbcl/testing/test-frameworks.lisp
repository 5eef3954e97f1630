;;;; The protocol of test frameworks: which are loaded, which tests they have, and how each runs some
;;;; of them. None of them is a part of the image, so their functions are looked up by name.

(in-package :lisp-harbor-agent)

(defparameter +frameworks+
  '((:fiveam . "IT.BESE.FIVEAM")
    (:fiasco . "FIASCO")
    (:parachute . "PARACHUTE")
    (:rove . "ROVE")
    (:rt . "REGRESSION-TEST")
    (:sb-rt . "SB-RT"))
  "The frameworks, each with the package that exists when it is loaded.")

(defgeneric all-tests (framework)
  (:documentation "Returns every test and group of tests, as UNIT-TESTs in the order of their definition."))

(defgeneric run-unit-tests (framework tests run)
  (:documentation "Runs TESTS and reports each check to RUN."))

(defgeneric test-definition (framework test)
  (:documentation "Returns an object that the framework creates anew whenever TEST is defined, or NIL if it no longer knows
TEST."))

(defgeneric forget-test (framework test)
  (:documentation "Removes TEST from the framework."))

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
