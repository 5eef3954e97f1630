;;;; What the harbor adds to a Lisp image that it is attached to by Swank; the files are loaded in the order of
;;;; electron/images/swank/handshake.ts, once for an image. Portable: only ANSI Common Lisp and Swank's own functions.

(defpackage #:lisp-harbor.swank
  (:use #:common-lisp)
  (:export #:*source*
           #:begin #:evaluate #:interrupt
           #:last-object #:kept-object #:part-object #:inspection
           #:apropos-page #:names-of #:disassembly #:line-of
           #:frame-count #:take-restart))

(in-package #:lisp-harbor.swank)

(defvar *source* nil "Names the version of these files that is loaded; a string, or NIL while they are being loaded.")

(defun tell (kind &rest facts)
  "Tells the harbor something that is no answer. FACTS are strings, numbers, keywords and lists of them."
  (swank::send-to-emacs (list :channel-send :lisp-harbor (cons kind facts))))

(defun package-label (package)
  "The shortest name of PACKAGE, such as CL-USER."
  (first (sort (cons (package-name package) (copy-list (package-nicknames package))) #'< :key #'length)))

(defun begin ()
  "Called once for a connection. Leaves errors of threads that are not the harbor's to an editor that is connected as
well, by standing behind it in Swank's list. Answers the package to begin in."
  (let ((own swank::*emacs-connection*))
    (setf swank::*connections* (append (remove own swank::*connections*) (list own))))
  (package-label *package*))
