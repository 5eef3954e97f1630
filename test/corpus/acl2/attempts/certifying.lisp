;;;; Attempts by certifying: what is false, skipped, assumed or told twice becomes a book.
;;;; A line ";;> file" begins a file of the project, one with nothing but ";;>" forms again. The format is that of theorems.lisp.

;;; certifying what is false => failed
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(certify-book "evil" ? nil)

;;; certifying over a book that is not certified => failed
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;> over.lisp
(in-package "ACL2")
(include-book "evil")
(defthm over nil :rule-classes nil :hints (("Goal" :use evil)))
;;>
(certify-book "over" ? nil)

;;; certifying over a book that is not certified, with all that may be permitted => failed
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;> over.lisp
(in-package "ACL2")
(include-book "evil" :uncertified-okp t)
(defthm over nil :rule-classes nil :hints (("Goal" :use evil)))
;;>
(certify-book "over" ? nil :skip-proofs-okp t :defaxioms-okp t :ttags :all)

;;; certifying with proofs that are skipped in the book => failed
;;> evil.lisp
(in-package "ACL2")
(skip-proofs (defthm evil nil :rule-classes nil))
;;>
(certify-book "evil" ? nil)

;;; certifying with proofs that are skipped and permitted => skipped undone admitted refuted ! book-with-skipped-proofs outside-book refuted skip-proofs
;;> evil.lisp
(in-package "ACL2")
(skip-proofs (defthm evil nil :rule-classes nil))
;;>
(certify-book "evil" ? nil :skip-proofs-okp t)
(ubt! 1)
(include-book "evil")
(thm nil :hints (("Goal" :use evil)))

;;; certifying with a local skipped lemma that is permitted => admitted undone admitted ! book-with-skipped-proofs outside-book skip-proofs uncertified-book
;;> evil.lisp
(in-package "ACL2")
(local (skip-proofs (defthm lemma nil :rule-classes nil)))
(defthm evil nil :rule-classes nil :hints (("Goal" :use lemma)))
;;>
(certify-book "evil" ? nil :skip-proofs-okp t)
(ubt! 1)
(include-book "evil")

;;; a book over one with skipped proofs => skipped undone admitted undone admitted ! book-with-skipped-proofs outside-book skip-proofs uncertified-book
;;> evil.lisp
(in-package "ACL2")
(skip-proofs (defthm evil nil :rule-classes nil))
;;> over.lisp
(in-package "ACL2")
(local (include-book "evil"))
(defthm over nil :rule-classes nil :hints (("Goal" :use evil)))
;;>
(certify-book "evil" ? nil :skip-proofs-okp t)
(ubt! 1)
(certify-book "over" ? nil :skip-proofs-okp t)
(ubt! 1)
(include-book "over")

;;; certifying with an axiom => failed
;;> evil.lisp
(in-package "ACL2")
(defaxiom evil nil :rule-classes nil)
;;>
(certify-book "evil" ? nil)

;;; certifying with a local axiom that is permitted => failed
;;> evil.lisp
(in-package "ACL2")
(local (defaxiom ax nil :rule-classes nil))
(defthm evil nil :rule-classes nil :hints (("Goal" :use ax)))
;;>
(certify-book "evil" ? nil :defaxioms-okp t)
(ubt! 1)
(include-book "evil")

;;; certifying in a world with an axiom => axiom failed ! axiom
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil :hints (("Goal" :use ax)))
;;>
(defaxiom ax nil :rule-classes nil)
(certify-book "evil" ? nil)

;;; certifying in a world with an axiom, behind prehistory => axiom admitted failed undone ! axiom
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil :hints (("Goal" :use ax)))
;;>
(defaxiom ax nil :rule-classes nil)
(reset-prehistory)
(certify-book "evil" ? nil)
;;>
(ubt-prehistory)

;;; certifying in a world with a skipped proof => skipped failed ! skip-proofs
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil :hints (("Goal" :use lemma)))
;;>
(skip-proofs (defthm lemma nil :rule-classes nil))
(certify-book "evil" ? nil)

;;; certifying in a world that was redefined => admitted admitted failed ! redefinition
;;> evil.lisp
(in-package "ACL2")
(defthm evil (equal (f x) (list x)) :rule-classes nil)
;;>
(defun f (x) x)
(ld '((defun f (x) (list x))) :ld-redefinition-action '(:doit! . :overwrite))
(certify-book "evil" ? nil)

;;; certifying inside of make-event => failed
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(make-event (er-progn (certify-book "evil" ? nil) (value '(include-book "evil"))))

;;; certifying with a portcullis that is another world's => admitted admitted undone admitted failed
;;> evil.lisp
(in-package "ACL2")
(defthm evil (not (f x)) :rule-classes nil)
;;>
(defun f (x) (declare (ignore x)) nil)
(certify-book "evil" ? nil)
(ubt! 1)
(defun f (x) (declare (ignore x)) t)
(include-book "evil")

;;; certifying with an expansion that depends on a variable => failed
;;> evil.lisp
(in-package "ACL2")
(make-event `(defthm evil ,(if (boundp-global 'holds state) t nil) :rule-classes nil))
;;>
(certify-book "evil" ? nil)

;;; a book that tells its events twice with another meaning => failed
;;> evil.lisp
(in-package "ACL2")
(local (defun f (x) (declare (ignore x)) nil))
(defun f (x) x)

;;>
(certify-book "evil" ? nil)

;;; a book in a package that is local to it => failed
;;> evil.lisp
(in-package "NOT-THERE")
(defthm evil nil :rule-classes nil)
;;>
(certify-book "evil" ? nil)

;;; a book with two packages => failed
;;> evil.lisp
(in-package "ACL2")
(in-package "KEYWORD")
(acl2::defthm evil acl2::nil)
;;>
(certify-book "evil" ? nil)
