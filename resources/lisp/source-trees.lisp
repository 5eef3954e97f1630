;;;; Where a folder tree has definitions of systems. ASDF's own search follows every link, also one that leads upwards or to
;;;; the root of the disk, and ends in an error at what it cannot name. Ours reads each folder once, and not for ever.

(in-package :lisp-harbor-agent)

(defvar *most-entries* 200000 "Files and folders that are looked at in one tree.")

(defun leads-upwards-p (real root)
  "Whether REAL, the true name of a folder, is that of ROOT or of a folder above it."
  (begins-with-p real root 0))

(defun note-cut-tree (tree)
  (when *evaluation*
    (note *evaluation* "Systems were looked for among the first ~D files and folders below ~A only; one that is deeper ~
                        may be missing. Name its .asd file with `path`."
          *most-entries* tree)))

(defun map-system-definitions (function tree exclude)
  "Calls FUNCTION with each .asd file below TREE, those above before those below. Folders called as in EXCLUDE are left out."
  (let ((root (true-folder-name tree))
        (seen (make-hash-table :test #'equal))
        (folders (list tree))
        (left *most-entries*))
    (flet ((enter (folder)
             "The true name of FOLDER where it is to be read now."
             (let ((real (true-folder-name folder)))
               (and real
                    (not (gethash real seen))
                    (or (eq folder tree) (not (leads-upwards-p real root)))
                    (setf (gethash real seen) real)))))
      (loop while folders
            do (let ((level folders))
                 (setf folders '())
                 (dolist (folder level)
                   (when (enter folder)
                     (multiple-value-bind (definitions below count) (folder-contents folder exclude left)
                       (mapc function definitions)
                       (setf folders (nconc folders below))
                       (when (minusp (decf left count))
                         (note-cut-tree tree)
                         (return-from map-system-definitions))))))))))
