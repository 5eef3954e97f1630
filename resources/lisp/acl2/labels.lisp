;;;; Labels, #1= and #1#, in certificates and .port files. ACL2 reads these with a table that looks an index up unchecked,
;;;; and so beyond the end of its array: whoever can write such a file would read the memory of the process.

(in-package "LISP-HARBOR-ACL2")

(defconstant +most-labels+ 50000000 "So many have room in the array; that of all books has fewer.")

(defun checked-label (character most)
  "A reader for # and CHARACTER, which goes on only with an index up to what MOST answers."
  (let ((reader (get-dispatch-macro-character #\# character acl2::*reckless-acl2-readtable*)))
    (lambda (stream subcharacter index)
      (if (typep index `(integer 0 ,(funcall most)))
          (funcall reader stream subcharacter index)
          (error "#~@[~d~]~a refers to nothing." index character)))))

(defun install-labels ()
  (flet ((check (character most)
           (set-dispatch-macro-character #\# character (checked-label character most)
                                         acl2::*reckless-acl2-readtable*)))
    (check #\# (lambda () acl2::*sharp-reader-max-index*))
    (check #\= (lambda () +most-labels+))))
