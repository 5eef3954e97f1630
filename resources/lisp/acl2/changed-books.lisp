;;;; ACL2 finds a book redundant that is in the world by its name, whatever its file says by then. Which files have changed since
;;;; they were read is known from sums of their texts; the system's do not change.

(in-package "LISP-HARBOR-ACL2")

(defvar *sums* (make-hash-table :test 'equal) "From the files of books to the sums of their texts when they were read.")

(defun text-sum (file)
  "NIL where it cannot be read."
  (let ((text (file-text file)))
    (and text (acl2::check-sum-obj text))))

(defun note-text (file)
  (setf (gethash file *sums*) (text-sum file)))

(defun changed-book-p (file)
  (multiple-value-bind (sum known) (gethash file *sums*)
    (and known (not (eql sum (text-sum file))))))

(defun changed-books ()
  "The files of those in the world that say something else by now, or are gone."
  (remove-if-not #'changed-book-p
                 (mapcar (lambda (entry) (full-book-name (first entry))) (books))))
