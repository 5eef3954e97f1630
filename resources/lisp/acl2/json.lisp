;;;; Writes JSON, but does not escape control characters in strings. On GCL this file is interpreted,
;;;; and the printer escapes a string faster than a loop here could.

(in-package "LISP-HARBOR-ACL2")

;;; JSON values in Lisp: (:OBJECT key value ...), (:ARRAY item ...), a string, an integer, :TRUE,
;;; :FALSE, :NULL.

(defun object (&rest keys-and-values)
  "A JSON object of alternating string keys and values; NIL becomes null."
  (cons :object keys-and-values))

(defun array-of (items)
  "A JSON array of the list ITEMS."
  (cons :array items))

(defun truth (value)
  "VALUE as a JSON boolean."
  (if value :true :false))

(defun write-json-string (string out)
  "PRIN1 escapes the quote and the backslash as JSON does. The harbor escapes control characters before parsing."
  (prin1 string out))

(defun write-json-items (items write-item open close out)
  (write-char open out)
  (do ((rest items (cdr rest)))
      ((endp rest))
    (funcall write-item (car rest) out)
    (when (cdr rest) (write-char #\, out)))
  (write-char close out))

(defun pairs (keys-and-values)
  (do ((rest keys-and-values (cddr rest))
       (pairs '() (cons (cons (first rest) (second rest)) pairs)))
      ((endp rest) (nreverse pairs))))

(defun write-json-member (pair out)
  (write-json-string (car pair) out)
  (write-char #\: out)
  (write-json (cdr pair) out))

(defun write-json (value out)
  "Writes VALUE. The caller binds the printer variables (WITH-PLAIN-PRINTING)."
  (cond ((stringp value) (write-json-string value out))
        ((integerp value) (prin1 value out))
        ((eq value :true) (write-string "true" out))
        ((eq value :false) (write-string "false" out))
        ((member value '(nil :null)) (write-string "null" out))
        ((eq (car value) :object) (write-json-items (pairs (cdr value)) #'write-json-member #\{ #\} out))
        (t (write-json-items (cdr value) #'write-json #\[ #\] out))))
