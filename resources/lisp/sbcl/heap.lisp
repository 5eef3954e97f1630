;;;; The soft limit of the heap. A copying collector that runs out of room ends the process, so an
;;;; evaluation that fills the heap is ended earlier, while the image is still intact (see room.lisp).

(in-package :lisp-harbor-agent)

(define-condition heap-limit-reached (storage-condition)
  ((used :initarg :used :reader used-bytes))
  (:report (lambda (condition stream)
             (format stream "The evaluation was ended because it filled the heap: ~D MiB are live of ~D MiB."
                     (ash (used-bytes condition) -20)
                     (ash (sb-ext:dynamic-space-size) -20)))))

(defun check-heap ()
  "Runs after each collection. Enters the debugger directly, because a handler that continues would end the
process."
  (let ((used (sb-kernel:dynamic-usage)))
    (when (lisp-harbor-room:nearly-full-p used)
      (call-in-evaluation *current*
                          (lambda ()
                            (sb-sys:with-interrupts
                              (invoke-debugger (make-condition 'heap-limit-reached :used used))))))))

(define-implementation install-heap-limit ()
  (pushnew 'check-heap sb-ext:*after-gc-hooks*))

(defvar *heap-was-full* nil "True if the running evaluation was ended because the heap was exhausted.")

(defun note-full-heap (condition)
  (when (typep condition '(or heap-limit-reached sb-kernel::heap-exhausted-error))
    (setf *heap-was-full* t)))

(define-implementation reclaim-heap ()
  "Frees the memory of an evaluation that was ended, so that it does not count against the next one."
  (when (shiftf *heap-was-full* nil)
    (sb-ext:gc :full t)))

;;; Queries that fill the heap.

(defun abandon-queries-of-full-heap ()
  "Runs after each collection, like CHECK-HEAP for the evaluation."
  (when (lisp-harbor-room:nearly-full-p (sb-kernel:dynamic-usage))
    (loop for (id) in *query-threads*
          do (abandon-query id "The image's heap is nearly full."))))

(defun install-heap-limit-of-queries ()
  (pushnew 'abandon-queries-of-full-heap sb-ext:*after-gc-hooks*))

