;;;; The smallest stand-in for Parachute, which cannot be had from Debian: its package, its names, and the tree of
;;;; results that a run of its tests answers. Enough to show that its results are read rightly.

(defpackage :parachute
  (:nicknames :org.shirakumo.parachute)
  (:use :cl)
  (:export #:test #:plain #:report #:expression #:status #:description #:value #:expected #:results #:parent-result
           #:test-result #:name #:home #:find-test #:remove-test #:package-tests #:define-test #:is #:true #:skip))

(in-package :parachute)

(defvar *tests* (make-hash-table :test 'equal) "Lists of package and name, each with its test.")
(defvar *parent* nil)

(defclass test ()
  ((name :initarg :name :reader name) (home :initarg :home :reader home)
   (parent :initarg :parent :initform nil :reader parent) (tests :initarg :tests :reader tests)))

(defclass result ()
  ((expression :initarg :expression :accessor expression) (status :initarg :status :initform :unknown :accessor status)
   (description :initarg :description :initform nil :accessor description)))
(defclass comparison-result (result)
  ((value :initarg :value :accessor value) (expected :initarg :expected :accessor expected)))
(defclass parent-result (result)
  ((results :initform (make-array 0 :adjustable t :fill-pointer t) :accessor results)))
(defclass test-result (parent-result) ())
(defclass report (parent-result) ())
(defclass plain (report) ((output :initarg :output :accessor output)))

(defun key (name package) (list (find-package package) (string name)))
(defun find-test (name &optional (package *package*)) (values (gethash (key name package) *tests*)))
(defun (setf find-test) (test name &optional (package *package*)) (setf (gethash (key name package) *tests*) test))
(defun remove-test (name &optional (package *package*)) (remhash (key name package) *tests*))
(defun package-tests (package)
  (loop for test being the hash-values of *tests* when (eq (home test) (find-package package)) collect test))

(defmacro define-test (name &body body)
  (let ((parent (when (eq (first body) :parent) (pop body) (pop body))))
    `(setf (find-test ',name)
           (make-instance 'test :name ',name :home *package* :parent ',parent
                                :tests (list ,@(loop for form in body collect `(lambda () ,form)))))))

(defun add-result (result)
  (vector-push-extend result (results *parent*))
  result)

(defun run-test (test report)
  "The result of TEST, which is run once in REPORT: it stands there, and below the test that it is nested in."
  (or (find test (results report) :key #'expression)
      (let ((result (make-instance 'test-result :expression test)))
        (vector-push-extend result (results report))
        (let ((*parent* result))
          (handler-case (mapc #'funcall (tests test))
            (error (condition)
              (warn "Unhandled error when evaluating ~A:~%  ~A" (name test) condition)
              (setf (status result) :failed)))
          (loop for child in (package-tests (home test))
                when (eq (parent child) (name test)) do (add-result (run-test child report))))
        (cond ((find :failed (results result) :key #'status) (setf (status result) :failed))
              ((eq (status result) :unknown) (setf (status result) :passed)))
        result)))

(defun test (tests &rest arguments &key (report 'plain) &allow-other-keys)
  (remf arguments :report)
  (let ((report (apply #'make-instance report :expression tests arguments)))
    (dolist (test tests report) (run-test test report))))

(defun check (expression expected function comparison)
  (let* ((value (handler-case (funcall function) (error (condition) condition)))
         (held (ignore-errors (funcall comparison value expected))))
    (add-result (make-instance 'comparison-result :expression expression :value value :expected expected
                                                  :status (if held :passed :failed)))))

(defmacro is (comparison expected form) `(check '(is ,comparison ,expected ,form) ,expected (lambda () ,form) ',comparison))
(defmacro true (form) `(check '(true ,form) t (lambda () ,form) (lambda (value expected) (eq expected (and value t)))))
(defmacro skip (description) `(add-result (make-instance 'result :expression ,description :status :skipped)))
