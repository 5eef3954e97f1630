;;;; Labels (#1=) only for cycles. With *PRINT-CIRCLE* SBCL's printer labels every object that occurs
;;;; twice, shared strings too. It finds these in a first pass, which is run here; objects that are
;;;; only shared are then removed from its table. If no object occurs twice, the first pass has printed
;;;; everything and there is no second pass.

(in-package :lisp-harbor-agent)

(defconstant +followed-objects+ 20000
  "Maximum number of objects examined to find cycles. Beyond that every object that occurs twice gets a label.")

(define-implementation call-printing-anew (function)
  (let ((sb-kernel::*current-level-in-print* 0)
        (sb-impl::*circularity-hash-table* nil)
        (sb-impl::*circularity-counter* nil))
    (funcall function)))

(defun call-with-met (met counter function)
  "Calls FUNCTION, which prints. MET is the printer's table of the objects it has seen, and COUNTER the counter
of its labels, NIL in the first pass (SBCL 2.2.9: print.lisp)."
  (let ((*print-circle* t)
        (sb-impl::*circularity-hash-table* met)
        (sb-impl::*circularity-counter* counter))
    (funcall function)))

(defun met-again (met)
  (loop for object being the hash-keys of met using (hash-value mark)
        when (member mark '(0 :logical-block-circular)) collect object))

(defun call-with-parts (function object)
  "Calls FUNCTION on each object that OBJECT contains and a printer may visit."
  (typecase object
    (cons (funcall function (car object)) (funcall function (cdr object)))
    ((array t) (dotimes (index (array-total-size object)) (funcall function (row-major-aref object index))))
    (hash-table (maphash (lambda (key value) (funcall function key) (funcall function value)) object))
    ((satisfies sb-kernel::%instancep)
     (sb-kernel::do-instance-tagged-slot (index object) (funcall function (sb-kernel::%instance-ref object index))))))

(defun on-the-way-p (object met)
  "Reports whether the printer may have traversed OBJECT. It may have traversed a list or an array as a part of
another object; an object with a name or an address is either in its table or was not visited."
  (typecase object
    ((or cons (array t)) t)
    ((satisfies sb-kernel::%instancep) (gethash object met))))

(defun leads-back-p (object met budget)
  "Reports whether OBJECT contains itself through objects in MET. The second value is the remaining BUDGET."
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
  "Marks the objects of AGAIN that are not part of a cycle as seen once."
  (let ((budget +followed-objects+))
    (dolist (object again)
      (multiple-value-bind (cyclic left) (leads-back-p object met budget)
        (setf budget left)
        (unless cyclic (setf (gethash object met) t))))))

(define-implementation call-labelling-cycles (object function)
  (if (or *print-circle* (prints-at-once-p object))
      (funcall function)
      (let* ((met (make-hash-table :test 'eq))
             (answer (call-with-met met nil function))
             (again (met-again met)))
        (cond (again (keep-only-cycles met again)
                     (call-with-met met 0 function))
              (t answer)))))
