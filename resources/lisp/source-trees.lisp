;;;; Search for system definitions in a folder tree. ASDF's own search follows every link, including
;;;; links upwards or to the root of the disk, and signals an error at names it cannot parse. This
;;;; search reads each folder once and is bounded.

(in-package :lisp-harbor-agent)

(defvar *most-entries* 200000 "Maximum number of files and folders examined in one tree.")

(defun leads-upwards-p (real root)
  "Reports whether REAL, the true name of a folder, is ROOT or an ancestor of ROOT."
  (begins-with-p real root 0))

(defun note-cut-tree (tree)
  (when *evaluation*
    (note *evaluation* "Systems were looked for among the first ~D files and folders below ~A only; one that is deeper ~
                        may be missing. Load it by its .asd file."
          *most-entries* tree)))

(defun map-system-definitions (function tree exclude)
  "Calls FUNCTION with each .asd file below TREE, upper folders first. Folders named in EXCLUDE are skipped."
  (let ((root (true-folder-name tree))
        (seen (make-hash-table :test #'equal))
        (folders (list tree))
        (left *most-entries*))
    (flet ((enter (folder)
             "Returns the true name of FOLDER if it is to be read now."
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
