;;;; What stands after a # in whatever ACL2 reads: forms, books, certificates, files that code reads. ACL2 has these macros from
;;;; its host and replaces some. Others make what is no object of ACL2's, and on GCL #, evaluates raw Lisp.

(in-package "LISP-HARBOR-ACL2")

(defparameter *needed-of-lisp* "'|+-\\BOXRC#=" "Those of Lisp's own that ACL2 has a use for.")

(defvar *readtable-of-lisp* (copy-readtable nil))

(defun readtables () (list acl2::*acl2-readtable* acl2::*reckless-acl2-readtable*))

(defun refused-macro (character reader)
  "In place of READER, which Lisp has for # and CHARACTER."
  (lambda (stream subcharacter index)
    (if (or *read-suppress* (raw-lisp-allowed-p))
        (funcall reader stream subcharacter index)
        (error "Nothing that ACL2 reads begins with #~a." character))))

(defun refuse-macros-of-lisp (readtable)
  (dotimes (code 128)
    (let* ((character (code-char code))
           (reader (get-dispatch-macro-character #\# character readtable)))
      (when (and reader
                 (eq reader (get-dispatch-macro-character #\# character *readtable-of-lisp*))
                 (not (find character *needed-of-lisp* :test #'char-equal)))
        (set-dispatch-macro-character #\# character (refused-macro character reader) readtable)))))

;;; Labels, #1= and #1#. An object that holds itself is none of ACL2's, and looking for what is wrong with it has no end. In
;;; certificates and .port files ACL2 looks an index up unchecked, and so reads the memory of the process.

(defconstant +most-labels+ 50000000 "So many have room in ACL2's array; that of all books has fewer.")

(defvar *open-labels* '() "Those whose object is being read.")

(defun checked-reference (reader most)
  "READER for what #1# stands for, which goes on only with an index up to what MOST answers."
  (lambda (stream subcharacter index)
    (if (or *read-suppress*
            (and (typep index `(integer 0 ,(funcall most)))
                 (not (member index *open-labels*))))
        (funcall reader stream subcharacter index)
        (error "#~@[~d~]# refers to nothing that has been read." index))))

(defun checked-label (reader)
  "READER for what #1= stands before."
  (lambda (stream subcharacter index)
    (if (or *read-suppress* (typep index `(integer 0 ,+most-labels+)))
        (let ((*open-labels* (cons index *open-labels*)))
          (funcall reader stream subcharacter index))
        (error "#~@[~d~]= is no label." index))))

(defun check-labels (readtable most)
  (flet ((check (character make-reader &rest arguments)
           (let ((reader (get-dispatch-macro-character #\# character readtable)))
             (set-dispatch-macro-character #\# character (apply make-reader reader arguments) readtable))))
    (check #\# #'checked-reference most)
    (check #\= #'checked-label)))

;;; Objects as ACL2 serializes them, #Z. Its decoder believes what is said to be the size of hash tables, and that there is an
;;; object at all.

(defun refuse-no-object (function arguments)
  "Of SER-MAKE-ARRAY-WRAPPER the argument is the number of objects."
  (if (eql (first arguments) 0)
      (error "A serialized object is none.")
      (apply function arguments)))

(defun make-table-of-right-size (function arguments)
  "Of HL-RESTORE-FAL-FOR-SERIALIZE the arguments are an alist and how many keys it is said to have."
  (destructuring-bind (alist count) arguments
    (funcall function alist (min count (acl2::len alist)))))

(defun install-sharpsign ()
  (mapc #'refuse-macros-of-lisp (readtables))
  (check-labels acl2::*acl2-readtable* (constantly +most-labels+))
  (check-labels acl2::*reckless-acl2-readtable* (lambda () acl2::*sharp-reader-max-index*))
  (wrap 'acl2::ser-make-array-wrapper #'refuse-no-object)
  (wrap 'acl2::hl-restore-fal-for-serialize #'make-table-of-right-size))
