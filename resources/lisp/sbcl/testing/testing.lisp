;;;; Test runs: finds the system that tests another system, loads it, and runs the tests that its files
;;;; define, of any supported framework. For a system without tests of a supported framework, performs
;;;; its test-op.

(in-package :lisp-harbor-agent)

;;; Selection of systems and files.

(defparameter +test-system-names+ '("~A/tests" "~A/test" "~A-tests" "~A-test")
  "Common names of the systems that test a system.")

(defun declared-test-systems (system)
  "Returns the names of the systems on whose test-op that of SYSTEM depends."
  (loop for (operation . asked) in (asdf/component:component-in-order-to system)
        when (eq operation 'asdf:test-op)
          append (loop for (asked-operation . names) in asked
                       when (eq asked-operation 'asdf:test-op)
                         append (mapcar #'asdf:coerce-name names))))

(defun test-systems (name)
  "Returns the names of the systems that contain the tests of the system NAME, possibly including NAME."
  (or (declared-test-systems (asdf:find-system name))
      (loop for control in +test-system-names+
            for candidate = (format nil control name)
            when (asdf:find-system candidate nil) return (list candidate))
      (list name)))

(defun source-files (component)
  (typecase component
    (asdf:cl-source-file (list (asdf:component-pathname component)))
    (asdf:parent-component (mapcan #'source-files (asdf:component-children component)))))

(defun sibling-systems (system)
  "Returns the names of the systems that SYSTEM depends on and that the same file defines."
  (loop for name in (asdf:system-depends-on system)
        when (and (stringp name) (search "/" name)
                  (string= (asdf:primary-system-name name) (asdf:primary-system-name system)))
          collect name))

(defun files-of-systems (names)
  "Returns the source files of the systems NAMES and of their subsystems."
  (let ((seen '()))
    (labels ((visit (name)
               (unless (member name seen :test #'string=)
                 (push name seen)
                 (let ((system (asdf:find-system name)))
                   (append (source-files system) (mapcan #'visit (sibling-systems system)))))))
      (mapcan #'visit names))))

;;; Selection of tests.

(defun packages-entered (file)
  "Returns the packages that the IN-PACKAGE forms of FILE name."
  (let ((text (or (ignore-errors (read-text file)) "")))
    (loop for start in (top-level-forms text)
          when (and (eql (char-at text start) #\()
                    (string-equal (bare-name (operator-text text start)) "in-package"))
            collect (let ((name (bare-name (second-text text start))))
                      (or (find-package name) (find-package (string-upcase name)))))))

(defun same-test-name-p (wanted test)
  "Reports whether WANTED is the name of TEST, with or without its package and in any letter case."
  (or (string-equal wanted (test-name test))
      (string-equal wanted (bare-name (test-name test)))))

(defun tests-wanted (framework homes names)
  "Returns the tests and groups named by NAMES. Without names, all tests defined in HOMES, or in any package if
HOMES is T."
  (remove-if-not (lambda (test)
                   (and (or (eq homes t) (member (test-home test) homes) (and names (test-group test)))
                        (if names
                            (some (lambda (name) (same-test-name-p name test)) names)
                            (not (test-group test)))))
                 (all-tests framework)))

(defconstant +named-tests+ 12 "Maximum number of tests suggested for one that does not exist.")

(define-condition no-such-test (error)
  ((name :initarg :name :reader wanted-test)
   (names :initarg :names :reader known-tests))
  (:report (lambda (condition stream)
             (format stream "There is no test ~A. ~:[None is defined~;There are: ~:*~A~]."
                     (wanted-test condition) (known-tests condition)))))

(defun tests-there (homes frameworks)
  "Returns the tests and groups that can be named, in the form of `tests-wanted`."
  (loop for framework in frameworks
        append (remove-if-not (lambda (test) (or (eq homes t) (member (test-home test) homes)))
                              (all-tests framework))))

(defun likely-first (wanted tests)
  "Returns TESTS with the names most similar to WANTED first, then those that contain it."
  (let ((bare (bare-name (string-upcase wanted))))
    (flet ((rank (test)
             (let ((name (string-upcase (bare-name (test-name test)))))
               (cond ((near-p bare name) 0) ((search bare name) 1) (t 2)))))
      (stable-sort (copy-list tests) #'< :key #'rank))))

(defun refuse-test (wanted homes frameworks)
  (let ((tests (likely-first wanted (tests-there homes frameworks))))
    (error 'no-such-test :name wanted
                         :names (and tests (in-a-row +named-tests+ (mapcar #'test-name tests))))))

(defun names-wanted (text homes frameworks)
  "Returns the names in TEXT of tests in HOMES: one name, or several separated by spaces. Each must exist."
  (flet ((known-p (name)
           (some (lambda (framework) (tests-wanted framework homes (list name))) frameworks)))
    (if (known-p text)
        (list text)
        (let ((names (remove "" (uiop:split-string text :separator '(#\Space)) :test #'string=)))
          (dolist (name names (or names (refuse-test text homes frameworks)))
            (unless (known-p name) (refuse-test name homes frameworks)))))))

;;; Runs.

(defun run-by-framework (framework tests files)
  (let ((run (make-test-run :framework framework :tests tests :files files)))
    (call-telling-error run (make-unit-test :name (string-downcase framework)) "The framework itself ended the run"
                        (lambda () (call-without-exit (lambda () (run-unit-tests framework tests run)))))
    (send-run run)
    run))

(defun systems-of-tests ()
  "Returns the names of the project's systems whose names suggest tests."
  (let ((own (systems-of-project)))
    (remove-if-not (lambda (name)
                     (and (search "test" name)
                          (member (asdf:primary-system-name name) own :test #'string=)))
                   (sort (copy-list (union own (asdf:registered-systems) :test #'string=)) #'string<))))

(defparameter +printing-functions+
  '(("PROVE.REPORTER" "FORMAT-REPORT")
    ("LISP-UNIT2" "%OUT" "PRINT-SUMMARY" "PRINT-FAILURE-SUMMARY" "%PRINT-SUMMARY"))
  "Functions with which frameworks that are known only by their output print values, by package.")

(defun call-with-bounded-output (function)
  "Calls FUNCTION, in which those frameworks print circular and long values in part."
  (loop for (package . names) in +printing-functions+
        do (dolist (name names)
             (let ((symbol (and (find-package package) (find-symbol name package))))
               (when (and symbol (fboundp symbol))
                 (setf function (let ((inside function))
                                  (lambda () (call-around symbol #'print-in-part inside))))))))
  (funcall function))

(defun print-in-part (printer &rest arguments)
  (let ((*print-circle* t)
        (*print-length* (or *print-length* 100))
        (*print-level* (or *print-level* 20)))
    (apply printer arguments)))

(defun perform-test-op (name)
  "Performs the test-op of the system NAME. Its results are printed only and cannot be counted."
  (let ((run (make-test-run :framework :test-op :counted nil :tests (list (make-unit-test :name name)))))
    (when *evaluation*
      (note *evaluation* "~A has no tests of a framework that is known here, so ASDF's test-op was performed: what it ~
                          printed says how they went.~@[ Systems of tests: ~{~A~^, ~}.~]"
            name (up-to +named-systems+ (systems-of-tests))))
    (reporting-failures (call-with-bounded-output (lambda () (asdf:test-system name))))
    (send-run run)
    run))

(defun framework-named (name)
  (let ((framework (find name (cons :test-op (mapcar #'car +frameworks+)) :test #'string-equal)))
    (or framework
        (error "~A is no test framework that is known here. There are: ~(~{~A~^, ~}~), test-op."
               name (mapcar #'car +frameworks+)))))

(defun run-by-frameworks (frameworks homes names files)
  (loop for framework in frameworks
        for tests = (tests-wanted framework homes names)
        when tests collect (run-by-framework framework tests files)))

(defun load-tests (system file)
  "Loads the code to test. Returns the files whose tests are selected, or T for those of the whole image."
  (cond (system (let ((names (progn (load-one-system system) (test-systems system))))
                  (mapc #'load-one-system (remove system names :test #'equal))
                  (files-of-systems names)))
        (file (lisp-harbor:load-file file)
              (list (sb-ext:parse-native-namestring file)))
        (t t)))

(defun refuse-tests (framework)
  (error "There are no tests here~@[ of ~(~A~)~]. Name the system or the file that defines some.~
          ~@[ In the project there are: ~{~A~^, ~}.~]~@[ Loaded is ~(~{~A~^, ~}~).~]"
         framework
         (up-to +named-systems+ (or (systems-of-tests) (systems-of-project)))
         (and framework (loaded-frameworks))))

(define-implementation lisp-harbor:run-tests (&key system file test framework seconds debug)
  (let* ((*test-seconds* (or seconds *test-seconds*))
         (*debug-tests* debug)
         (files (reporting-failures (load-tests system file)))
         (homes (or (eq files t) (remove nil (mapcan #'packages-entered files))))
         (named (and framework (framework-named framework)))
         (frameworks (if named (intersection (list named) (loaded-frameworks)) (loaded-frameworks)))
         (names (and test (names-wanted test homes frameworks)))
         (runs (run-by-frameworks frameworks homes names (if (eq files t) '() files))))
    (cond (runs)
          ((and system (or (null named) (eq named :test-op))) (setf runs (list (perform-test-op system))))
          (t (refuse-tests named)))
    (mapcar #'run-summary runs)))
