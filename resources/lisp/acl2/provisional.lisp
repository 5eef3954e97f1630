;;;; Two kinds of certification add events to the world without their proofs and without a trust issue:
;;;; a step of provisional certification, and writing an .acl2x file. Both are refused, and a
;;;; provisional certificate counts as none.

(in-package "LISP-HARBOR-ACL2")

(defun provisional-p (pcert)
  "Whether :PCERT requests such a step. :DEFAULT is the value in the environment, which code may set."
  (not (member pcert '(nil :default))))

(defun skips-proofs-p (acl2x)
  "Whether certifying with this :ACL2X writes an expansion file, skipping proofs as set by SET-WRITE-ACL2X."
  (and acl2x (consp (state-global 'acl2::write-acl2x))))

(defun not-certified (name reason)
  (refuse 'acl2::certify-book "~a is not certified: ~a skips proofs without a trace." name reason)
  (values t nil (state)))

(defun certify-with-proofs (function arguments)
  "The ninth argument of CERTIFY-BOOK-FN is :ACL2X and the eleventh :PCERT."
  (cond ((raw-lisp-allowed-p)
         (apply function arguments))
        ((provisional-p (nth 10 arguments))
         (not-certified (first arguments) "provisional certification"))
        ((skips-proofs-p (nth 8 arguments))
         (not-certified (first arguments) "writing an .acl2x file"))
        (t (apply function (with-argument 10 nil arguments)))))

(defun find-whole-certificate (function arguments)
  "The second argument of CERTIFICATE-FILE-AND-INPUT-CHANNEL is NIL if any certificate is acceptable, and T for a .cert
file."
  (apply function
         (if (or (second arguments) (raw-lisp-allowed-p))
             arguments
             (with-argument 1 t arguments))))

(defun install-provisional ()
  (wrap 'acl2::certify-book-fn #'certify-with-proofs)
  (wrap 'acl2::certificate-file-and-input-channel #'find-whole-certificate))
