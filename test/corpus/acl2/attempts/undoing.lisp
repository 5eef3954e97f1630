;;;; Attempts by undoing, replaying and what the harbor's own forms do with the world.
;;;; The format is that of theorems.lisp.

;;; what was undone is used => admitted undone failed
(defthm a (equal (car (cons x y)) x) :rule-classes nil)
(ubt! 'a)
(thm (equal (car (cons p q)) p) :hints (("Goal" :use (:instance a (x p) (y q)))))

;;; an undone skip comes back by oops twice => skipped undone skipped undone ! skip-proofs
(skip-proofs (defthm evil nil :rule-classes nil))
(ubt! 1)
(oops)
(oops)

;;; ubt-prehistory => error
(ubt-prehistory)

;;; prehistory is reset after an axiom => axiom admitted refuted undone ! axiom refuted
(defaxiom ax nil :rule-classes nil)
(reset-prehistory)
(thm nil :hints (("Goal" :use ax)))
(ubt-prehistory)

;;; undoing is disabled by a macro => failed
(set-ld-keyword-aliases '((:ubt 1 (lambda (x) (list 'value x)))) state)
:ubt 1

;;; a redefinition is undone and its theorem is kept => admitted admitted value admitted value refuted ! redefinition redefinition-allowed refuted
(defun f (x) x)
(defthm a (equal (f x) x) :rule-classes nil)
(set-ld-redefinition-action '(:doit! . :erase) state)
(defun f (x) (list x))
(set-ld-redefinition-action nil state)
(thm (equal (list x) x) :hints (("Goal" :use a)))

;;; a redefinition by a query that is answered => admitted value failed ! redefinition-allowed
(defun f (x) x)
(set-ld-redefinition-action '(:query . :overwrite) state)
(defun f (x) (list x))
(set-ld-redefinition-action nil state)

;;; a theorem is redefined => admitted value failed ! redefinition-allowed
(defthm a (equal (car (cons x y)) x) :rule-classes nil)
(set-ld-redefinition-action '(:doit! . :overwrite) state)
(defthm a nil :rule-classes nil)
(set-ld-redefinition-action nil state)

;;; a redefinition inside of an LD that restores the setting => admitted admitted admitted refuted ! redefinition refuted
(defun f (x) x)
(defthm a (equal (f x) x) :rule-classes nil)
(ld '((defun f (x) (list x))) :ld-redefinition-action '(:doit! . :overwrite))
(thm (equal (list x) x) :hints (("Goal" :use a)))

;;; redefinition of a macro that a theorem was stated with => admitted admitted admitted failed ! redefinition
(defmacro m (x) `(equal ,x ,x))
(defthm a (m z) :rule-classes nil)
(ld '((defmacro m (x) `(not ,x))) :ld-redefinition-action '(:doit! . :overwrite))
(thm (m z) :hints (("Goal" :use a)))

;;; the harbor's undoing with a number that is none => error
(harbor-undo "1")

;;; the harbor's undoing of more than there is => error
(harbor-undo -100)

;;; the harbor's undoing as a part of another form => failed
(progn (harbor-undo 1))

;;; the harbor's replay of a theorem that is none => failed failed
(harbor-replay ((1 "(ACL2::DEFTHM EVIL ACL2::NIL :RULE-CLASSES ACL2::NIL)" "" "")))
(thm nil :hints (("Goal" :use evil)))

;;; the harbor's replay of a text that closes its form => admitted
(harbor-replay ((1 "(ACL2::DEFUN F (X) X)) (skip-proofs (defthm evil nil :rule-classes nil))" "" "")))

;;; the harbor's replay of what skips => skipped ! skip-proofs
(harbor-replay ((1 "(ACL2::SKIP-PROOFS (ACL2::DEFTHM EVIL ACL2::NIL :RULE-CLASSES ACL2::NIL))" "" "")))

;;; the harbor's check of syntax admits nothing => value failed
(harbor-check-syntax "(defthm evil nil :rule-classes nil)")
(thm nil :hints (("Goal" :use evil)))

;;; the harbor's check of syntax and what was undone => admitted undone value admitted failed
(defun f (x) x)
(ubt! 1)
(harbor-check-syntax "(defthm evil nil :rule-classes nil)")
(oops)
(thm nil :hints (("Goal" :use evil)))

;;; the harbor's observation proves nothing => failed
(harbor-observe (car-cons)
(defthm evil nil :rule-classes nil))
(thm nil :hints (("Goal" :use evil)))

;;; the harbor's proof builder proves nothing that is false => value
(harbor-verify nil
(:skip))

;;; the harbor's certification of what is not there => failed
(progn (harbor-certify "nowhere"))

;;; a function is called like a form of the harbor's => admitted value
(defun harbor-undo (x) x)
(harbor-undo 1)

;;; the package of the harbor's helper is made => error
(defpkg "LISP-HARBOR-ACL2" nil)

;;; puff of a skipped command => skipped skipped refuted ! refuted skip-proofs
(encapsulate () (skip-proofs (defthm evil nil :rule-classes nil)))
:puff 1
(thm nil :hints (("Goal" :use evil)))

;;; puff makes what was local global => admitted skipped failed ! skip-proofs
(encapsulate () (local (defun f (x) x)) (defun g (x) x))
:puff 1
(thm (equal (f x) (list x)))

;;; rebuild without proofs => skipped refuted ! refuted skip-proofs
;;> rebuilt.lisp
(defthm evil nil :rule-classes nil)
;;>
(rebuild "rebuilt.lisp" t)
(thm nil :hints (("Goal" :use evil)))

;;; ld of a file that skips => skipped refuted ! refuted skip-proofs
;;> skipping.lisp
(set-ld-skip-proofsp t state)
(defthm evil nil :rule-classes nil)
;;>
(ld "skipping.lisp")
(thm nil :hints (("Goal" :use evil)))

;;; ld of a file that raises the stack of settings => skipped refuted ! refuted skip-proofs
;;> nested.lisp
(ld '((set-ld-skip-proofsp 'include-book state) (defthm evil nil :rule-classes nil)))
;;>
(ld "nested.lisp")
(thm nil :hints (("Goal" :use evil)))

;;; the harbor's load of a file that skips => skipped skipped ! proofs-skipped-now skip-proofs
;;> skipping.lisp
(set-ld-skip-proofsp t state)
(defthm evil nil :rule-classes nil)
;;>
(harbor-load "$PROJECT/skipping.lisp")
(thm nil :hints (("Goal" :use evil)))

;;; the harbor's load of a file that changes while it is read => failed
;;> changing.lisp
(mv-let (channel state) (open-output-channel "changing.lisp" :character state)
  (pprogn (princ$ "(defthm evil nil)" channel state) (close-output-channel channel state) (value :changed)))
(thm nil)
;;>
(harbor-load "$PROJECT/changing.lisp")
