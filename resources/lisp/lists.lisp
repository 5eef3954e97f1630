;;;; Lists in what is told: of long ones the first, and how many there are beside them.

(in-package :lisp-harbor-agent)

(defun optional-members (&rest keys-and-values)
  "As OBJECT, without the members whose value is NIL."
  (apply #'object (loop for (key value) on keys-and-values by #'cddr
                        when value append (list key value))))

(defun up-to (limit list)
  "The first LIMIT elements of LIST."
  (subseq list 0 (min limit (length list))))

(defun left-out (limit list)
  "How many elements LIST has beyond LIMIT; NIL for none."
  (let ((more (- (length list) limit)))
    (and (plusp more) more)))

(defun in-a-row (limit names)
  "The first LIMIT of NAMES, texts, as a sentence has them."
  (format nil "~{~A~^, ~}~@[ and ~D more~]" (up-to limit names) (left-out limit names)))
