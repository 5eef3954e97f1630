;;;; Fetches a system with Quicklisp, in a plain SBCL: what is missing goes into a copy of Quicklisp's client.
;;;; Arguments: the person's Quicklisp, which is only read; the folder of the copy; the name of the system.

(require :asdf)

(defpackage :lisp-harbor-fetch
  (:use :common-lisp))

(in-package :lisp-harbor-fetch)

(defparameter *kept-elsewhere* '("software" "archives" "installed")
  "What a dist has installed is found in the person's own folder, by ASDF's source registry, and not copied.")

(defparameter *client* '("setup.lisp" "asdf.lisp" "client-info.sexp")
  "Files of Quicklisp's folder without which its client does not start. Those that are missing it does without.")

(defun copy (file from to)
  "Copies FILE, which lies below the folder FROM, to the same place below TO."
  (let ((target (uiop:merge-pathnames* (uiop:enough-pathname file from) to)))
    (ensure-directories-exist target)
    (uiop:copy-file file target)))

(defun copy-folder (folder from to)
  "Copies all files of FOLDER, which lies below FROM; of a dist, its index only."
  (mapc (lambda (file) (copy file from to)) (uiop:directory-files folder))
  (dolist (each (uiop:subdirectories folder))
    (unless (member (first (last (pathname-directory each))) *kept-elsewhere* :test #'equal)
      (copy-folder each from to))))

(defun copy-client (from to)
  "Copies Quicklisp's client and the indexes of its dists, as they are now."
  (dolist (name *client*)
    (let ((file (probe-file (merge-pathnames name from))))
      (when file (copy file from to))))
  (dolist (name '("quicklisp/" "config/" "dists/"))
    (let ((folder (uiop:probe-file* (merge-pathnames name from))))
      (when folder (copy-folder folder from to)))))

(defun folder (name)
  "The folder that the host calls NAME, with links followed where it is there."
  (let ((folder (uiop:ensure-directory-pathname (sb-ext:parse-native-namestring name))))
    (or (uiop:probe-file* folder :truename t) folder)))

(defun fetch (own copy system)
  "Loads SYSTEM with a copy of the Quicklisp in the folder OWN, which lies or will lie in the folder COPY."
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
