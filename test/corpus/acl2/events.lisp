;;;; Events of all kinds, hints, guards, measures, local and constrained functions, and what becomes of each.
;;;; The format is that of theorems.lisp.

;;; mutual recursion => admitted proved
(mutual-recursion
 (defun even-p (n) (if (zp n) t (odd-p (- n 1))))
 (defun odd-p (n) (if (zp n) nil (even-p (- n 1)))))
(thm (equal (even-p 10) t))

;;; mutual recursion that does not end => failed
(mutual-recursion
 (defun a (n) (if n (b n) n))
 (defun b (n) (if n (a n) n)))

;;; a relation that no theorem says is well-founded => failed
(defun ack (m n)
  (declare (xargs :measure (llist m n) :well-founded-relation l<))
  (if (zp m) (+ n 1) (if (zp n) (ack (- m 1) 1) (ack (- m 1) (ack m (- n 1))))))

;;; Ackermann's function with an ordinal => admitted
(defun ack (m n)
  (declare (xargs :measure (make-ord 1 (+ 1 (nfix m)) (nfix n))))
  (if (zp m) (+ n 1) (if (zp n) (ack (- m 1) 1) (ack (- m 1) (ack m (- n 1))))))

;;; a function with a guard that holds => admitted value
(defun head (x) (declare (xargs :guard (consp x))) (car x))
(head '(1 2))

;;; a function whose guard a call breaks => admitted error
(defun head (x) (declare (xargs :guard (consp x))) (car x))
(head 3)

;;; guards that are verified later => admitted admitted
(defun head (x) (declare (xargs :guard (consp x) :verify-guards nil)) (car x))
(verify-guards head)

;;; guards that are verified twice => admitted admitted redundant
(defun head (x) (declare (xargs :guard (consp x) :verify-guards nil)) (car x))
(verify-guards head)
(verify-guards head)

;;; encapsulate: a constrained function => admitted proved failed
(encapsulate (((h *) => *))
  (local (defun h (x) x))
  (defthm h-of-h (equal (h (h x)) (h x))))
(thm (equal (h (h (h x))) (h x)))
(thm (equal (h x) x))

;;; encapsulate: a constraint that its witness does not meet => failed
(encapsulate (((h *) => *))
  (local (defun h (x) (list x)))
  (defthm h-is-identity (equal (h x) x)))

;;; encapsulate: a local lemma is gone afterwards => admitted failed
(encapsulate ()
  (local (defthm lemma (equal (car (cons a b)) a) :rule-classes nil))
  (defthm theorem (equal (cdr (cons a b)) b) :rule-classes nil))
(thm (equal a b) :hints (("Goal" :use lemma)))

;;; local at the top level => admitted value
(local (defun f (x) x))
(f 3)

;;; defun-sk: a witness proves it => admitted admitted
(defun-sk has-larger (x) (exists y (< x y)))
(defthm every-rational-has-larger (implies (rationalp x) (has-larger x))
  :hints (("Goal" :use ((:instance has-larger-suff (y (+ 1 x)))))))

;;; defun-sk: forall => admitted admitted
(defun-sk all-equal-to-themselves () (forall x (equal x x)))
(defthm they-are (all-equal-to-themselves))

;;; defchoose => admitted
(defchoose larger (y) (x) (< x y))

;;; make-event: a definition that is computed => admitted value
(make-event `(defun five () ,(+ 2 3)))
(five)

;;; make-event: its expansion fails => failed
(make-event '(defthm bad (equal x y)))

;;; make-event: its computation fails => failed
(make-event (er soft 'top "no"))

;;; progn: all or nothing => failed
(progn (defun f (x) x) (thm nil))

;;; progn: two definitions => admitted value
(progn (defun f (x) x) (defun g (x) (f x)))
(g 4)

;;; defstub: nothing is known of it => admitted failed
(defstub mystery (x) t)
(thm (equal (mystery x) 1))

;;; defmacro => admitted value
(defmacro twice (x) `(list ,x ,x))
(twice 3)

;;; defmacro: a macro is no function => admitted failed
(defmacro twice (x) `(list ,x ,x))
(verify-guards twice)

;;; defconst => admitted value
(defconst *k* 17)
*k*

;;; defstobj => admitted value value
(defstobj counter (ticks :type integer :initially 0))
(update-ticks 3 counter)
(ticks counter)

;;; defstobj: a value of another type => admitted error
(defstobj counter (ticks :type integer :initially 0))
(update-ticks 'three counter)

;;; deflabel and table => admitted admitted
(deflabel here)
(table my-table 1 2)

;;; deftheory and in-theory => admitted admitted admitted failed
(defun f (x) x)
(deftheory f-rules '(f (:executable-counterpart f) (:type-prescription f)))
(in-theory (disable f-rules))
(thm (equal (f x) x))

;;; in-theory: a rule that is not there => failed
(in-theory (disable no-such-rule))

;;; defequiv and defcong => admitted admitted
(defun same-length (x y) (equal (len x) (len y)))
(defequiv same-length)

;;; defequiv of what is none => admitted failed
(defun less (x y) (< x y))
(defequiv less)

;;; defpkg and in-package => admitted value admitted value
(defpkg "MINE" '(defun quote))
(in-package "MINE")
(defun f (x) x)
(f 3)

;;; verify-termination => admitted admitted value ! program-mode
(defun f (x) (declare (xargs :mode :program)) (if (consp x) (f (cdr x)) x))
(verify-termination f)
(f '(1 . 2))

;;; verify-termination of what does not end => admitted failed ! program-mode
(defun f (x) (declare (xargs :mode :program)) (if x (f x) x))
(verify-termination f)

;;; a theorem about a program => admitted failed ! program-mode
(defun f (x) (declare (xargs :mode :program)) x)
(thm (equal (f x) x))

;;; hint :use of an instance => admitted admitted
(defthm car-cons-again (equal (car (cons x y)) x) :rule-classes nil)
(defthm used (equal (car (cons a b)) a) :rule-classes nil :hints (("Goal" :use ((:instance car-cons-again (x a) (y b))))))

;;; hint :use of a theorem that is not there => failed
(thm (equal x x) :hints (("Goal" :use no-such-theorem)))

;;; hint :induct => admitted proved
(defun down (n) (if (zp n) n (down (- n 1))))
(thm (implies (natp n) (equal (down n) 0)) :hints (("Goal" :induct (down n))))

;;; hint :expand => admitted proved
(defun f (x) (if (consp x) (f (cdr x)) t))
(thm (equal (f (cons a b)) (f b)) :hints (("Goal" :in-theory (disable f) :expand (f (cons a b)))))

;;; hint :by => admitted proved
(defthm general (equal (car (cons x y)) x) :rule-classes nil)
(thm (equal (car (cons a b)) a) :hints (("Goal" :by general)))

;;; hint :cases => proved
(thm (implies (booleanp p) (or (equal p t) (equal p nil))) :hints (("Goal" :cases ((equal p t)))))

;;; hint :hands-off => admitted failed
(defun f (x) x)
(thm (equal (f x) x) :hints (("Goal" :hands-off f)))

;;; hint :do-not => proved
(thm (equal (append (append x y) z) (append x y z)) :hints (("Goal" :do-not '(generalize fertilize))))

;;; a hint with a wrong keyword => failed
(thm (equal x x) :hints (("Goal" :no-such-hint t)))

;;; a hint for a goal that does not arise => proved
(thm (equal x x) :hints (("Subgoal 17" :in-theory (disable car))))

;;; computed hints => proved
(thm (equal (append (append x y) z) (append x y z)) :hints ((if stable-under-simplificationp nil nil)))

;;; instructions of the proof builder => admitted
(defthm built (equal (car (cons x y)) x) :rule-classes nil :instructions (:prove))

;;; functional instantiation => admitted admitted admitted
(encapsulate (((op * *) => *))
  (local (defun op (x y) (declare (ignore y)) x))
  (defthm op-is-idempotent (equal (op x x) x) :rule-classes nil))
(defun pick (x y) (declare (ignore y)) x)
(defthm pick-is-idempotent (equal (pick x x) x) :rule-classes nil
  :hints (("Goal" :use ((:functional-instance op-is-idempotent (op pick))))))

;;; rule classes => admitted admitted admitted
(defun f (x) (if (consp x) 1 0))
(defthm f-is-natural (natp (f x)) :rule-classes :type-prescription)
(defthm f-is-small (<= (f x) 1) :rule-classes :linear)

;;; a type prescription that is none => failed
(defthm no-type (equal (+ x y) (+ y x)) :rule-classes :type-prescription)

;;; undo => admitted undone failed
(defun f (x) x)
(u)
(thm (equal (f x) x))

;;; undo back through a name => admitted admitted undone error
(defun f (x) x)
(defun g (x) x)
(ubt 'f)
(g 3)

;;; a query changes nothing => admitted value value value
(defun f (x) x)
:pe f
:pbt 0
:pl f

;;; :q does not leave => value value
:q
(+ 1 1)

;;; an error in a nested LD stays there => value proved
(ld '((thm nil)) :ld-error-action :continue)
(thm (equal x x))
