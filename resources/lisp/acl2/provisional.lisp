;;;; Two ways of certifying a book leave its events in the world as if they were proved, though ACL2 has skipped the proofs
;;;; and says so nowhere: a step of provisional certification, and writing an .acl2x file. Neither is carried out here, and
;;;; a provisional certificate counts for none.

(in-package "LISP-HARBOR-ACL2")

(defun provisional-p (pcert)
  "Whether :PCERT asks for a step of it. :DEFAULT is what the environment says, which code may set."
  (not (member pcert '(nil :default))))

(defun skips-proofs-p (acl2x)
  "Whether certifying with this :ACL2X writes a file of expansions instead, with LD-SKIP-PROOFSP as SET-WRITE-ACL2X says."
  (and acl2x (consp (state-global 'acl2::write-acl2x))))

(defun not-certified (name reason)
  (refuse 'acl2::certify-book "~a is not certified: ~a skips proofs, and nothing would say so." name reason)
  (values t nil (state)))

(defun certify-with-proofs (function arguments)
  "Of CERTIFY-BOOK-FN the ninth argument is :ACL2X and the eleventh :PCERT."
  (cond ((raw-lisp-allowed-p)
         (apply function arguments))
        ((provisional-p (nth 10 arguments))
         (not-certified (first arguments) "provisional certification"))
        ((skips-proofs-p (nth 8 arguments))
         (not-certified (first arguments) "writing an .acl2x file"))
        (t (apply function (with-argument 10 nil arguments)))))

(defun find-whole-certificate (function arguments)
  "Of CERTIFICATE-FILE-AND-INPUT-CHANNEL the second argument is NIL where any certificate will do, and T for a .cert file."
  (apply function
         (if (or (second arguments) (raw-lisp-allowed-p))
             arguments
             (with-argument 1 t arguments))))

(defun install-provisional ()
  (wrap 'acl2::certify-book-fn #'certify-with-proofs)
  (wrap 'acl2::certificate-file-and-input-channel #'find-whole-certificate))
