;;;; Forms that would pass for an admission and are none, and those that are redundant. "no-effect" is no success.
;;;; The format is that of theorems.lisp.

;;; a value that says redundant => no-effect
(value :redundant)

;;; a triple that says redundant => no-effect
(mv nil :redundant state)

;;; a value-triple that says redundant => no-effect
(value-triple :redundant)

;;; a macro that becomes a value => admitted no-effect
(defmacro defthm! (&rest arguments)
  (declare (ignore arguments))
  '(value :redundant))
(defthm! evil nil)

;;; a macro that becomes a value-triple => admitted no-effect
(defmacro defthm! (&rest arguments)
  (declare (ignore arguments))
  '(value-triple :redundant))
(defthm! evil nil)

;;; what ACL2 itself says of redundant events => no-effect
(stop-redundant-event 'evil state)

;;; the same about a name of ACL2's => no-effect
(stop-redundant-event-fn 'car state nil)

;;; a macro that becomes that => admitted no-effect
(defmacro defthm! (name &rest arguments)
  (declare (ignore arguments))
  `(stop-redundant-event '(defthm ,name) state))
(defthm! append nil)

;;; make-event of a value-triple => no-effect
(make-event '(value-triple :redundant))

;;; make-event whose computation says redundant => no-effect
(make-event (er-progn (stop-redundant-event 'evil state)
                      (value '(value-triple :redundant))))

;;; progn of a value-triple => no-effect
(progn (value-triple :redundant))

;;; with-output around a value-triple => no-effect
(with-output :off :all (value-triple :redundant))

;;; er-progn of a value => no-effect
(er-progn (value 3) (value :redundant))

;;; local value-triple => no-effect
(local (value-triple :redundant))

;;; skip-proofs of a value-triple => value
(skip-proofs (value-triple :redundant))

;;; an empty encapsulate => no-effect
(encapsulate () (value-triple :redundant))

;;; encapsulate with local events only => no-effect
(encapsulate () (local (defthm a (equal x x) :rule-classes nil)))

;;; encapsulate with a local theorem that is none => failed
(encapsulate () (local (defthm a nil :rule-classes nil)))

;;; a nested LD of it => value
(ld '((value :redundant)))

;;; er-let* of it => no-effect
(er-let* ((said (value :redundant))) (value said))

;;; a state global holds it => no-effect no-effect
(assign said :redundant)
(value (@ said))

;;; a value of a table => admitted no-effect
(table said 'it :redundant)
(table said 'it)

;;; a macro with the name of an event in another package => admitted value admitted no-effect
(defpkg "OTHER" (set-difference-eq *acl2-exports* '(defthm)))
(in-package "OTHER")
(defmacro defthm (&rest arguments)
  (declare (ignore arguments))
  '(value :redundant))
(defthm evil nil)

;;; a function that answers it => admitted no-effect
(defun admit! (state)
  (declare (xargs :stobjs state))
  (mv nil :redundant state))
(admit! state)

;;; a make-event that reverts what it proved => no-effect
(make-event (er-progn (defthm a (equal x x) :rule-classes nil)
                      (value '(value-triple :redundant))))

;;; a computed hint says redundant of another theorem => failed
(defthm evil (equal x y)
  :rule-classes nil
  :hints ((er-progn (stop-redundant-event 'car state) (value nil))))

;;; a macro that becomes an event of another name => admitted admitted
(defmacro defthm! (&rest arguments)
  (declare (ignore arguments))
  '(defun junk (x) x))
(defthm! evil nil)

;;; a macro of the harbor's name hides nothing => admitted skipped ! skip-proofs
(defmacro harbor-evil () '(skip-proofs (defthm evil nil :rule-classes nil)))
(harbor-evil)

;;; many events hide no axiom => axiom ! axiom
(progn
  (defaxiom ax (equal (car x) x) :rule-classes nil)
  (make-event (cons 'progn (loop$ for i from 1 to 80 collect (list 'deflabel (packn (list 'l i)))))))

;;; many events hide no skipped proof => skipped ! skip-proofs
(encapsulate ()
  (skip-proofs (defthm evil (equal (car x) x) :rule-classes nil))
  (make-event (cons 'progn (loop$ for i from 1 to 80 collect (list 'deflabel (packn (list 'l i)))))))

;;; the same function again => admitted redundant
(defun f (x) x)
(defun f (x) x)

;;; the same function again, inside a progn => admitted redundant
(defun f (x) x)
(progn (defun f (x) x))

;;; the same function again, by make-event => admitted redundant
(defun f (x) x)
(make-event '(defun f (x) x))

;;; the same function again, by a macro => admitted admitted redundant
(defmacro deff () '(with-output :off :all (defun f (x) x)))
(deff)
(deff)

;;; the same function again, local => admitted redundant
(defun f (x) x)
(local (defun f (x) x))

;;; the same encapsulate again => admitted redundant
(encapsulate (((h *) => *))
  (local (defun h (x) x))
  (defthm hh (equal (h x) (h x)) :rule-classes nil))
(encapsulate (((h *) => *))
  (local (defun h (x) x))
  (defthm hh (equal (h x) (h x)) :rule-classes nil))

;;; the same of many kinds again => admitted redundant admitted redundant admitted redundant admitted redundant
(defconst *c* 1)
(defconst *c* 1)
(defmacro m (x) x)
(defmacro m (x) x)
(defstobj st a)
(defstobj st a)
(defstub s (x) t)
(defstub s (x) t)

;;; the same of more kinds again => admitted redundant admitted redundant admitted redundant admitted redundant
(defchoose c (x) (y) (equal x y))
(defchoose c (x) (y) (equal x y))
(defun-sk has-equal (x) (exists y (equal x y)))
(defun-sk has-equal (x) (exists y (equal x y)))
(table tb 'a 2)
(table tb 'a 2)
(defun-nx nx (x) x)
(defun-nx nx (x) x)

;;; a package again => admitted redundant
(defpkg "AGAIN" nil)
(defpkg "AGAIN" nil)

;;; guards that were verified before => redundant
(verify-guards len)

;;; a redundant event says nothing for what comes after it => admitted no-effect
(defun f (x) x)
(er-progn (ld '((defun f (x) x))) (ld '((defthm evil nil))) (ubt! 'nothing) (value :redundant))

;;; nor does one that a computation of make-event met => admitted no-effect
(defun f (x) x)
(make-event (er-progn (defun f (x) x) (ld '((defthm evil nil))) (value '(value-triple :redundant))))

;;; an event that answers something else, again => admitted redundant
(progn (defun f (x) x) (value-triple :done))
(progn (defun f (x) x) (value-triple :done))
