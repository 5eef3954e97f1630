;;;; ABOUTME: Where the sources of the loaded systems are, for the harbor to decide which files of libraries may be read.
;;;; ABOUTME: What is said here is a claim: evaluated code can register any folder, so the harbor believes none beyond its list.

(in-package :lisp-harbor-agent)

(defun source-folder (name)
  "The folder of the system NAME, as the host names it; NIL for a system without one, such as those of the Lisp itself."
  (let* ((system (asdf:registered-system name))
         (folder (and system (asdf:system-source-directory system))))
    (and folder (uiop:native-namestring folder))))

(define-query "system-folders" (arguments)
  "No arguments. Answers the folders of the systems that are loaded, each once, with the name of a system in it."
  (declare (ignore arguments))
  (let ((found (loop for name in (loaded-systems)
                     for folder = (source-folder name)
                     when folder collect (cons folder name))))
    (loop for (folder . name) in (remove-duplicates found :key #'car :test #'string=)
          collect (object "name" name "folder" folder))))
