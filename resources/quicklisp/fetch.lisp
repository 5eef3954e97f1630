;;;; Fetches a system with Quicklisp in a plain SBCL. Missing systems are installed into a copy of
;;;; Quicklisp's client. Arguments: the user's Quicklisp folder, which is only read; the folder of the
;;;; copy; the name of the system.

(require :asdf)

(defpackage :lisp-harbor-fetch
  (:use :common-lisp))

(in-package :lisp-harbor-fetch)

(defparameter *kept-elsewhere* '("software" "archives" "installed")
  "Folders of a dist that are not copied. Installed releases are found in the user's own folder through ASDF's
source registry.")

(defparameter *client* '("setup.lisp" "asdf.lisp" "client-info.sexp")
  "Files in Quicklisp's folder that its client loads at its start. Missing ones are skipped.")

(defun copy (file from to)
  "Copies FILE, which is below the folder FROM, to the same relative path below TO."
  (let ((target (uiop:merge-pathnames* (uiop:enough-pathname file from) to)))
    (ensure-directories-exist target)
    (uiop:copy-file file target)))

(defun copy-folder (folder from to)
  "Copies all files of FOLDER, which is below FROM. Of a dist only its index is copied."
  (mapc (lambda (file) (copy file from to)) (uiop:directory-files folder))
  (dolist (each (uiop:subdirectories folder))
    (unless (member (first (last (pathname-directory each))) *kept-elsewhere* :test #'equal)
      (copy-folder each from to))))

(defun copy-client (from to)
  "Copies Quicklisp's client and the indexes of its dists in their current state."
  (dolist (name *client*)
    (let ((file (probe-file (merge-pathnames name from))))
      (when file (copy file from to))))
  (dolist (name '("quicklisp/" "config/" "dists/"))
    (let ((folder (uiop:probe-file* (merge-pathnames name from))))
      (when folder (copy-folder folder from to)))))

(defun folder (name)
  "Returns the folder with the native name NAME, with links resolved if it exists."
  (let ((folder (uiop:ensure-directory-pathname (sb-ext:parse-native-namestring name))))
    (or (uiop:probe-file* folder :truename t) folder)))

(defun fetch (own copy system)
  "Loads SYSTEM with a copy of the Quicklisp in the folder OWN. The copy is in the folder COPY and is created
if needed."
  (let ((own (folder own))
        (copy (folder copy)))
    (copy-client own copy)
    (load (merge-pathnames "setup.lisp" copy))
    (uiop:symbol-call '#:ql '#:quickload system)))

(handler-case (apply #'fetch (last sb-ext:*posix-argv* 3))
  (error (condition)
    (format *error-output* "~&~A~%" condition)
    (finish-output *error-output*)
    (sb-ext:exit :code 1 :abort t)))
