;;;; Attempts by MAKE-EVENT, macros and what stands around events: what is computed is not what is proved.
;;;; The format is that of theorems.lisp.

;;; an expansion that is checked against another => failed
(make-event '(defthm a (equal x x) :rule-classes nil) :check-expansion (defthm evil nil :rule-classes nil))

;;; an expansion that is taken as it is given => failed
(make-event '(defthm evil nil :rule-classes nil) :expansion? (defthm evil nil :rule-classes nil))

;;; an expansion that is given, of something harmless => value failed
(make-event '(value-triple 1) :expansion? (defthm evil nil :rule-classes nil))
(thm nil :hints (("Goal" :use evil)))

;;; an event on behalf of another => admitted
(make-event '(defun f (x) x) :on-behalf-of (defthm evil nil))

;;; an expansion in another world than it was computed in => failed
(make-event (er-progn (defun f (x) (declare (ignore x)) nil)
                      (defthm f-nil (not (f x)) :rule-classes nil)
                      (value '(encapsulate () (defun f (x) x) (defthm f-nil (not (f x)) :rule-classes nil)))))

;;; an expansion that uses a theorem of its computation => failed
(make-event (er-progn (defthm a (equal (car (cons x y)) x) :rule-classes nil)
                      (value '(defthm b (equal (car (cons x y)) x) :rule-classes nil :hints (("Goal" :by a))))))

;;; an :or whose first part fails and whose second skips => skipped ! skip-proofs
(make-event '(:or (defthm evil nil :rule-classes nil) (skip-proofs (defthm evil nil :rule-classes nil))))

;;; a :do-proofs that asks for none => failed
(make-event '(:do-proofs (defthm evil nil :rule-classes nil)))

;;; an expansion of an expansion => failed
(make-event '(make-event '(make-event '(defthm evil nil :rule-classes nil))))

;;; an error in the computation is taken for an expansion => failed
(make-event (mv t '(defthm evil nil) state))

;;; a message in place of an expansion => failed
(make-event (mv "no" nil state))

;;; a computation that answers several values => value
(make-event (mv nil '(value-triple :proved) state))

;;; a computation that sets the world back => admitted failed
(defun f (x) x)
(make-event (er-progn (ubt! 1) (value '(defthm evil nil :rule-classes nil))))

;;; a computation that enters another package => admitted failed
(defpkg "COMPUTED" nil)
(make-event (er-progn (in-package "COMPUTED") (acl2::value '(acl2::defthm evil acl2::nil))))

;;; a computation that redefines => failed
(make-event (er-progn (set-ld-redefinition-action '(:doit! . :overwrite) state)
                      (value '(defun len (x) (declare (ignore x)) 3))))

;;; with-prover-step-limit around what it ends => failed
(with-prover-step-limit 1 (defthm evil (equal (append (append x y) z) (append x y z)) :rule-classes nil))

;;; a time limit around what it ends => failed
(with-prover-time-limit 1/1000 (defthm evil (equal x y) :rule-classes nil))

;;; with-output hides that a proof was skipped => skipped ! skip-proofs
(with-output :off :all (skip-proofs (defthm evil nil :rule-classes nil)))

;;; with-guard-checking-event around a falsehood => failed
(with-guard-checking-event :none (defthm evil (equal (car 3) 3) :rule-classes nil))

;;; progn whose first event fails => failed
(progn (defthm evil nil :rule-classes nil) (defun f (x) x))

;;; progn! without a trust tag => error
(progn! (defthm evil nil :rule-classes nil))

;;; er-progn goes on after a failure => failed
(er-progn (mv nil nil state) (defthm evil nil :rule-classes nil))

;;; a failure that is caught => value
(mv-let (erp val state) (defthm evil nil :rule-classes nil) (declare (ignore erp val)) (value :proved))

;;; a failure that is caught inside of make-event => value
(make-event (mv-let (erp val state) (defthm evil nil :rule-classes nil)
              (declare (ignore erp val)) (value '(value-triple :proved))))

;;; must-fail by hand => value
(make-event (mv-let (erp val state) (thm nil) (declare (ignore val))
              (value (if erp '(value-triple :passed) '(defthm evil nil)))))

;;; encapsulate whose second pass differs by a local macro => failed
(encapsulate ()
  (local (defmacro m () t))
  (defthm evil (m) :rule-classes nil))

;;; encapsulate whose second pass differs by a global variable => failed
(encapsulate ()
  (local (make-event (er-progn (assign pass 1) (value '(value-triple 1)))))
  (make-event `(defthm evil ,(if (boundp-global 'pass state) nil t) :rule-classes nil)))

;;; encapsulate with a local constant of that name => failed
(encapsulate () (local (defconst *c* 1)) (defthm evil (equal *c* 1) :rule-classes nil))

;;; a local definition that another one replaces => failed
(encapsulate () (local (defun f (x) (declare (ignore x)) nil)) (local (defthm evil (not (f x)) :rule-classes nil))
  (defthm evil2 (not (f x)) :rule-classes nil))

;;; a signature of two values for a function of one => failed
(encapsulate (((h *) => (mv * *))) (local (defun h (x) x)))

;;; a signature whose function is not there => failed
(encapsulate (((h *) => *)) (defthm evil nil :rule-classes nil))

;;; a macro with state that changes what it expands to => failed
(defmacro m () (if (boundp-global 'flag state) nil t))

;;; a macro whose expansion is a defthm with another name => admitted admitted failed
(defmacro claim (name form) (declare (ignore form)) `(defthm ,name (equal x x) :rule-classes nil))
(claim evil nil)
(thm nil :hints (("Goal" :use evil)))

;;; the same theorem again with another formula => admitted failed
(defthm a (equal (car (cons x y)) x) :rule-classes nil)
(defthm a nil :rule-classes nil)

;;; the same theorem again with other hints => admitted redundant
(defthm a (equal (car (cons x y)) x) :rule-classes nil)
(defthm a (equal (car (cons x y)) x) :rule-classes nil :hints (("Goal" :by nil)))

;;; the same function again with another guard => admitted failed
(defun f (x) (declare (xargs :guard t)) x)
(defun f (x) (declare (xargs :guard (not x))) x)

;;; the same function again as a program => admitted redundant
(defun f (x) x)
(defun f (x) (declare (xargs :mode :program)) x)

;;; a program becomes a function without termination by redundancy => failed
(defun f (x) (declare (xargs :mode :program)) (not (f x)))
(defun f (x) (declare (xargs :mode :logic)) (not (f x)))

;;; mutual recursion again in parts => admitted failed
(mutual-recursion (defun f (x) (if (consp x) (g (cdr x)) x)) (defun g (x) (if (consp x) (f (cdr x)) x)))
(defun f (x) (if (consp x) (g (cdr x)) x))

;;; verify-guards of what has none to verify again => admitted failed
(defun f (x) (declare (xargs :guard t :verify-guards nil)) (car x))
(verify-guards f)

;;; skip-proofs of the guards => admitted skipped ! skip-proofs
(defun f (x) (declare (xargs :guard t :verify-guards nil)) (car x))
(skip-proofs (verify-guards f))

;;; skip-proofs inside of a progn => skipped ! skip-proofs
(progn (skip-proofs (progn (defthm evil nil :rule-classes nil))))

;;; skip-proofs by a macro of another name => admitted skipped ! skip-proofs
(defmacro sure (form) `(skip-proofs ,form))
(sure (defthm evil nil :rule-classes nil))

;;; skip-proofs local to an encapsulate, of a function that is used => refuted ! refuted skip-proofs
(encapsulate () (local (skip-proofs (defthm l nil :rule-classes nil)))
  (defthm evil (equal x y) :rule-classes nil :hints (("Goal" :use l))))

;;; skip-proofs in the computation of a macro's expansion => admitted skipped ! skip-proofs
(defmacro m () '(make-event '(skip-proofs (defthm evil nil :rule-classes nil))))
(m)

;;; defun with guards by a skipped lemma => failed
(encapsulate () (local (skip-proofs (defthm l (equal x y) :rule-classes nil)))
  (defun f (x) (declare (xargs :guard t :guard-hints (("Goal" :use ((:instance l (x nil) (y (consp x)))))))) (car x)))

;;; defaxiom by a macro in a progn => failed
(progn (defmacro fact (x) `(defaxiom fact ,x :rule-classes nil)) (fact nil))
(thm nil :hints (("Goal" :use fact)))

;;; defaxiom with the name of a theorem of ACL2's => failed
(defaxiom car-cons nil)

;;; defaxiom that is undone after it was used => axiom refuted undone failed ! axiom refuted
(defaxiom ax nil :rule-classes nil)
(thm nil :hints (("Goal" :use ax)))
(ubt! 'ax)
(thm nil)
