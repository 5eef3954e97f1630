;;;; Loading: ASDF systems by name, single files by path. Evaluated code calls it, and so may a person. What the
;;;; compiler says meanwhile becomes data.

(in-package :lisp-harbor-agent)

(define-condition compilation-failed (error)
  ((file :initarg :file :reader failed-file)
   (count :initarg :count :reader failure-count))
  (:report (lambda (condition stream)
             (format stream "~A did not compile and was not loaded: ~D error~:P."
                     (sb-ext:native-namestring (failed-file condition)) (failure-count condition)))))

;;; Systems.

(defvar *quicklisp* nil "Quicklisp's folder on this machine, or NIL.")

(define-implementation quicklisp-text ()
  (if *quicklisp*
      (format nil "Quicklisp is in ~A: `load` with its name and fetch: true fetches others, when a person agrees." *quicklisp*)
      "Quicklisp is not installed on this machine; a person adds folders of libraries (settings.json: allowList)."))

(defun looking-again (function)
  "The value of FUNCTION, which looks for systems. ASDF looks for files once and then remembers, so it looks again when
something is missing."
  (handler-case (funcall function)
    (asdf:missing-component ()
      (asdf:initialize-source-registry)
      (handler-bind ((asdf:missing-component #'note-missing-system))
        (funcall function)))))

(defun load-one-system (name &key compiling)
  "Loads the system NAME. Those COMPILING names are compiled, whatever has changed. That there were warnings the compiler
has said by then, with each of them."
  (let ((uiop:*compile-file-warnings-behaviour* :ignore))
    (looking-again (lambda () (asdf:load-system name :force compiling)))))

(define-implementation lisp-harbor:load-system (&rest names)
  (let ((names (mapcar #'asdf:coerce-name names)))
    (reporting-failures (mapc #'load-one-system names))
    names))

;;; Systems that are loaded already.

(defun loaded-beside (name)
  "Names of the loaded systems that the definition file of the system NAME defines."
  (remove (asdf:primary-system-name name) (asdf:already-loaded-systems)
          :key #'asdf:primary-system-name :test-not #'equal))

(defun forget-systems (names file)
  "Has ASDF take the systems NAMES, which FILE defines, for not loaded. FILE may lie where ASDF does not look."
  (mapc #'asdf:clear-system names)
  (when (and file (probe-file file)) (asdf:load-asd file)))

(define-implementation lisp-harbor:load-system-anew (name &key compile)
  (let* ((name (asdf:coerce-name name))
         (loaded (loaded-beside name)))
    (reporting-failures
      (when loaded (forget-systems loaded (asdf:system-source-file name)))
      (load-one-system name :compiling (and compile (adjoin name loaded :test #'equal))))
    name))

;;; Files.

(defun compile-and-load (file)
  "Compiles and loads FILE, a truename. Warnings do not keep it from being loaded, errors do."
  (let ((compiled (compile-file file :output-file (ensure-directories-exist (compiled-file file)))))
    (if (and compiled (zerop *failures*))
        (load compiled)
        (error 'compilation-failed :file file :count *failures*))))

(defun load-definition-file (file)
  "Loads the system that FILE, a truename of type asd, is named after."
  (asdf:load-asd file)
  (load-one-system (pathname-name file)))

(define-implementation lisp-harbor:load-file (file)
  (let ((truename (truename (sb-ext:parse-native-namestring file))))
    (reporting-failures
      (if (equalp (pathname-type truename) "asd")
          (load-definition-file truename)
          (compile-and-load truename)))
    (sb-ext:native-namestring truename)))

;;; Where the sources of the loaded systems are, for the harbor to decide which files of libraries may be read. What is said
;;; here is a claim: evaluated code can register any folder, so the harbor believes none beyond its own list.

(defun source-folder (name)
  "The folder of the system NAME, as the host names it; NIL for a system without one, such as those of the Lisp itself."
  (let* ((system (asdf:registered-system name))
         (folder (and system (asdf:system-source-directory system))))
    (and folder (uiop:native-namestring folder))))

(define-query "system-folders" (arguments)
  "No arguments. Answers the folders of the systems that are loaded, each once, with the name of a system in it."
  (declare (ignore arguments))
  (let ((found (loop for name in (loaded-systems)
                     for folder = (source-folder name)
                     when folder collect (cons folder name))))
    (loop for (folder . name) in (remove-duplicates found :key #'car :test #'string=)
          collect (object "name" name "folder" folder))))
