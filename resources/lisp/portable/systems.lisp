;;;; Loading of ASDF systems by name and of single files by path. Evaluated code calls these functions,
;;;; and users may too. ASDF takes seconds to load on some Lisps, so it is loaded on first use.

(in-package :lisp-harbor-agent)

(defun asdf (name)
  "Returns the function NAME, a string, of ASDF."
  (unless (find-package "ASDF")
    (require "asdf")
    (search-trees-ourselves))
  (fdefinition (find-symbol name "ASDF")))

;;; Functions that evaluated code calls.

(defun source-files (component)
  "Returns the Lisp files of COMPONENT, a system or a part of one."
  (if (typep component (find-symbol "PARENT-COMPONENT" "ASDF"))
      (loop for part in (funcall (asdf "COMPONENT-CHILDREN") component) append (source-files part))
      (and (typep component (find-symbol "CL-SOURCE-FILE" "ASDF"))
           (list (funcall (asdf "COMPONENT-PATHNAME") component)))))

(defun load-one-system (name)
  (handler-bind ((error (lambda (condition)
                          (when (missing-system-p condition) (note-missing-system condition)))))
    (funcall (asdf "LOAD-SYSTEM") name))
  (mapc #'note-loaded-file (source-files (funcall (asdf "FIND-SYSTEM") name))))

(define-implementation lisp-harbor:load-system (&rest names)
  (mapc #'load-one-system names))

(defun compiled-file (file)
  "Returns the compiled file of FILE, in the session's home. ABCL returns an absolute COMPILE-FILE-PATHNAME, of
which only the type is used."
  (make-pathname :name (pathname-name file) :type (pathname-type (compile-file-pathname file)) :version nil
                 :defaults (user-homedir-pathname)))

(defun compile-and-load (file)
  "Compiles and loads FILE, a truename. Warnings do not prevent loading, errors do."
  (let* ((*compile-verbose* nil)
         (*compile-print* nil)
         (*load-verbose* nil)
         (compiled (compile-file file :output-file (compiled-file file))))
    (unless compiled (error "~A did not compile and was not loaded." (namestring file)))
    (prog1 (load compiled)
      (note-loaded-file file))))

(defun load-definition-file (file)
  "Loads the system with the name of FILE, a truename of type asd."
  (funcall (asdf "LOAD-ASD") file)
  (load-one-system (pathname-name file)))

(define-implementation lisp-harbor:load-file (file)
  (let ((truename (truename file)))
    (if (equalp (pathname-type truename) "asd")
        (load-definition-file truename)
        (compile-and-load truename))
    (namestring truename)))

(define-implementation lisp-harbor:run-tests (&key system file test framework seconds debug)
  "Performs the test-op of SYSTEM. On this Lisp the results are printed only."
  (declare (ignore seconds debug))
  (when (or file test (null system) (not (member framework '(nil "test-op") :test #'equal)))
    (error "On ~A only a whole system can be tested, by ASDF's test-op: name the system alone."
           (lisp-implementation-type)))
  (load-one-system system)
  (funcall (asdf "TEST-SYSTEM") system)
  (note *evaluation* "ASDF's test-op of ~A was performed. What it printed says how the tests went." system)
  system)
