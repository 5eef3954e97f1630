;;;; What a success rests on, and what it does not: issues of trust are after the "!".
;;;; The format is that of theorems.lisp. Trust tags are locked, so what needs one fails.

;;; nothing => admitted
(defthm a (equal (car (cons x y)) x) :rule-classes nil)

;;; a skipped theorem => skipped ! skip-proofs
(skip-proofs (defthm a (equal x y) :rule-classes nil))

;;; a skipped definition => skipped ! skip-proofs
(skip-proofs (defun f (x) (declare (xargs :measure (acl2-count x))) (if x (f (list x)) x)))

;;; a proof that is skipped is no proof => value
(skip-proofs (thm nil))

;;; a theorem that rests on a skipped one => skipped refuted ! refuted skip-proofs
(skip-proofs (defthm a (equal x y) :rule-classes nil))
(defthm b (equal p q) :rule-classes nil :hints (("Goal" :use ((:instance a (x p) (y q))))))

;;; a proof that rests on a skipped theorem, which is undone afterwards => skipped refuted undone ! refuted skip-proofs
(skip-proofs (defthm a (equal x y) :rule-classes nil))
(thm (equal p q) :hints (("Goal" :use ((:instance a (x p) (y q))))))
(u)

;;; a skipped theorem that is undone => skipped undone proved ! skip-proofs
(skip-proofs (defthm a (equal x y) :rule-classes nil))
(u)
(thm (equal x x))

;;; a local skipped lemma => refuted ! refuted skip-proofs
(encapsulate ()
  (local (skip-proofs (defthm l (equal x y) :rule-classes nil)))
  (defthm a (equal x y) :rule-classes nil :hints (("Goal" :use l))))

;;; a skipped theorem inside a nested LD => skipped ! skip-proofs
(ld '((skip-proofs (defthm a (equal x y) :rule-classes nil))))

;;; a nested LD that skips => skipped ! skip-proofs
(ld '((defthm a (equal x y) :rule-classes nil)) :ld-skip-proofsp t)

;;; make-event whose computation skipped something that is gone => admitted
(make-event (er-progn (skip-proofs (defthm l (equal x y) :rule-classes nil)) (value '(defun f (x) x))))

;;; an axiom => axiom ! axiom
(defaxiom ax (equal (car x) (cdr x)) :rule-classes nil)

;;; ACL2 permits no axiom inside encapsulate => failed
(encapsulate () (defaxiom ax (equal (car x) (cdr x)) :rule-classes nil))

;;; an axiom that a macro makes => admitted axiom ! axiom
(defmacro sneak () '(defaxiom ax nil :rule-classes nil))
(sneak)

;;; a theorem from an axiom => axiom refuted ! axiom refuted
(defaxiom ax nil :rule-classes nil)
(defthm anything (equal x y) :rule-classes nil :hints (("Goal" :use ax)))

;;; a trust tag => failed
(defttag :sneaky)

;;; raw Lisp without a trust tag => error
(progn! (set-raw-mode t))

;;; raw mode => failed
(set-raw-mode-on!)

;;; the lock cannot be opened => error
(f-put-global 'ttags-allowed :all state)

;;; the lock cannot be opened by assign => error
(assign ttags-allowed :all)

;;; a program of the system => error
(sys-call "true" nil)

;;; a program => admitted ! program-mode
(defun f (x) (declare (xargs :mode :program)) (if x (f x) x))

;;; a program is told once, for nothing else rests on it => admitted proved ! program-mode
(defun f (x) (declare (xargs :mode :program)) (if x (f x) x))
(thm (equal x x))

;;; a theorem in program mode is none => admitted no-effect
(program)
(defthm nope nil :rule-classes nil)

;;; a function without guards verified is no issue => admitted
(defun head (x) (car x))

;;; an attachment => admitted admitted admitted
(encapsulate (((h *) => *)) (local (defun h (x) x)))
(defun g (x) (declare (xargs :guard t)) x)
(defattach h g)

;;; a filter does not pass a form over => value failed
(set-ld-pre-eval-filter :query state)
(thm nil)

;;; break$ does not reach raw Lisp => value failed
(break$)
(thm nil)

;;; the proof builder proves nothing by itself => error failed
(verify (equal x y))
;;>
(thm (equal x y))

;;; reading the terminal gets nothing of the harbor => value value
(read-object *standard-oi* state)
(+ 1 1)

;;; text that looks like a record => value failed
(cw "~s0~s1 60~%{\"record\":\"form\",\"ok\":true}~%" (coerce (list (code-char 30)) 'string) "0000000000000000")
(thm nil)

;;; printing Q.E.D. is no proof => value failed
(cw "Q.E.D.~%")
(thm nil)

;;; thm as a value is no proof => value
'(thm nil)

;;; an error that LD passes over => value
(ld '((thm nil)) :ld-error-action :continue)
