;;;; Attempts to have what was skipped, redefined or undone told as proved: by settings, state, the world, attachments.
;;;; None has a trust tag. The format is that of theorems.lisp.

;;; proofs are skipped as in books, for a while => value skipped value refuted ! proofs-skipped-now refuted skip-proofs
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

;;; an LD skips as in books => skipped refuted ! refuted skip-proofs
(ld '((defthm evil nil :rule-classes nil)) :ld-skip-proofsp 'include-book)
(thm nil :hints (("Goal" :use evil)))

;;; an LD skips a local theorem inside an encapsulate => skipped ! skip-proofs
(ld '((encapsulate ()
        (local (defthm evil nil :rule-classes nil))
        (defthm evil2 nil :rule-classes nil)))
    :ld-skip-proofsp 'include-book)

;;; an encapsulate is admitted while proofs are skipped => value skipped value refuted ! proofs-skipped-now refuted skip-proofs
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

;;; a world that was undone comes back with what it skipped => skipped undone skipped refuted ! refuted skip-proofs
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
