;;;; ASDF compares dates by the second, so it would overlook an edit in the very second in which the file was compiled.
;;;; Compiled files are therefore dated before their compilation began.

(in-package :lisp-harbor-agent)

(defconstant +unix-epoch+ 2208988800 "The first second of Unix, in universal time.")

(defvar *compilations* '() "Conses of a source file and the second in which its compilation began, during a load.")

(defun compiled-file (file)
  "Where the compiled form of FILE goes: into the session's home."
  (asdf:apply-output-translations (compile-file-pathname file)))

(defun date-before (file second)
  "Dates FILE in the second before SECOND."
  (let ((unix (- second 1 +unix-epoch+)))
    (sb-posix:utime (sb-ext:native-namestring file) unix unix)))

(defun date-compiled-files ()
  "A source that was written since its compilation began is then newer than the compiled form. A compiled form that an
earlier compilation wrote keeps its date: this one has failed, and ASDF must see that the source is newer."
  (loop for (file . second) in *compilations*
        for compiled = (probe-file (compiled-file file))
        when (and compiled (>= (file-write-date compiled) second))
          do (date-before compiled second)))

(defun plain-name (pathname)
  "PATHNAME with a name in which nothing can be read as a pattern."
  (let ((name (pathname-name pathname)))
    (if (and (stringp name) (find-if (lambda (char) (find char "*?[]\\")) name))
        (make-pathname :name (substitute-if #\_ (lambda (char) (find char "*?[]\\")) name) :defaults pathname)
        pathname)))

;; UIOP takes the name of a source such as a*b.lisp for a pattern when it makes a temporary name of it.
(sb-int:encapsulate 'uiop:tmpize-pathname 'lisp-harbor
                    (lambda (temporary pathname) (funcall temporary (plain-name pathname))))
