;;;; Loading of ASDF systems by name and of single files by path. Evaluated code calls these functions,
;;;; and users may too. Messages of the compiler are sent as data.

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
      (values (format nil "Quicklisp is in ~A." *quicklisp*) "quicklisp")
      "Quicklisp is not installed on this machine; a person adds folders of libraries (settings.json: allowList)."))

(defun looking-again (function)
  "Returns the value of FUNCTION, which looks for systems. ASDF caches its search, so the search is repeated
when a system is missing."
  (handler-case (funcall function)
    (asdf:missing-component ()
      (asdf:initialize-source-registry)
      (handler-bind ((asdf:missing-component #'note-missing-system))
        (funcall function)))))

(defun load-one-system (name &key compiling)
  "Loads the system NAME. The systems that COMPILING names are compiled even if they have not changed. ASDF's
summary of warnings is omitted, because the compiler has reported each of them."
  (let ((uiop:*compile-file-warnings-behaviour* :ignore))
    (looking-again (lambda () (asdf:load-system name :force compiling)))))

(define-implementation lisp-harbor:load-system (&rest names)
  (let ((names (mapcar #'asdf:coerce-name names)))
    (reporting-failures (mapc #'load-one-system names))
    names))

;;; Loaded systems.

(defun loaded-beside (name)
  "Returns the names of the loaded systems in the definition file of the system NAME."
  (remove (asdf:primary-system-name name) (asdf:already-loaded-systems)
          :key #'asdf:primary-system-name :test-not #'equal))

(defun forget-systems (names file)
  "Makes ASDF treat the systems NAMES, which FILE defines, as not loaded. FILE may be outside of ASDF's source
registry."
  (mapc #'asdf:clear-system names)
  (when (and file (probe-file file)) (asdf:load-asd file)))

(define-implementation lisp-harbor:load-system-from-sources (&rest names)
  (when *project-folder*
    (delete-compiled-files-below
     (sb-ext:parse-native-namestring *project-folder* nil *default-pathname-defaults* :as-directory t)))
  (apply #'lisp-harbor:load-system names))

(define-implementation lisp-harbor:load-system-anew (name &key compile)
  (let* ((name (asdf:coerce-name name))
         (loaded (loaded-beside name)))
    (reporting-failures
      (when loaded (forget-systems loaded (asdf:system-source-file name)))
      (load-one-system name :compiling (and compile (adjoin name loaded :test #'equal))))
    name))

;;; Files.

(defun compile-and-load (file)
  "Compiles and loads FILE, a truename. Warnings do not prevent loading, errors do."
  (let ((compiled (compile-file file :output-file (ensure-directories-exist (compiled-file file)))))
    (if (and compiled (zerop *failures*))
        (load compiled)
        (error 'compilation-failed :file file :count *failures*))))

(defun load-definition-file (file)
  "Loads the system with the name of FILE, a truename of type asd."
  (asdf:load-asd file)
  (load-one-system (pathname-name file)))

(define-implementation lisp-harbor:load-file (file)
  (let ((truename (truename (sb-ext:parse-native-namestring file))))
    (reporting-failures
      (if (equalp (pathname-type truename) "asd")
          (load-definition-file truename)
          (compile-and-load truename)))
    (sb-ext:native-namestring truename)))

;;; Source folders of the loaded systems, by which the harbor decides which files of libraries may be
;;; read. The image is not trusted: evaluated code can register any folder, so the harbor accepts only
;;; folders in its own list.

(defun source-folder (name)
  "Returns the native name of the folder of the system NAME, or NIL for a system without one, such as those of
the Lisp itself."
  (let* ((system (asdf:registered-system name))
         (folder (and system (asdf:system-source-directory system))))
    (and folder (uiop:native-namestring folder))))

(define-query "system-folders" (arguments)
  "No arguments. Returns the folders of the loaded systems, each once, with the name of a system in it."
  (declare (ignore arguments))
  (let ((found (loop for name in (asdf:already-loaded-systems)
                     for folder = (source-folder name)
                     when folder collect (cons folder name))))
    (loop for (folder . name) in (remove-duplicates found :key #'car :test #'string=)
          collect (object "name" name "folder" folder))))
