;;;; The soft limit of the heap. A copying collector that runs out of room ends the process,
;;;; so an evaluation that fills the heap is ended earlier, while the image is still healthy.

(in-package :lisp-harbor-agent)

;;; What the collector copies needs as much room again. Large objects have pages of their own and stay where they are: how many
;;; bytes those take stands in the collector's table of pages, which is not the same in every SBCL.

(defun large-object-counter ()
  "A function of no arguments that adds up the pages of large objects, in bytes; an error where this SBCL has other pages."
  (handler-bind ((warning #'muffle-warning))
    (compile nil '(lambda ()
                   (let ((pages (sb-alien:extern-alien "page_table" (* (sb-alien:struct sb-vm::page)))))
                     (* sb-vm:gencgc-page-bytes
                        (loop for page below (sb-alien:extern-alien "next_free_page" sb-alien:signed)
                              count (logtest 16 (sb-alien:slot (sb-alien:deref pages page) 'sb-vm::flags)))))))))

(defvar *tried* nil "Objects made to try the counter: where nobody has them, none are made.")

(defun counts-large-objects-p (counter)
  "Whether COUNTER sees a large object that is made, and does not see small ones."
  (let ((bytes (* 8 1024 1024))
        (none (funcall counter)))
    (push (make-array bytes :element-type '(unsigned-byte 8)) *tried*)
    (let ((one (funcall counter)))
      (push (make-list 500000) *tried*)
      (and (shiftf *tried* nil)
           (<= bytes (- one none) (+ bytes sb-vm:gencgc-page-bytes))
           (= one (funcall counter))))))

(defvar *large-object-counter*
  (ignore-errors
    (let ((counter (large-object-counter)))
      (and (sb-sys:without-gcing (counts-large-objects-p counter)) counter)))
  "As LARGE-OBJECT-COUNTER answers it, tried when the agent is built; NIL where that is not known.")

(defconstant +spare-percent+ 10 "Of the heap: half of it is filled between two collections.")

(define-condition heap-limit-reached (storage-condition)
  ((used :initarg :used :reader used-bytes))
  (:report (lambda (condition stream)
             (format stream "The evaluation was ended because it filled the heap: ~D MiB are live of ~D MiB."
                     (ash (used-bytes condition) -20)
                     (ash (sb-ext:dynamic-space-size) -20)))))

(defun heap-nearly-full-p (used)
  "Whether USED bytes leave too little room for another collection."
  (let* ((heap (sb-ext:dynamic-space-size))
         (room (- heap (* heap +spare-percent+ 1/100))))
    ;; The pages are counted only where it matters.
    (and (> (* 2 used) room)
         (> (- (* 2 used) (if *large-object-counter* (funcall *large-object-counter*) 0)) room))))

(defun check-heap ()
  "Runs after each collection. Goes straight to the debugger: a handler that went on would end the process."
  (let ((used (sb-kernel:dynamic-usage)))
    (when (heap-nearly-full-p used)
      (call-in-evaluation *current*
                          (lambda ()
                            (sb-sys:with-interrupts
                              (invoke-debugger (make-condition 'heap-limit-reached :used used))))))))

(define-implementation install-heap-limit ()
  (pushnew 'check-heap sb-ext:*after-gc-hooks*))

(defvar *heap-was-full* nil "Whether the evaluation that runs was ended for want of heap.")

(defun note-full-heap (condition)
  (when (typep condition '(or heap-limit-reached sb-kernel::heap-exhausted-error))
    (setf *heap-was-full* t)))

(define-implementation reclaim-heap ()
  "Collects what an ended evaluation held, before that counts against the next one."
  (when (shiftf *heap-was-full* nil)
    (sb-ext:gc :full t)))

;;; Queries fill it as well.

(defun abandon-queries-of-full-heap ()
  "Runs after each collection, as CHECK-HEAP does for the evaluation."
  (when (heap-nearly-full-p (sb-kernel:dynamic-usage))
    (loop for (id) in *query-threads*
          do (abandon-query id "The image's heap is nearly full."))))

(defun install-heap-limit-of-queries ()
  (pushnew 'abandon-queries-of-full-heap sb-ext:*after-gc-hooks*))

