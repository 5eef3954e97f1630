;;;; Reader macros after # in everything that ACL2 reads: forms, books, certificates, files read by
;;;; code. ACL2 uses those of its host and replaces some. Others create objects that are not ACL2
;;;; objects, and on GCL #, evaluates raw Lisp.

(in-package "LISP-HARBOR-ACL2")

(defparameter *needed-of-lisp* "'|+-\\BOXRC#=" "Lisp's own reader macros that ACL2 uses.")

(defvar *readtable-of-lisp* (copy-readtable nil))

(defun readtables () (list acl2::*acl2-readtable* acl2::*reckless-acl2-readtable*))

(defun refused-macro (character reader)
  "Replaces READER, which Lisp has for # and CHARACTER."
  (lambda (stream subcharacter index)
    (if (or *read-suppress* (raw-lisp-allowed-p))
        (funcall reader stream subcharacter index)
        (error "The syntax #~a is not available in ACL2." character))))

(defun refuse-macros-of-lisp (readtable)
  (dotimes (code 128)
    (let* ((character (code-char code))
           (reader (get-dispatch-macro-character #\# character readtable)))
      (when (and reader
                 (eq reader (get-dispatch-macro-character #\# character *readtable-of-lisp*))
                 (not (find character *needed-of-lisp* :test #'char-equal)))
        (set-dispatch-macro-character #\# character (refused-macro character reader) readtable)))))

;;; Labels, #1= and #1#. A circular object is not an ACL2 object, and ACL2's check of it would not
;;; terminate. In certificates and .port files ACL2 does not check indexes, and so reads arbitrary
;;; memory.

(defconstant +most-labels+ 50000000 "The size of ACL2's array. Labels of all books together are fewer.")

(defvar *open-labels* '() "Labels whose object is being read.")

(defun checked-reference (reader most)
  "READER for #1#, which continues only with an index up to the result of MOST."
  (lambda (stream subcharacter index)
    (if (or *read-suppress*
            (and (typep index `(integer 0 ,(funcall most)))
                 (not (member index *open-labels*))))
        (funcall reader stream subcharacter index)
        (error "#~@[~d~]# does not refer to a labelled object." index))))

(defun checked-label (reader)
  "READER for #1=."
  (lambda (stream subcharacter index)
    (if (or *read-suppress* (typep index `(integer 0 ,+most-labels+)))
        (let ((*open-labels* (cons index *open-labels*)))
          (funcall reader stream subcharacter index))
        (error "#~@[~d~]= is not a valid label." index))))

(defun check-labels (readtable most)
  (flet ((check (character make-reader &rest arguments)
           (let ((reader (get-dispatch-macro-character #\# character readtable)))
             (set-dispatch-macro-character #\# character (apply make-reader reader arguments) readtable))))
    (check #\# #'checked-reference most)
    (check #\= #'checked-label)))

;;; Serialized objects, #Z. ACL2's decoder trusts the stated sizes of hash tables, and that there is
;;; an object at all.

(defun refuse-no-object (function arguments)
  "The argument of SER-MAKE-ARRAY-WRAPPER is the number of objects."
  (if (eql (first arguments) 0)
      (error "The serialized text contains no object.")
      (apply function arguments)))

(defun make-table-of-right-size (function arguments)
  "The arguments of HL-RESTORE-FAL-FOR-SERIALIZE are an alist and its stated number of keys."
  (destructuring-bind (alist count) arguments
    (funcall function alist (min count (acl2::len alist)))))

(defun install-sharpsign ()
  (mapc #'refuse-macros-of-lisp (readtables))
  (check-labels acl2::*acl2-readtable* (constantly +most-labels+))
  (check-labels acl2::*reckless-acl2-readtable* (lambda () acl2::*sharp-reader-max-index*))
  (wrap 'acl2::ser-make-array-wrapper #'refuse-no-object)
  (wrap 'acl2::hl-restore-fal-for-serialize #'make-table-of-right-size))
