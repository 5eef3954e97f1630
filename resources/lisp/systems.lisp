;;;; ABOUTME: Loading: ASDF systems by name, single files by path. What evaluated code calls, and so may a person.
;;;; ABOUTME: The compiler's words become data on the way.

(in-package :lisp-harbor-agent)

(define-condition compilation-failed (error)
  ((file :initarg :file :reader failed-file)
   (count :initarg :count :reader failure-count))
  (:report (lambda (condition stream)
             (format stream "~A did not compile and was not loaded: ~D error~:P."
                     (sb-ext:native-namestring (failed-file condition)) (failure-count condition)))))

;;; Systems.

(defvar *quicklisp* nil "Quicklisp's folder on this machine, or NIL.")

(defun quicklisp-text ()
  (if *quicklisp*
      (format nil "Quicklisp is in ~A, and systems are loaded from what it has installed. `load` with its name and ~
                   fetch: true has ql:quickload fetch others, when a person agrees."
              *quicklisp*)
      "Quicklisp is not installed on this machine."))

(defun note-missing-component (condition)
  (when *evaluation*
    (note *evaluation* "~A Systems are looked for in the project, below it, in the folders on the allow-list, to which ~
                        a person can add (window: Sandbox; settings.json: allowList), and among the Lisp libraries ~
                        of this machine. ~A"
          (let ((system (asdf/find-component:missing-requires condition)))
            (if (stringp system) (format nil "There is no system ~A." system) "A system is missing."))
          (quicklisp-text))))

(defun load-one-system (name)
  "Loads the system NAME. ASDF looks for files once and then remembers, so it looks again when something is missing."
  (handler-case (asdf:load-system name)
    (asdf:missing-component ()
      (asdf:initialize-source-registry)
      (handler-bind ((asdf:missing-component #'note-missing-component))
        (asdf:load-system name)))))

(defun lisp-harbor:load-system (&rest names)
  "Loads ASDF systems with all they depend on, and compiles what has changed. Answers their names."
  (let ((names (mapcar #'asdf:coerce-name names)))
    (reporting-failures (mapc #'load-one-system names))
    names))

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

(defun lisp-harbor:load-file (file)
  "Compiles and loads the file named FILE; of an .asd file, the system that has its name. Answers its full name."
  (let ((truename (truename (sb-ext:parse-native-namestring file))))
    (reporting-failures
      (if (equalp (pathname-type truename) "asd")
          (load-definition-file truename)
          (compile-and-load truename)))
    (sb-ext:native-namestring truename)))
