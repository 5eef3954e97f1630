;;;; Labels (#1=) only where an object leads back to itself. With *PRINT-CIRCLE* SBCL's printer labels whatever it meets
;;;; twice, shared strings too. It finds that in a first pass, which is run here; what is only shared is then struck from its
;;;; table. Where nothing was met twice the first pass has printed all that there is, and there is no second.

(in-package :lisp-harbor-agent)

(defconstant +followed-objects+ 20000
  "Objects looked at to find out what leads back to itself; beyond that, what is met twice gets a label.")

(define-implementation call-printing-anew (function)
  (let ((sb-kernel::*current-level-in-print* 0)
        (sb-impl::*circularity-hash-table* nil)
        (sb-impl::*circularity-counter* nil))
    (funcall function)))

(defun call-with-met (met counter function)
  "Calls FUNCTION, which prints. MET is the printer's table of the objects that it has met, and COUNTER that of its labels,
NIL in a first pass (SBCL 2.2.9: print.lisp)."
  (let ((*print-circle* t)
        (sb-impl::*circularity-hash-table* met)
        (sb-impl::*circularity-counter* counter))
    (funcall function)))

(defun met-again (met)
  (loop for object being the hash-keys of met using (hash-value mark)
        when (member mark '(0 :logical-block-circular)) collect object))

(defun call-with-parts (function object)
  "Calls FUNCTION on each object that OBJECT holds where a printer may come upon it."
  (typecase object
    (cons (funcall function (car object)) (funcall function (cdr object)))
    ((array t) (dotimes (index (array-total-size object)) (funcall function (row-major-aref object index))))
    (hash-table (maphash (lambda (key value) (funcall function key) (funcall function value)) object))
    ((satisfies sb-kernel::%instancep)
     (sb-kernel::do-instance-tagged-slot (index object) (funcall function (sb-kernel::%instance-ref object index))))))

(defun on-the-way-p (object met)
  "Whether the printer may have gone through OBJECT: a list or an array may be a part that it looked into, but what has a
name or an address of its own it has met, or left as it is."
  (typecase object
    ((or cons (array t)) t)
    ((satisfies sb-kernel::%instancep) (gethash object met))))

(defun leads-back-p (object met budget)
  "Whether OBJECT holds, by way of what was MET, itself. Second value: what is left of BUDGET."
  (let ((seen (make-hash-table :test 'eq))
        (waiting (list object)))
    (flet ((follow (part)
             (when (eq part object) (return-from leads-back-p (values t budget)))
             (when (and (on-the-way-p part met) (not (gethash part seen)))
               (setf (gethash part seen) t)
               (push part waiting))))
      (loop while waiting
            do (when (minusp (decf budget)) (return-from leads-back-p (values t 0)))
               (call-with-parts #'follow (pop waiting)))
      (values nil budget))))

(defun keep-only-cycles (met again)
  "Has the printer take those of AGAIN that do not lead back to themselves as met once."
  (let ((budget +followed-objects+))
    (dolist (object again)
      (multiple-value-bind (cyclic left) (leads-back-p object met budget)
        (setf budget left)
        (unless cyclic (setf (gethash object met) t))))))

(define-implementation call-labelling-cycles (object function)
  (declare (ignore object))
  (if *print-circle*
      (funcall function)
      (let* ((met (make-hash-table :test 'eq))
             (answer (call-with-met met nil function))
             (again (met-again met)))
        (cond (again (keep-only-cycles met again)
                     (call-with-met met 0 function))
              (t answer)))))
