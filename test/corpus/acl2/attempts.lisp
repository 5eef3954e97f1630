;;;; Attempts to have a falsehood told as proved, or something skipped told as nothing: by settings, hints, hooks, tables,
;;;; undoing and other code without a trust tag. The format is that of theorems.lisp.

;;; proofs are skipped as in books, for a while => value skipped value proved ! proofs-skipped-now skip-proofs
(set-ld-skip-proofsp 'include-book state)
(defthm evil nil :rule-classes nil)
(set-ld-skip-proofsp nil state)
(thm nil :hints (("Goal" :use evil)))

;;; proofs are skipped as at the beginning of ACL2 => value skipped value ! proofs-skipped-now skip-proofs
(set-ld-skip-proofsp 'initialize-acl2 state)
(defthm evil nil :rule-classes nil)
(set-ld-skip-proofsp nil state)

;;; proofs are skipped as in books with local events => value skipped value ! proofs-skipped-now skip-proofs
(set-ld-skip-proofsp 'include-book-with-locals state)
(defthm evil nil :rule-classes nil)
(set-ld-skip-proofsp nil state)

;;; proofs are skipped and no more, in one form => skipped ! skip-proofs
(er-progn (set-ld-skip-proofsp t state)
          (defthm evil nil :rule-classes nil)
          (set-ld-skip-proofsp nil state))

;;; proofs are skipped by a binding of state => skipped ! skip-proofs
(state-global-let* ((ld-skip-proofsp 'include-book))
  (defthm evil nil :rule-classes nil))

;;; an LD skips as in books => skipped proved ! skip-proofs
(ld '((defthm evil nil :rule-classes nil)) :ld-skip-proofsp 'include-book)
(thm nil :hints (("Goal" :use evil)))

;;; an LD skips a local theorem inside an encapsulate => skipped ! skip-proofs
(ld '((encapsulate ()
        (local (defthm evil nil :rule-classes nil))
        (defthm evil2 nil :rule-classes nil)))
    :ld-skip-proofsp 'include-book)

;;; an encapsulate is admitted while proofs are skipped => value skipped value proved ! proofs-skipped-now skip-proofs
(set-ld-skip-proofsp 'include-book state)
(encapsulate () (defthm evil nil :rule-classes nil))
(set-ld-skip-proofsp nil state)
(thm nil :hints (("Goal" :use evil)))

;;; a function that does not end is admitted while proofs are skipped => value failed ! proofs-skipped-now
(set-ld-skip-proofsp t state)
(defun f (x) (not (f x)))
(set-ld-skip-proofsp nil state)
(thm nil :hints (("Goal" :use (:instance f (x 1)))))

;;; a computed hint sets that proofs are skipped => failed
(thm (equal x y) :hints ((er-progn (set-ld-skip-proofsp t state) (value '(:in-theory nil)))))

;;; a computed hint of a defthm sets it as in books => failed
(defthm evil nil
  :rule-classes nil
  :hints ((er-progn (set-ld-skip-proofsp 'include-book state) (value '(:in-theory nil)))))

;;; make-event sets it for its expansion => failed
(make-event (er-progn (set-ld-skip-proofsp t state) (value '(defthm evil nil :rule-classes nil))))

;;; make-event skips a lemma that its expansion uses => failed
(make-event (er-progn (ld '((defthm evil nil :rule-classes nil)) :ld-skip-proofsp 'include-book)
                      (value '(defthm evil2 nil :rule-classes nil :hints (("Goal" :use evil))))))

;;; a local make-event sets it inside an encapsulate => failed
(encapsulate ()
  (local (make-event (er-progn (set-ld-skip-proofsp 'include-book state)
                               (value '(defthm evil nil :rule-classes nil)))))
  (defthm evil2 nil :rule-classes nil :hints (("Goal" :use evil))))

;;; the mark of skipped proofs is set by hand => error
(assign skip-proofs-by-system t)

;;; the table of what is allowed is set by hand => failed
(table acl2-defaults-table :ttag :mine)

;;; the world is set by hand => error
(set-w 'retraction nil state)

;;; the world is extended by hand => error
(set-w 'extension (putprop 'evil 'theorem ''nil (w state)) state)

;;; a function of ACL2's that installs events => error
(install-event t '(defthm evil nil) 'defthm 'evil nil nil nil nil (w state) state)

;;; the list of untouchable names is emptied => error
(set-temp-touchable-vars t state)

;;; an untouchable function is freed => error
(remove-untouchable install-event t)

;;; the folder of the system's books is set => error
(assign system-books-dir "/")

;;; a global of certifying is set => error
(assign certify-book-info "evil")

;;; raw code is declared => error
(assign logic-fns-with-raw-code nil)

;;; a program with raw code is declared => error
(f-put-global 'program-fns-with-raw-code nil state)

;;; a function of raw Lisp is called by its package => error
(common-lisp::eval '(+ 1 2))

;;; a function of raw Lisp is called by its name => error
(funcall 'evens '(1 2 3))

;;; setf => error
(setf (symbol-function 'evens) nil)

;;; a clause processor without a trust tag => admitted failed
(defun cp (clause) (declare (ignore clause)) nil)
(thm nil :hints (("Goal" :clause-processor cp)))

;;; a trusted clause processor => failed
(define-trusted-clause-processor cp nil)

;;; a clause processor with a false theorem => admitted admitted failed
(defevaluator evl evl-list ((if x y z)))
(defun cp (clause) (declare (ignore clause)) nil)
(defthm cp-correct
  (implies (and (pseudo-term-listp clause) (alistp a) (evl (conjoin-clauses (cp clause)) a))
           (evl (disjoin clause) a))
  :rule-classes :clause-processor)

;;; a meta rule that is false => admitted admitted failed
(defevaluator evl evl-list ((if x y z)))
(defun mf (x) (declare (ignore x)) ''t)
(defthm evil (equal (evl x a) (evl (mf x) a)) :rule-classes ((:meta :trigger-fns (car))))

;;; an attachment that does not meet its constraint => admitted admitted failed
(encapsulate (((h *) => *))
  (local (defun h (x) x))
  (defthm hh (equal (h x) x) :rule-classes nil))
(defun bad (x) (declare (xargs :guard t)) (not x))
(defattach h bad)

;;; an attachment whose proof is skipped => admitted admitted skipped ! skip-proofs
(encapsulate (((h *) => *))
  (local (defun h (x) x))
  (defthm hh (equal (h x) x) :rule-classes nil))
(defun bad (x) (declare (xargs :guard t)) (not x))
(skip-proofs (defattach h bad))

;;; an attachment without checks => failed
(defattach (evens odds) :skip-checks t)

;;; an attachment to a function of the prover => failed
(defattach too-many-ifs-post-rewrite cons)

;;; a memoized function has another value => admitted admitted value undone admitted value
(defun f (x) (declare (xargs :guard t)) x)
(memoize 'f)
(f 1)
(ubt! 1)
(defun f (x) (declare (xargs :guard t)) (list x))
(f 1)

;;; a constant is another one after it was undone => admitted undone admitted failed
(defconst *c* 1)
(ubt! 1)
(defconst *c* 2)
(thm (equal *c* 1))

;;; a function is another one after it was undone => admitted value undone admitted failed
(defun f () 1)
(f)
(ubt! 1)
(defun f () 2)
(thm (equal (f) 1))

;;; a macro is another one after it was undone => admitted undone admitted failed
(defmacro m () 1)
(ubt! 1)
(defmacro m () 2)
(thm (equal (m) 1))

;;; a world that was undone comes back with what it skipped => skipped undone skipped proved ! skip-proofs
(skip-proofs (defthm evil nil :rule-classes nil))
(ubt! 1)
(oops)
(thm nil :hints (("Goal" :use evil)))

;;; mbe with sides that differ => failed
(defun g (x) (declare (xargs :guard t)) (mbe :logic (list x) :exec x))

;;; mbe whose guards nobody verified => admitted failed
(defun g (x) (declare (xargs :guard t :verify-guards nil)) (mbe :logic (list x) :exec x))
(thm (equal (g 1) 1))

;;; defexec with sides that differ => failed
(defexec g (x) (declare (xargs :guard t)) (mbe :logic (list x) :exec x))

;;; a function is called outside of its guard => value admitted failed
(set-guard-checking :none)
(defun f (x) (declare (xargs :guard (consp x))) (car x))
(thm (equal (f 3) 3))

;;; ec-call does not make a theorem => failed
(thm (equal (ec-call (car 3)) 3))

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

;;; an event is traced with values of its own => value failed
(trace$ (defthm-fn :entry (value :redundant) :exit (value nil)))
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

;;; a theorem outlives the definition that it is about => admitted admitted value admitted value proved ! redefinition redefinition-allowed
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
