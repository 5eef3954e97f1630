;;;; The ASDF systems that an image has loaded: the harbor is told of them after each evaluation,
;;;; so that a fresh image can have the same ones, whatever call loaded them.

(in-package :lisp-harbor-agent)

(defvar *told-systems* '() "Names of the loaded systems that the harbor knows of.")

(defun loaded-systems ()
  "Names of the systems that are loaded, those of the Lisp's own included; none while there is no ASDF."
  (and (find-package "ASDF")
       (ignore-errors (funcall (find-symbol "ALREADY-LOADED-SYSTEMS" "ASDF")))))

(defun forget-built-in-systems ()
  "Takes what is loaded now for a part of the image."
  (setf *told-systems* (loaded-systems)))

(defun tell-loaded-systems (evaluation)
  "Sends the names of systems that EVALUATION loaded, in whatever way."
  (let ((new (set-difference (loaded-systems) *told-systems* :test #'equal)))
    (when new
      (setf *told-systems* (append new *told-systems*))
      (send "loaded" "id" (evaluation-id evaluation) "systems" (sort (copy-list new) #'string<)))))
