;;;; Other views of an object than its parts: a table of records, numbers to be drawn, octets. The queries `records`, `numbers`
;;;; and `octets`; none of them gives what it looks at a handle.

(in-package :lisp-harbor-agent)

(defconstant +columns+ 24 "Fields told of one record at most.")
(defconstant +drawn-points+ 1000 "Points that numbers are gathered to at most, each with the lowest and the highest of its part.")
(defconstant +octets+ 4096 "Octets told at a time at most.")

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
  "Names and values of RECORD as conses: of a property list, an association list, or what has parts; NIL for an atom."
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
  "The names of all fields of RECORDS, in the order in which they come."
  (up-to +columns+ (remove-duplicates (mapcar #'car (apply #'append records)) :test #'string= :from-end t)))

(defun record-data (part fields columns)
  (object "name" (part-name part)
          "cells" (loop for column in columns
                        for field = (assoc column fields :test #'string=)
                        collect (if field (preview (cdr field)) :null))))

(define-query "records" (arguments)
  "Arguments: as `inspect`. Answers a page of the parts of the object as records: their fields, and a row for each."
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
  "VALUE as a double float, or NIL where it cannot be drawn."
  (and (realp value)
       (handler-case (let ((double (coerce value 'double-float)))
                       (unless (or (sb-ext:float-nan-p double) (sb-ext:float-infinity-p double)) double))
         (arithmetic-error () nil))))

(defun map-elements (function object)
  "Calls FUNCTION with each element of OBJECT, a list of whatever shape or a vector."
  (if (consp object)
      (loop repeat (list-shape object)
            for cons = object then (cdr cons)
            do (funcall function (car cons)))
      (map nil function object)))

(defun gathered (object step)
  "The lowest and the highest number of each STEP elements of OBJECT, as two lists with :NULL for those that have none.
Third value: how many are no numbers."
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
  "NUMBERS, double floats or :NULL, as JSON would write them."
  (let ((*read-default-float-format* 'double-float) (*print-base* 10) (*print-radix* nil))
    (mapcar (lambda (number) (if (eq number :null) :null (prin1-to-string number))) numbers)))

(define-query "numbers" (arguments)
  "Arguments: object? or evaluation?, path. Answers the numbers in a list or a vector, gathered to as many points as are drawn."
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
  "Arguments: as `inspect`. Answers some of a vector of octets, in hexadecimal digits."
  (let ((object (object-asked-for arguments))
        (offset (or (member-of arguments "offset") 0)))
    (unless (typep object '(vector (unsigned-byte 8)))
      (refuse "unknown_part" "This ~A is no vector of octets." (kind-of-object object)))
    (let ((end (min (length object) (+ offset (min +octets+ (or (member-of arguments "limit") +octets+))))))
      (object "digits" (format nil "~(~{~2,'0X~}~)" (coerce (subseq object (min offset end) end) 'list))
              "total" (length object)))))
