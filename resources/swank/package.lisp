;;;; Code that the harbor loads into a Lisp image attached through Swank or Slynk. The files are loaded
;;;; in the order of electron/images/swank/handshake.ts, once per image and server. They are written with the
;;;; names of Swank, which the harbor replaces for Slynk. Portable: only ANSI Common Lisp and the server's own
;;;; functions.

(defpackage #:lisp-harbor.swank
  (:use #:common-lisp)
  (:export #:*source*
           #:begin #:evaluate #:interrupt
           #:last-object #:kept-object #:part-object #:inspection
           #:apropos-page #:names-of #:disassembly #:line-of
           #:frame-count #:take-restart))

(in-package #:lisp-harbor.swank)

(defvar *source* nil "The version of these files that is loaded, a string, or NIL while they are being loaded.")

(defun tell (kind &rest facts)
  "Sends the harbor an event that is not an answer. FACTS are strings, numbers, keywords and lists of them."
  (swank::send-to-emacs (list :channel-send :lisp-harbor (cons kind facts))))

(defun package-label (package)
  "Returns the shortest name of PACKAGE, such as CL-USER."
  (first (sort (cons (package-name package) (copy-list (package-nicknames package))) #'< :key #'length)))
