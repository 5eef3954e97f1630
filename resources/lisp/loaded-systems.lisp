;;;; The ASDF systems that an image has loaded. They are reported to the harbor after each evaluation,
;;;; so that a new image can load the same systems, no matter which call loaded them.

(in-package :lisp-harbor-agent)

(defvar *reported-systems* '() "Names of the loaded systems that were reported to the harbor.")

(defun asdf-call (name &rest arguments)
  (ignore-errors (apply (find-symbol name "ASDF") arguments)))

(defun unreported-systems ()
  "Returns the names of the loaded systems that the harbor does not know. Empty while ASDF is not loaded."
  (and (find-package "ASDF")
       (loop for name in (asdf-call "REGISTERED-SYSTEMS")
             unless (or (member name *reported-systems* :test #'equal)
                        (not (asdf-call "COMPONENT-LOADED-P" name)))
               collect name)))

(defun forget-built-in-systems ()
  "Treats the currently loaded systems as part of the image."
  (setf *reported-systems* (append (unreported-systems) *reported-systems*)))

(defun report-loaded-systems (evaluation)
  "Sends the names of the systems that EVALUATION loaded by any means."
  (let ((new (unreported-systems)))
    (when new
      (setf *reported-systems* (append new *reported-systems*))
      (send "loaded" "id" (evaluation-id evaluation) "systems" (sort (copy-list new) #'string<)))))
