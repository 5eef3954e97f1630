;;;; Attempts to have a falsehood told as proved by a proof that is none: hints, instructions, limits, tracing, definitions.
;;;; None has a trust tag. The format is that of theorems.lisp.

;;; hints that forbid everything => failed
(thm nil :hints (("Goal" :do-not '(preprocess simplify eliminate-destructors fertilize generalize
                                   eliminate-irrelevance)
                  :do-not-induct t)))

;;; a hint gives the goal away => failed
(thm nil :hints (("Goal" :do-not-induct :bye)))

;;; a hint by a name that is not there => failed
(defthm evil nil :rule-classes nil :hints (("Goal" :by foo)))

;;; a hint by nothing => failed
(defthm evil nil :rule-classes nil :hints (("Goal" :by nil)))

;;; instructions that do nothing => failed
(defthm evil nil :rule-classes nil :instructions ((:comment)))

;;; instructions that simplify => failed
(thm (equal x y) :hints (("Goal" :instructions (:s))))

;;; instructions that claim => failed
(defthm evil nil :rule-classes nil :instructions ((:claim nil :do-not-flatten)))

;;; instructions that drop => failed
(defthm evil (implies (consp x) nil) :rule-classes nil :instructions (:promote (:drop 1)))

;;; instructions that give it away => failed
(defthm evil nil :rule-classes nil :instructions ((:bash ("Goal" :by nil))))

