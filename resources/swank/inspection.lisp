;;;; Swank's inspector for objects that the harbor identifies by number, without changing the state of
;;;; the inspector of an editor that is connected to the same image.

(in-package #:lisp-harbor.swank)

(defconstant +first-items+ 500 "Maximum number of items of content that Swank returns at once.")
(defconstant +items+ 20000 "Maximum number of items of content examined.")

(defun content-of (description)
  "Returns all items of content, as Swank's inspector lists them, while it inspects the object of DESCRIPTION."
  (let ((items (first (getf description :content))))
    (if (< (length items) +first-items+)
        items
        (append items (first (swank:inspector-range +first-items+ +items+))))))

(defun call-with-content (object function)
  "Calls FUNCTION with the content of OBJECT while the part numbers in it are valid."
  (call-with-own-inspector
   (lambda ()
     (swank::with-buffer-syntax ()
       (funcall function (content-of (swank::inspect-object object)))))))

(defun part-object (number part)
  "Returns the number of the object that is the part PART, as named in the content, of the object NUMBER."
  (number-of (call-with-content (object-of number)
                                (lambda (content)
                                  (declare (ignore content))
                                  (multiple-value-bind (object found) (swank:inspector-nth-part part)
                                    (if found object (error "There is no such part any more.")))))))

(defun known-parts (content)
  "Returns the parts in CONTENT that have a number already, as lists of part and number."
  (loop for item in content
        for number = (when (and (consp item) (eq (first item) :value))
                       (number-if-any (swank:inspector-nth-part (third item))))
        when number collect (list (third item) number)))

(defun inspection (number)
  "Returns the class, the type and the text of the object NUMBER, its content, and which of its parts have
numbers."
  (let ((object (object-of number)))
    (call-with-content object
                       (lambda (content)
                         (list (princ-to-string (class-name (class-of object)))
                               (print-value (type-of object) 500)
                               (print-value object 2000)
                               content
                               (known-parts content))))))
