;;;; Attempts to have a final check of the book main say what is false, or of something else: sources that are not what they
;;;; seem. A line ";;> file" begins a file. Expected is "holds" with the formula of the theorem CLAIM, or "refused" with a part of why.

;;; a falsehood => refused See :DOC failure
;;> main.lisp
(in-package "ACL2")
(defthm claim (equal x y) :rule-classes nil)

;;; the truth => holds (EQUAL (CAR (CONS X Y)) X)
;;> main.lisp
(in-package "ACL2")
(defthm claim (equal (car (cons x y)) x) :rule-classes nil)

;;; a proof that is skipped by a macro => refused This skips proofs\.
;;> main.lisp
(in-package "ACL2")
(defmacro sure (form) `(skip-proofs ,form))
(sure (defthm claim (equal x y) :rule-classes nil))

;;; a proof that is skipped locally => refused This skips proofs\.
;;> main.lisp
(in-package "ACL2")
(local (skip-proofs (defthm lemma (equal x y) :rule-classes nil)))
(defthm claim (equal x y) :rule-classes nil :hints (("Goal" :use lemma)))

;;; a proof that is skipped by make-event and taken back => refused This skips proofs\.
;;> main.lisp
(in-package "ACL2")
(make-event (er-progn (skip-proofs (defthm lemma nil :rule-classes nil)) (value '(value-triple 1))))
(defthm claim nil :rule-classes nil)

;;; an axiom below the book => refused contains one or more DEFAXIOM events
;;> main.acl2
(defaxiom ax nil :rule-classes nil)
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil :hints (("Goal" :use ax)))

;;; an axiom below the book, behind prehistory => refused contains one or more DEFAXIOM events
;;> main.acl2
(defaxiom ax nil :rule-classes nil)
(reset-prehistory t)
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil :hints (("Goal" :use ax)))

;;; a redefinition below the book => refused LD-REDEFINITION-ACTION was not nil
;;> main.acl2
(defun f (x) x)
(defthm f-is (equal (f x) x) :rule-classes nil)
(ld '((defun f (x) (list x))) :ld-redefinition-action '(:doit! . :overwrite))
;;> main.lisp
(in-package "ACL2")
(defthm claim (equal (list x) x) :rule-classes nil :hints (("Goal" :use f-is)))

;;; a redefinition in a book => refused not an embedded event form
;;> main.lisp
(in-package "ACL2")
(set-ld-redefinition-action '(:doit! . :overwrite) state)
(defthm claim nil :rule-classes nil)

;;; a book in the midst with a false theorem => refused low does not hold
;;> low.lisp
(in-package "ACL2")
(defthm low nil :rule-classes nil)
;;> main.lisp
(in-package "ACL2")
(include-book "low")
(defthm claim nil :rule-classes nil :hints (("Goal" :use low)))

;;; a book that only a macro includes => refused low.lisp" does not exist
;;> low.lisp
(in-package "ACL2")
(defthm low nil :rule-classes nil)
;;> main.lisp
(in-package "ACL2")
(defmacro use (book) `(include-book ,(concatenate 'string book "w")))
(use "lo")
(defthm claim nil :rule-classes nil :hints (("Goal" :use low)))

;;; a book of which a certificate lies there already => refused low does not hold
;;> low.lisp
(in-package "ACL2")
(defthm low nil :rule-classes nil)
;;> low.cert
(in-package "ACL2")
"ACL2 Version 8.5"
:BEGIN-PORTCULLIS-CMDS
:END-PORTCULLIS-CMDS
nil
;;> main.lisp
(in-package "ACL2")
(include-book "low")
(defthm claim nil :rule-classes nil :hints (("Goal" :use low)))

;;; a book by its full name outside => refused low.lisp" does not exist
;;> main.lisp
(in-package "ACL2")
(include-book "/tmp/nowhere/low")
(defthm claim nil :rule-classes nil)

;;; a file that is loaded and skips => refused This skips proofs\.
;;> prelude.lsp
(set-ld-skip-proofsp t state)
(defthm lemma nil :rule-classes nil)
;;> main.acl2
(ld "prelude.lsp")
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil :hints (("Goal" :use lemma)))

;;; a book that depends on chance => holds (EQUAL (F) 0)
;;> main.lisp
(in-package "ACL2")
(make-event (mv-let (n state) (random$ 1 state) (value `(defun f () ,n))))
(defthm claim (equal (f) 0) :rule-classes nil)

;;; a book that depends on what lies beside it => refused See :DOC failure
;;> secret.txt
t
;;> main.lisp
(in-package "ACL2")
(make-event (mv-let (channel state) (open-input-channel "secret.txt" :object state)
              (if channel
                  (pprogn (close-input-channel channel state) (value '(defun f () 1)))
                (value '(defun f () 2)))))
(defthm claim (equal (f) 1) :rule-classes nil)

;;; a book that depends on where it is => holds (STRINGP (WHERE))
;;> main.lisp
(in-package "ACL2")
(make-event `(defun where () ,(cbd)))
(defthm claim (stringp (where)) :rule-classes nil)

;;; a claim that is local => refused claim is not defined
;;> main.lisp
(in-package "ACL2")
(local (defthm claim (equal (car (cons x y)) x) :rule-classes nil))
(defun other (x) x)

;;; a claim that is a function => refused claim is not a theorem
;;> main.lisp
(in-package "ACL2")
(defun claim (x) x)

;;; a claim of another package => refused claim is not defined
;;> main.acl2
(defpkg "OTHER" '(defthm equal car cons x y))
;;> main.lisp
(in-package "ACL2")
(defthm other::claim (equal (car (cons x y)) x) :rule-classes nil)

;;; a claim about a function that is shown as another => holds (SAME 1 2)
;;> main.lisp
(in-package "ACL2")
(defun same (x y) (declare (ignore x y)) t)
(table untrans-table 'same '(equal . t))
(defthm claim (same 1 2) :rule-classes nil)

;;; a claim about a function with a name that looks the same => holds (|EQUAL | 1 2)
;;> main.lisp
(in-package "ACL2")
(defun |EQUAL | (x y) (declare (ignore x y)) t)
(defthm claim (|EQUAL | 1 2) :rule-classes nil)

;;; a claim about a function that is known by its constraint only => holds (EQUAL (H 2) 1)
;;> main.lisp
(in-package "ACL2")
(encapsulate (((h *) => *)) (local (defun h (x) (declare (ignore x)) 1)) (defthm h-1 (equal (h x) 1)))
(defthm claim (equal (h 2) 1) :rule-classes nil)

;;; proofs are skipped below by a macro => refused This skips proofs\.
;;> main.acl2
(defmacro quick () '(set-ld-skip-proofsp 'include-book state))
(quick)
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil)

;;; proofs are skipped by a variable of the state below => refused SKIP-PROOFS-BY-SYSTEM has been rendered untouchable
;;> main.acl2
(assign skip-proofs-by-system t)
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil)

;;; a provisional certificate is asked for below => refused See :DOC failure
;;> main.acl2
(setenv$ "ACL2_PCERT_ARG" "CREATE")
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil)

;;; expansions are written below, in place of proofs => refused This skips proofs\.
;;> main.acl2
(set-write-acl2x '(t) state)
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil)

;;; the file below leaves ACL2's loop => refused See :DOC failure
;;> main.acl2
:q
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil)

