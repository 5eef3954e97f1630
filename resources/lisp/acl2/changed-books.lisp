;;;; ACL2 considers a book redundant if a book of its name is in the world, even if the file has
;;;; changed. Changed files are detected by checksums of their contents when they were read. System
;;;; books do not change.

(in-package "LISP-HARBOR-ACL2")

(defvar *sums* (make-hash-table :test 'equal) "Checksums of book files when they were read, by file.")

(defun text-sum (file)
  "NIL if the file cannot be read."
  (let ((text (file-text file)))
    (and text (acl2::check-sum-obj text))))

(defun note-text (file)
  (setf (gethash file *sums*) (text-sum file)))

(defun changed-book-p (file)
  (multiple-value-bind (sum known) (gethash file *sums*)
    (and known (not (eql sum (text-sum file))))))

(defun changed-books ()
  "The files of included books that have changed or no longer exist."
  (remove-if-not #'changed-book-p
                 (mapcar (lambda (entry) (full-book-name (first entry))) (books))))
