;;;; The ASDF systems that an image has loaded. They are reported to the harbor after each evaluation,
;;;; so that a new image can load the same systems, no matter which call loaded them.

(in-package :lisp-harbor-agent)

(defvar *told-systems* '() "Names of the loaded systems that were reported to the harbor.")

(defun loaded-systems ()
  "Returns the names of the loaded systems, including those of the Lisp itself. Empty while ASDF is not loaded."
  (and (find-package "ASDF")
       (ignore-errors (funcall (find-symbol "ALREADY-LOADED-SYSTEMS" "ASDF")))))

(defun forget-built-in-systems ()
  "Treats the currently loaded systems as part of the image."
  (setf *told-systems* (loaded-systems)))

(defun tell-loaded-systems (evaluation)
  "Sends the names of the systems that EVALUATION loaded by any means."
  (let ((new (set-difference (loaded-systems) *told-systems* :test #'equal)))
    (when new
      (setf *told-systems* (append new *told-systems*))
      (send "loaded" "id" (evaluation-id evaluation) "systems" (sort (copy-list new) #'string<)))))
