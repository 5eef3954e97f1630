;;;; Compiled files: which of them another image may use, and their dates.

(in-package :lisp-harbor-agent)

(defconstant +unix-epoch+ 2208988800 "The first second of the Unix epoch in universal time.")

(defvar *compilations* '() "Conses of a source file and the second at which its compilation began, during a load.")

(defun compiled-file (file)
  "Returns the name of the compiled file of FILE, in the session's home."
  (asdf:apply-output-translations (compile-file-pathname file)))

;;; Compiled files of one image. After a definition has changed in it, an image may compile with one that no
;;; source has any more. Such files are listed in the session's home, and the next image deletes them.

(defvar *definitions-changed* nil "True once a definition of this image was made again, removed or evaluated.")

(defun list-of-own-files ()
  (merge-pathnames ".cache/compiled-after-changes" (user-homedir-pathname)))

(defun note-own-compiled-file (source)
  "Called before SOURCE, a file, is compiled."
  (when *definitions-changed*
    (ignore-errors
     (with-open-file (out (ensure-directories-exist (list-of-own-files))
                          :direction :output :if-exists :append :if-does-not-exist :create :external-format :utf-8)
       (write-line (sb-ext:native-namestring (compiled-file source)) out)))))

(defun delete-own-files-of-former-image ()
  "Called when the process starts."
  (ignore-errors
   (when (probe-file (list-of-own-files))
     (with-open-file (in (list-of-own-files) :external-format :utf-8)
       (loop for name = (read-line in nil)
             while name
             do (ignore-errors (uiop:delete-file-if-exists (sb-ext:parse-native-namestring name)))))
     (delete-file (list-of-own-files)))))

(defun delete-compiled-files-below (folder)
  "Deletes the compiled files of all sources below FOLDER, a directory pathname."
  (let ((below (asdf:apply-output-translations folder)))
    (when (uiop:directory-exists-p below)
      (dolist (file (directory (merge-pathnames (make-pathname :directory '(:relative :wild-inferiors) :name :wild
                                                               :type "fasl")
                                                below)
                               :resolve-symlinks nil))
        (ignore-errors (delete-file file))))))

;;; Dates. ASDF compares dates in seconds, so it would miss an edit made in the second in which the file was
;;; compiled. Compiled files are therefore dated before the start of their compilation.

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
