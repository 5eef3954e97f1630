;;;; Whether SBCL's collector has room enough: it copies, and ends the process where it has not. The agent asks that after each
;;;; collection (heap.lisp), and so does the helper in an ACL2 that runs on SBCL (../acl2/memory.lisp).

(defpackage :lisp-harbor-room
  (:use :common-lisp)
  (:export #:nearly-full-p))

(in-package :lisp-harbor-room)

;;; What the collector copies needs as much room again. Large objects have pages of their own and stay where they are, and what
;;; came with the core stays as well: how many bytes those take stands in the collector's table of pages, which is not the same
;;; in every SBCL.

(defun counter-of-what-stays ()
  "A function of no arguments that adds up the pages of what is not copied, in bytes; an error where this SBCL has other pages."
  (handler-bind ((warning #'muffle-warning))
    (compile nil '(lambda ()
                   (let ((pages (sb-alien:extern-alien "page_table" (* (sb-alien:struct sb-vm::page)))))
                     (* sb-vm:gencgc-page-bytes
                        (loop for number below (sb-alien:extern-alien "next_free_page" sb-alien:signed)
                              for page = (sb-alien:deref pages number)
                              count (or (logtest 16 (sb-alien:slot page 'sb-vm::flags))
                                        (= sb-vm:+pseudo-static-generation+ (sb-alien:slot page 'sb-vm::gen))))))))))

(defvar *tried* nil "Objects made to try the counter: where nobody has them, none are made.")

(defun counts-large-objects-p (counter)
  "Whether COUNTER sees a large object that is made, and does not see small ones. A page that is being filled may come and go."
  (let ((bytes (* 8 1024 1024))
        (slack (* 16 sb-vm:gencgc-page-bytes))
        (none (funcall counter)))
    (push (make-array bytes :element-type '(unsigned-byte 8)) *tried*)
    (let ((one (funcall counter)))
      (push (make-list 500000) *tried*)
      (and (shiftf *tried* nil)
           (<= (- bytes slack) (- one none) (+ bytes slack))
           (<= (- slack) (- (funcall counter) one) slack)))))

(defvar *counter-of-what-stays*
  (ignore-errors
    (let ((counter (counter-of-what-stays)))
      (and (sb-sys:without-gcing (counts-large-objects-p counter)) counter)))
  "As COUNTER-OF-WHAT-STAYS answers it, tried when this is loaded; NIL where that is not known.")

(defconstant +spare-percent+ 10 "Of the heap: half of it is filled between two collections.")

(defun nearly-full-p (used)
  "Whether USED bytes leave too little room for another collection."
  (let* ((heap (sb-ext:dynamic-space-size))
         (room (- heap (* heap +spare-percent+ 1/100))))
    ;; The pages are counted only where it matters.
    (and (> (* 2 used) room)
         (> (- (* 2 used) (if *counter-of-what-stays* (funcall *counter-of-what-stays*) 0)) room))))
