;;;; What the helper tells the harbor: frames in between what ACL2 prints, which nothing printed can forge.
;;;; Each begins with a nonce that the harbor chose for this one request. Only this file's closures hold it, which is no lock
;;;; against :PROGRAM code that reads memory beyond the bounds of an array or a string.

(in-package "LISP-HARBOR-ACL2")

(defconstant +record-separator+ 30 "ASCII RS, before each frame.")

(let ((nonce ""))
  (defun renew-nonce (new)
    "Frames carry NEW from now on: a request has come."
    (setq nonce new))
  (defun write-frame (text stream)
    "RS nonce SP length NL text NL; the length counts characters, each of which is a byte of the descriptor."
    (format stream "~a~a ~d~%~a~%" (code-char +record-separator+) nonce (length text) text)
    (force-output stream)))

(defun emit (record &rest keys-and-values)
  "Sends a record: a JSON object whose member \"record\" is RECORD, with these members besides."
  (write-frame
   (with-plain-printing
     (with-output-to-string (out)
       (write-json (apply #'object "record" record keys-and-values) out)))
   *printed*))

(defun mark-commentary ()
  "An empty frame among the commentary: what came before it belongs to the record that follows on the other descriptor."
  (write-frame "" *commentary*))
