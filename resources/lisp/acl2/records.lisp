;;;; Sends records to the harbor: frames between the output of ACL2, which printed text cannot forge.
;;;; Each starts with a nonce that the harbor chose for this request. Only closures of this file
;;;; contain it, which does not protect against :PROGRAM code that reads memory outside of an array or
;;;; string.

(in-package "LISP-HARBOR-ACL2")

(defconstant +record-separator+ 30 "ASCII RS, before each frame.")

(let ((nonce ""))
  (defun renew-nonce (new)
    "Sets the nonce of the following frames for a new request."
    (setq nonce new))
  (defun write-frame (text stream)
    "RS nonce SP length NL text NL; the length is in characters, each of which is one byte on the descriptor."
    (format stream "~a~a ~d~%~a~%" (code-char +record-separator+) nonce (length text) text)
    (force-output stream)))

(defun emit (record &rest keys-and-values)
  "Sends a record: a JSON object whose member \"record\" is RECORD, with these other members."
  (write-frame
   (with-plain-printing
     (with-output-to-string (out)
       (write-json (apply #'object "record" record keys-and-values) out)))
   *printed*))

(defun mark-commentary ()
  "An empty frame in the commentary: the text before it belongs to the next record on the other descriptor."
  (write-frame "" *commentary*))