;;; the file below ends the process => refused exited with code 0
;;> main.acl2
(good-bye)
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil)

;;; the file below certifies the book itself => refused This skips proofs\.
;;> main.acl2
(certify-book "main" ? nil :skip-proofs-okp t)
;;> main.lisp
(in-package "ACL2")
(skip-proofs (defthm claim nil :rule-classes nil))

;;; the file below opens the lock of trust tags => refused A term that calls .*, which is untouchable
;;> main.acl2
(xtrans-eval '(put-global 'ttags-allowed ':all state) nil nil t 'top state t)
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil)

;;; the file below puts a table into a world of its own => refused has been placed on untouchable-fns
;;> main.acl2
(table-fn1 'foo 1 2 :put nil 'top (list* '(evil theorem quote nil) (w state)) (ens state) state '(table foo 1 2))
(reset-prehistory t)
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil :hints (("Goal" :use evil)))

;;; the file below evaluates raw Lisp => refused is an illegal call
;;> main.acl2
(acl2-raw-eval '(setf (symbol-function 'evens) nil) state)
;;> main.lisp
(in-package "ACL2")
(defthm claim nil :rule-classes nil)

;;; a book evaluates raw Lisp in a macro => refused is an illegal call
;;> main.lisp
(in-package "ACL2")
(make-event (er-progn (acl2-raw-eval '(setf (symbol-function 'evens) nil) state) (value '(value-triple 1))))
(defthm claim nil :rule-classes nil)

;;; a theorem is proved below and the book forgets it => holds (EQUAL (CAR (CONS P Q)) P)
;;> main.acl2
(encapsulate () (local (defun g (x) x)) (defthm lemma (equal (car (cons x y)) x) :rule-classes nil))
;;> main.lisp
(in-package "ACL2")
(defthm claim (equal (car (cons p q)) p) :rule-classes nil :hints (("Goal" :use (:instance lemma (x p) (y q)))))
