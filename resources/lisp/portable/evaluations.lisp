;;;; ABOUTME: What SBCL adds to an evaluation and this Lisp has not: the compiler's own place in the source, sources that
;;;; ABOUTME: definitions remember, a limit of the heap. Each of them is nothing here.

(in-package :lisp-harbor-agent)

(defun exiting-p ()
  "Whether this thread is unwound because the process ends."
  *exiting*)

;;; Sources.

(defun evaluated-source (evaluation position)
  (declare (ignore evaluation position))
  nil)

(defun call-with-source (source function)
  (declare (ignore source))
  (funcall function))

;;; What the compiler says: only conditions of the standard.

(define-condition compiler-note (condition) ()
  (:documentation "Nobody signals it here."))

(defun compiler-position ()
  '())

(defun count-for-compiler (warning)
  (declare (ignore warning)))

(defun uninteresting-p (warning)
  (declare (ignore warning))
  nil)

;;; Processor time.

(defun call-with-cpu-watch (evaluation function)
  "Calls FUNCTION: no limit of processor time is kept here."
  (declare (ignore evaluation))
  (funcall function))

;;; The heap.

(defun install-heap-limit ()
  "The Lisp itself signals STORAGE-CONDITION when its heap is full.")

(defun reclaim-heap ())
