;;;; ABOUTME: What forms have done to the stack of commands, told so that it can be built again in another process.
;;;; ABOUTME: The changes one after another give the stack: so many of its commands are kept, then these were added.

(in-package "LISP-HARBOR-ACL2")

(defvar *told-world* nil "The world that all changes that were told come to.")

(defvar *telling-changes* t "NIL while a form of the harbor's own takes the stack apart: it tells all of it at its end.")

(defun change-to-tell ()
  "The change since one was told, and NIL where there is none."
  (when (and *telling-changes*
             (not (eq (world) *told-world*)))
    (let ((kept (last-common-place *told-world*)))
      (setq *told-world* (world))
      (object "kept" kept
              "added" (array-of (sources-after kept))))))
