;;;; Checks whether SBCL's collector has enough room. It copies, and ends the process if it has not.
;;;; The agent checks after each collection (heap.lisp), and so does the helper in an ACL2 that runs on
;;;; SBCL (../acl2/memory.lisp).

(defpackage :lisp-harbor-room
  (:use :common-lisp)
  (:export #:nearly-full-p))

(in-package :lisp-harbor-room)

;;; Copied objects need the same amount of free room. Large objects have pages of their own and are
;;; not copied, nor are objects of the core. The number of their bytes is in the collector's page
;;; table, whose layout differs between versions of SBCL.

(defun counter-of-what-stays ()
  "Returns a function of no arguments that returns the bytes in pages that are not copied. Signals an error if
this SBCL has a different page table."
  (handler-bind ((warning #'muffle-warning))
    (compile nil '(lambda ()
                   (let ((pages (sb-alien:extern-alien "page_table" (* (sb-alien:struct sb-vm::page)))))
                     (* sb-vm:gencgc-page-bytes
                        (loop for number below (sb-alien:extern-alien "next_free_page" sb-alien:signed)
                              for page = (sb-alien:deref pages number)
                              count (or (logtest 16 (sb-alien:slot page 'sb-vm::flags))
                                        (= sb-vm:+pseudo-static-generation+ (sb-alien:slot page 'sb-vm::gen))))))))))

(defvar *tried* nil
  "Objects allocated to test the counter. Referenced here so that the compiler does not remove the allocation.")

(defun counts-large-objects-p (counter)
  "Reports whether COUNTER counts a new large object and does not count small ones. A page being filled may
come and go."
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
  "The result of COUNTER-OF-WHAT-STAYS, tested at load time. NIL if the counter is not available.")

(defconstant +spare-percent+ 10 "Percentage of the heap. Half of it is filled between two collections.")

(defun nearly-full-p (used)
  "Reports whether USED bytes leave too little room for another collection."
  (let* ((heap (sb-ext:dynamic-space-size))
         (room (- heap (* heap +spare-percent+ 1/100))))
    ;; The pages are counted only if the result depends on them.
    (and (> (* 2 used) room)
         (> (- (* 2 used) (if *counter-of-what-stays* (funcall *counter-of-what-stays*) 0)) room))))
