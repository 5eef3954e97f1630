;;;; The smallest stand-in for Rove, which cannot be had from Debian: its packages, its names, and what its macros
;;;; leave behind when tests are defined and run. Enough to show that its results are read rightly.

(defpackage :rove/core/result
  (:use :cl)
  (:export #:assertion #:assertion-form #:assertion-args #:assertion-values #:assertion-reason
           #:assertion-description #:passed-assertion #:failed-assertion #:pending-assertion
           #:passed-test #:failed-test))

(defpackage :rove/core/stats
  (:use :cl :rove/core/result)
  (:export #:*stats* #:stats #:record))

(defpackage :rove/core/suite/package
  (:use :cl)
  (:export #:all-suites #:get-test #:set-test #:remove-test #:package-suite
           #:suite-package #:suite-setup #:suite-teardown #:suite-before-hooks #:suite-after-hooks #:suite-tests))

(defpackage :rove
  (:use :cl :rove/core/result :rove/core/stats :rove/core/suite/package)
  (:export #:deftest #:testing #:ok #:ng #:skip #:setup #:teardown #:defhook))

(in-package :rove/core/result)

(defclass assertion ()
  ((form :initarg :form :reader assertion-form)
   (args :initarg :args :initform '() :reader assertion-args)
   (values :initarg :values :initform '() :reader assertion-values)
   (reason :initarg :reason :initform nil :reader assertion-reason)
   (desc :initarg :desc :initform nil)))
(defclass passed-assertion (assertion) ())
(defclass failed-assertion (assertion) ())
(defclass pending-assertion (assertion) ())
(defclass passed-test () ())
(defclass failed-test () ())

(defun assertion-description (assertion)
  (or (slot-value assertion 'desc) (format nil "Expect ~W to be true." (assertion-form assertion))))

(in-package :rove/core/stats)

(defvar *stats* nil)
(defclass stats () ((results :initform '() :accessor results)))

(defgeneric record (stats object)
  (:method ((stats stats) object) (push object (results stats))))

(in-package :rove/core/suite/package)

(defvar *suites* (make-hash-table :test 'eq))
(defstruct suite package setup teardown before-hooks after-hooks %tests)

(defun all-suites () (loop for suite being the hash-values of *suites* collect suite))

(defun package-suite (package)
  (or (gethash package *suites*) (setf (gethash package *suites*) (make-suite :package package))))

(defun get-test (name) (get name 'test))
(defun remove-test (name) (remprop name 'test) (values))
(defun suite-tests (suite) (reverse (remove nil (suite-%tests suite) :key #'get-test)))

(defun set-test (name function)
  (pushnew name (suite-%tests (package-suite *package*)))
  (setf (get name 'test) function)
  name)

(in-package :rove)

(defun call-testing (function)
  (handler-case (funcall function)
    (error (condition)
      (record *stats* (make-instance 'failed-assertion :form t :reason condition :desc "Raise an error."))))
  (record *stats* (make-instance 'passed-test)))

(defmacro deftest (name &body body) `(set-test ',name (lambda () (call-testing (lambda () ,@body)))))
(defmacro testing (description &body body) (declare (ignore description)) `(call-testing (lambda () ,@body)))
(defmacro setup (&body body) `(setf (suite-setup (package-suite *package*)) (lambda () ,@body)))
(defmacro teardown (&body body) `(setf (suite-teardown (package-suite *package*)) (lambda () ,@body)))
(defun with-hook (name function hooks)
  (acons name function (remove name hooks :key #'car)))

(defmacro defhook (name mode &body body)
  (let ((place (ecase mode
                 (:before '(suite-before-hooks (package-suite *package*)))
                 (:after '(suite-after-hooks (package-suite *package*))))))
    `(setf ,place (with-hook ',name (lambda () ,@body) ,place))))

(defun call-ok (form args values result)
  (record *stats* (make-instance (if result 'passed-assertion 'failed-assertion)
                                 :form form :args args :values values)))

(defmacro ok (form)
  (let ((values (gensym "VALUES")))
    `(let ((,values (list ,@(rest form))))
       (call-ok ',form ',(rest form) ,values (apply #',(first form) ,values)))))

(defun skip (description)
  (record *stats* (make-instance 'pending-assertion :form t :desc description)))
