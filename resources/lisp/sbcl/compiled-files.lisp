;;;; Dates of compiled files. ASDF compares dates in seconds, so it would miss an edit made in the
;;;; second in which the file was compiled. Compiled files are therefore dated before the start of
;;;; their compilation.

(in-package :lisp-harbor-agent)

(defconstant +unix-epoch+ 2208988800 "The first second of the Unix epoch in universal time.")

(defvar *compilations* '() "Conses of a source file and the second at which its compilation began, during a load.")

(defun compiled-file (file)
  "Returns the name of the compiled file of FILE, in the session's home."
  (asdf:apply-output-translations (compile-file-pathname file)))

(defun date-before (file second)
  "Dates FILE to the second before SECOND."
  (let ((unix (- second 1 +unix-epoch+)))
    (sb-posix:utime (sb-ext:native-namestring file) unix unix)))

(defun date-compiled-files ()
  "Makes a source that was written since its compilation began newer than the compiled file. A compiled file of
an earlier compilation keeps its date: the current compilation has failed, and ASDF must see that the source
is newer."
  (loop for (file . second) in *compilations*
        for compiled = (probe-file (compiled-file file))
        when (and compiled (>= (file-write-date compiled) second))
          do (date-before compiled second)))

(defun plain-name (pathname)
  "Returns PATHNAME with wild characters in its name escaped."
  (let ((name (pathname-name pathname)))
    (if (and (stringp name) (find-if (lambda (char) (find char "*?[]\\")) name))
        (make-pathname :name (substitute-if #\_ (lambda (char) (find char "*?[]\\")) name) :defaults pathname)
        pathname)))

;; UIOP treats the name of a source such as a*b.lisp as a pattern when it derives a temporary name
;; from it.
(sb-int:encapsulate 'uiop:tmpize-pathname 'lisp-harbor
                    (lambda (temporary pathname) (funcall temporary (plain-name pathname))))