;;; a default hint that gives it away => admitted failed
(set-default-hints '(("Goal" :by nil)))
(thm nil)

;;; an override hint that gives it away => admitted failed
(add-override-hints '((list* :by nil keyword-alist)))
(thm nil)

;;; a step limit ends the proof => admitted failed
(set-prover-step-limit 1)
(thm (equal (append (append x y) z) (append x (append y z))))

;;; a rewrite limit ends the proof => admitted failed
(set-rewrite-stack-limit 1)
(thm (equal (append (append x y) z) (append x (append y z))))

;;; time ends the proof => error
(with-prover-time-limit 0 (thm nil))

;;; a theory of nothing => admitted failed
(in-theory nil)
(thm nil)

;;; all output is inhibited => value failed
(set-inhibit-output-lst *valid-output-names*)
(thm nil)

;;; all errors are inhibited => error
(set-inhibit-er "Failure")
(thm nil)

;;; the prover is traced => value failed
(trace$ (thm-fn :cond t :entry nil :exit nil))
(thm nil)
(untrace$)

;;; an event is traced with values of its own => error failed
(trace$ (defthm-fn :entry (value :redundant) :exit (value nil)))
;;>
(defthm evil nil :rule-classes nil)
(untrace$)

;;; a trace that evaluates raw Lisp => failed
(trace! (prove :entry (value nil)))

;;; functional instantiation without its constraint => admitted admitted failed
(encapsulate (((h *) => *))
  (local (defun h (x) (declare (ignore x)) t))
  (defthm h-true (h x)))
(defthm h-lemma (h (car x)) :rule-classes nil)
(defthm evil (consp (car x))
  :rule-classes nil
  :hints (("Goal" :by (:functional-instance h-lemma (h consp)))))

;;; a local lemma is used outside => no-effect failed
(encapsulate () (local (defthm lemma (equal x x) :rule-classes nil)))
(thm (equal x x) :hints (("Goal" :use lemma)))

;;; a witness that does not meet its constraint => failed
(encapsulate (((h *) => *))
  (local (defun h (x) x))
  (defthm evil (not (h x))))

;;; defchoose of what is not there => admitted failed
(defchoose c (x) (y) (and (equal x y) (not (equal x y))))
(thm (equal (c y) y))

;;; defun-sk of what is not there => admitted failed
(defun-sk ex (y) (exists x (not (equal x x))))
(thm (ex y))

;;; a congruence that is none => failed
(defequiv evil)

;;; a measure on another order => failed
(defun f (x) (declare (xargs :measure (car x) :well-founded-relation <)) (if (consp x) (f x) x))

;;; a relation that a theorem calls well-founded => failed
(defthm evil (and (implies (acl2-numberp x) (o-p x))) :rule-classes :well-founded-relation)

;;; termination by a ruler that is no ruler => failed
(defun f (x) (if (consp x) (f (cons 1 x)) x))

;;; termination is left out by a mode => failed
(defun f (x) (declare (xargs :mode :program)) (not (f x)))
(thm (not (equal (f x) (f x))))

;;; a partial function by defpun is not there => error
(defpun f (x) (not (f x)))

;;; verify-termination of what calls itself with the same => admitted failed ! program-mode
(defun f (x) (declare (xargs :mode :program)) (if (equal x x) (f x) x))
(verify-termination f)

;;; a book of nobody's => failed
(include-book "/nonexistent/evil")

;;; a redefinition of the prover => value failed ! redefinition-allowed
(set-ld-redefinition-action '(:doit! . :overwrite) state)
(defun prove (x) x)
(set-ld-redefinition-action nil state)

;;; a redefinition of a built-in function => value failed ! redefinition-allowed
(set-ld-redefinition-action '(:doit! . :overwrite) state)
(defun len (x) (declare (ignore x)) 3)
(set-ld-redefinition-action nil state)

;;; a redefinition by a macro of ACL2's => failed
(redef+)

;;; a theorem outlives the definition that it is about => admitted admitted value admitted value refuted ! redefinition redefinition-allowed refuted
(defun f (x) x)
(defthm f-is-id (equal (f x) x))
(set-ld-redefinition-action '(:doit! . :overwrite) state)
(defun f (x) (list x))
(set-ld-redefinition-action nil state)
(thm (equal (list x) x) :hints (("Goal" :use f-is-id :in-theory (disable f-is-id))))

;;; stobjs do not escape their types => admitted error
(defstobj st (a :type (integer 0 1) :initially 0))
(update-a 3 st)

;;; a stobj is another one after it was undone => admitted value undone admitted value
(defstobj st (a :type integer :initially 0))
(update-a 3 st)
(ubt! 1)
(defstobj st (a :type (integer 0 1) :initially 0))
(a st)

;;; state is no value => failed
(defun f (state) (declare (xargs :stobjs state :mode :program)) (list state))

;;; a symbol of a package that was undone => admitted admitted undone error
(defpkg "MINE" nil)
(defconst *s* 'mine::a)
(ubt! 1)
(defpkg "MINE" '(car))

;;; a package that imports two symbols of one name => failed
(defpkg "MINE" '(acl2::car keyword::car))

;;; a macro that looks at the state of the reader => admitted failed
(defmacro m () (if (equal (symbol-package-name 'x) "ACL2") nil t))
(thm (equal (m) t))

;;; a theorem about a package that is not there yet => failed
(thm (equal (symbol-package-name (intern$ "A" "NOT-THERE")) "NOT-THERE"))

;;; a character beyond the last is the first one, as ACL2 has it => proved
(thm (equal (code-char 256) (code-char 0)))

;;; an error triple that says it went well => value
(mv nil '(defthm evil nil) state)

;;; a printed summary of a proof is none => value
(prog2$ (cw "~%Summary~%Form:  ( THM ...)~%Rules: NIL~%Time:  0.00 seconds~%~%Proof succeeded.~%") (value :invisible))

;;; a keyword of LD's is changed => failed
(set-ld-keyword-aliases '((:thm 1 (lambda (x) '(value :redundant)))) state)
:thm nil

;;; a filter is set and the theorem passed over => value failed
(set-ld-pre-eval-filter 'nothing state)
(thm nil)

;;; LD's errors are made no errors => value value failed
(set-ld-error-action :continue state)
(set-ld-error-triples nil state)
(thm nil)

;;; a proof in a wormhole is none => value
(wormhole 'w '(lambda (whs) whs) nil '(thm nil) :ld-prompt nil :ld-verbose nil)

;;; a value is printed as a verdict => value
(value '|proved|)
