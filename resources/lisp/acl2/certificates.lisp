;;;; A certificate also has the translated bodies of definitions, and what types their values are of. INCLUDE-BOOK takes both as
;;;; they stand: such a body may call what is untouchable, and such a type be false. Whoever can write beside a book can write a
;;;; certificate that ACL2 accepts, so of other books than the system's ACL2 translates, and computes, what it includes.

(in-package "LISP-HARBOR-ACL2")

(defun include-without-cert-data (function arguments)
  "Of PROCESS-EMBEDDED-EVENTS the fifth argument begins with who calls it and, of INCLUDE-BOOK, the book's full name; the
ninth is what the certificate says."
  (let ((context (fifth arguments)))
    (apply function
           (if (and (eq (car context) 'acl2::include-book) (not (loadable-p (cadr context))))
               (with-argument 8 nil arguments)
               arguments))))

(defun install-certificates ()
  (wrap 'acl2::process-embedded-events #'include-without-cert-data))
