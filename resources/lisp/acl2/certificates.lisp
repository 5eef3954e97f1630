;;;; A certificate also contains translated definition bodies and the types of their values.
;;;; INCLUDE-BOOK trusts both: a body may call untouchable functions, and a type may be wrong. Anyone
;;;; who can write to a book's folder can write a certificate that ACL2 accepts, so only for system
;;;; books are they used; for other books ACL2 translates and computes them again.

(in-package "LISP-HARBOR-ACL2")

(defun include-without-cert-data (function arguments)
  "The fifth argument of PROCESS-EMBEDDED-EVENTS starts with the caller and, for INCLUDE-BOOK, the full name of the book; the
ninth is the data of the certificate."
  (let ((context (fifth arguments)))
    (apply function
           (if (and (eq (car context) 'acl2::include-book) (not (loadable-p (cadr context))))
               (with-argument 8 nil arguments)
               arguments))))

(defun install-certificates ()
  (wrap 'acl2::process-embedded-events #'include-without-cert-data))
