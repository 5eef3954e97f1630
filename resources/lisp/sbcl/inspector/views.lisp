;;;; Alternative views of an object: a table of records, numbers for a plot, octets. Defines the
;;;; queries `records`, `numbers` and `octets`. None of them creates handles.

(in-package :lisp-harbor-agent)

(defconstant +columns+ 24 "Maximum number of fields of one record.")
(defconstant +drawn-points+ 1000
  "Maximum number of points of a plot. Each has the minimum and the maximum of its range.")
(defconstant +octets+ 4096 "Maximum number of octets in one answer.")

(defun object-asked-for (arguments)
  (handler-case (object-at (start-of arguments) (member-of arguments "path"))
    (no-such-part (condition) (refuse "unknown_part" "~A" (part-message condition)))))

(defun proper-list-p (object)
  (and (consp object) (eq :proper (nth-value 1 (list-shape object)))))

;;; Records.

(defun property-list-p (object)
  (and (proper-list-p object)
       (evenp (length object))
       (loop for (name nil) on object by #'cddr always (keywordp name))))

(defun association-list-p (object)
  (and (proper-list-p object)
       (every (lambda (entry) (and (consp entry) (car entry) (typep (car entry) '(or symbol string)))) object)))

(defun fields-of (record)
  "Returns names and values of RECORD as conses: of a property list, an association list, or an object with
parts. NIL for an atom."
  (cond ((typep record '(or number character symbol string function package pathname stream)) '())
        ((property-list-p record)
         (loop for (name value) on record by #'cddr
               repeat +columns+
               collect (cons (preview name) value)))
        ((association-list-p record)
         (loop for (name . value) in (up-to +columns+ record)
               collect (cons (preview name) value)))
        (t (loop for part in (parts-between record 0 +columns+)
                 when (and (part-bound part) (null (part-problem part)))
                   collect (cons (part-name part) (part-value part))))))

(defun columns-of (records)
  "Returns the names of all fields of RECORDS, in the order of their first occurrence."
  (up-to +columns+ (remove-duplicates (mapcar #'car (apply #'append records)) :test #'string= :from-end t)))

(defun record-data (part fields columns)
  (object "name" (part-name part)
          "cells" (loop for column in columns
                        for field = (assoc column fields :test #'string=)
                        collect (if field (preview (cdr field)) :null))))

(define-query "records" (arguments)
  "Arguments: as `inspect`. Returns a page of the parts of the object as records: their fields, and a row for
each."
  (with-printing-time
    (let* ((object (object-asked-for arguments))
           (offset (or (member-of arguments "offset") 0))
           (parts (parts-between object offset (+ offset (or (member-of arguments "limit") 50))))
           (records (mapcar (lambda (part) (and (part-bound part) (fields-of (part-value part)))) parts))
           (columns (columns-of records)))
      (object "columns" columns
              "rows" (mapcar (lambda (part fields) (record-data part fields columns)) parts records)
              "total" (part-count object)))))

;;; Numbers.

(defun drawable (value)
  "Returns VALUE as a double float, or NIL if it cannot be plotted."
  (and (realp value)
       (handler-case (let ((double (coerce value 'double-float)))
                       (unless (or (sb-ext:float-nan-p double) (sb-ext:float-infinity-p double)) double))
         (arithmetic-error () nil))))

(defun map-elements (function object)
  "Calls FUNCTION with each element of OBJECT, any list or a vector."
  (if (consp object)
      (loop repeat (list-shape object)
            for cons = object then (cdr cons)
            do (funcall function (car cons)))
      (map nil function object)))

(defun gathered (object step)
  "Returns the minimum and the maximum of each STEP elements of OBJECT, as two lists with :NULL where there are
no numbers. The third value is the number of elements that are not numbers."
  (let ((low '()) (high '()) (left step) least most (others 0))
    (flet ((close-part ()
             (push (or least :null) low)
             (push (or most :null) high)
             (setf least nil most nil left step)))
      (map-elements (lambda (element)
                      (let ((number (drawable element)))
                        (cond ((null number) (incf others))
                              (least (setf least (min least number) most (max most number)))
                              (t (setf least number most number)))
                        (when (zerop (decf left)) (close-part))))
                    object)
      (when (< left step) (close-part))
      (values (nreverse low) (nreverse high) others))))

(defun number-texts (numbers)
  "Returns NUMBERS, double floats or :NULL, in JSON syntax."
  (let ((*read-default-float-format* 'double-float) (*print-base* 10) (*print-radix* nil))
    (mapcar (lambda (number) (if (eq number :null) :null (prin1-to-string number))) numbers)))

(define-query "numbers" (arguments)
  "Arguments: object? or evaluation?, path. Returns the numbers in a list or a vector, reduced to the points of
a plot."
  (let ((object (object-asked-for arguments)))
    (unless (or (consp object) (and (vectorp object) (not (stringp object))))
      (refuse "unknown_part" "A ~A has no sequence of numbers." (kind-of-object object)))
    (let* ((total (if (consp object) (values (list-shape object)) (length object)))
           (step (max 1 (ceiling total +drawn-points+))))
      (multiple-value-bind (low high others) (gathered object step)
        (object "total" total "step" step "others" others
                "low" (number-texts low) "high" (number-texts high))))))

;;; Octets.

(define-query "octets" (arguments)
  "Arguments: as `inspect`. Returns a part of a vector of octets, in hexadecimal digits."
  (let ((object (object-asked-for arguments))
        (offset (or (member-of arguments "offset") 0)))
    (unless (typep object '(vector (unsigned-byte 8)))
      (refuse "unknown_part" "This ~A is no vector of octets." (kind-of-object object)))
    (let ((end (min (length object) (+ offset (min +octets+ (or (member-of arguments "limit") +octets+))))))
      (object "digits" (format nil "~(~{~2,'0X~}~)" (coerce (subseq object (min offset end) end) 'list))
              "total" (length object)))))
