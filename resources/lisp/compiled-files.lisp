;;;; ABOUTME: Source files that are edited in the very second in which they were compiled. ASDF compares whole seconds and
;;;; ABOUTME: would take such an edit for compiled; so what they held is remembered until the second is over.

(in-package :lisp-harbor-agent)

(defvar *compiled-files* '() "Lists of a source file, the second in which it was compiled, and a digest of what it held.")

(defun file-digest (file)
  (sxhash (ignore-errors (read-text file))))

(defun remember-compiled-file (file)
  "Called when FILE is about to be compiled."
  (setf *compiled-files* (cons (list file (get-universal-time) (file-digest file))
                               (remove file *compiled-files* :key #'first :test #'equal))))

(defun forget-stale-compiled-files ()
  "Deletes the compiled form of each remembered file that has changed since."
  (loop for (file compiled digest) in (shiftf *compiled-files* '())
        if (/= digest (file-digest file))
          do (uiop:delete-file-if-exists (compiled-file file))
        else if (<= (get-universal-time) (1+ compiled))
          do (push (list file compiled digest) *compiled-files*)))
