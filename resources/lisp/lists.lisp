;;;; Shortened lists in answers: the first elements and the number of omitted ones.

(in-package :lisp-harbor-agent)

(defun optional-members (&rest keys-and-values)
  "Returns a JSON object like OBJECT without the members whose value is NIL."
  (apply #'object (loop for (key value) on keys-and-values by #'cddr
                        when value append (list key value))))

(defun up-to (limit list)
  "Returns the first LIMIT elements of LIST."
  (subseq list 0 (min limit (length list))))

(defun left-out (limit list)
  "Returns the number of elements of LIST beyond LIMIT, or NIL if there are none."
  (let ((more (- (length list) limit)))
    (and (plusp more) more)))

(defun in-a-row (limit names)
  "Returns the first LIMIT of NAMES, a list of texts, separated by commas, with the number of omitted ones."
  (format nil "~{~A~^, ~}~@[ and ~D more~]" (up-to limit names) (left-out limit names)))
