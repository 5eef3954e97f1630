;;;; Swank's inspector for objects that the harbor names by numbers, without the state in which an editor that is
;;;; connected to the same image keeps what its own inspector shows.

(in-package #:lisp-harbor.swank)

(defconstant +first-items+ 500 "Items of content that Swank answers at once.")
(defconstant +items+ 20000 "Items of content that are looked at.")

(defun content-of (description)
  "All items of content, as Swank's inspector lists them, while it looks at what DESCRIPTION is of."
  (let ((items (first (getf description :content))))
    (if (< (length items) +first-items+)
        items
        (append items (first (swank:inspector-range +first-items+ +items+))))))

(defun call-with-content (object function)
  "Calls FUNCTION with the content of OBJECT while the numbers of parts in it are good."
  (let ((swank::*istate* nil)
        (swank::*inspector-history* (make-array 10 :adjustable t :fill-pointer 0)))
    (swank::with-buffer-syntax ()
      (funcall function (content-of (swank::inspect-object object))))))

(defun part-object (number part)
  "The number of an object that is a part of the object NUMBER, where PART is what the content of that one calls it."
  (number-of (call-with-content (object-of number)
                                (lambda (content)
                                  (declare (ignore content))
                                  (multiple-value-bind (object found) (swank:inspector-nth-part part)
                                    (if found object (error "There is no such part any more.")))))))

(defun known-parts (content)
  "The parts in CONTENT that have a number already: lists of part and number."
  (loop for item in content
        for number = (when (and (consp item) (eq (first item) :value))
                       (number-if-any (swank:inspector-nth-part (third item))))
        when number collect (list (third item) number)))

(defun inspection (number)
  "The class, the type and the text of the object NUMBER, its content, and which of its parts are known."
  (let ((object (object-of number)))
    (call-with-content object
                       (lambda (content)
                         (list (princ-to-string (class-name (class-of object)))
                               (print-value (type-of object) 500)
                               (print-value object 2000)
                               content
                               (known-parts content))))))
