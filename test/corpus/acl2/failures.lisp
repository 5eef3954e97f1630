;;;; Conjectures that are false, true but not found, or no conjectures at all, and what becomes of each.
;;;; The format is that of theorems.lisp. "error" is a form that failed without any proof being tried.

;;; nil is no theorem => failed
(thm nil)

;;; any two things are equal => failed
(thm (equal x y))

;;; append does not commute => failed
(defthm append-commutes (equal (append x y) (append y x)))

;;; false without a hypothesis => failed
(thm (equal (+ 0 x) x))

;;; reverse of reverse without a hypothesis => admitted failed
(defun rv (x) (if (consp x) (append (rv (cdr x)) (list (car x))) nil))
(defthm rv-of-rv (equal (rv (rv x)) x))

;;; nil is no right identity of append => failed
(thm (equal (append x nil) x))

;;; subtraction does not commute => failed
(thm (equal (- x y) (- y x)))

;;; false for one value => failed
(thm (implies (natp n) (< n (* n n))))

;;; true, but multiplication is not linear => failed
(thm (implies (and (rationalp x) (rationalp y)) (<= 0 (+ (* x x) (* y y) (* -2 x y)))))

;;; true, but a lemma is missing => admitted admitted failed
(defun rv (x) (if (consp x) (append (rv (cdr x)) (list (car x))) nil))
(defun rv-onto (x y) (if (consp x) (rv-onto (cdr x) (cons (car x) y)) y))
(thm (equal (rv-onto x nil) (rv x)))

;;; true, but the induction that proves it changes the stack => admitted admitted admitted admitted failed
(defun meaning (e) (if (atom e) (fix e) (+ (meaning (car e)) (meaning (cdr e)))))
(defun code-of (e) (if (atom e) (list (fix e)) (append (code-of (car e)) (code-of (cdr e)) (list :add))))
(defun run (code stack)
  (cond ((atom code) stack)
        ((eq (car code) :add) (run (cdr code) (cons (+ (cadr stack) (car stack)) (cddr stack))))
        (t (run (cdr code) (cons (car code) stack)))))
(defthm run-of-append (equal (run (append c d) stack) (run d (run c stack))))
(defthm code-is-correct (equal (run (code-of e) stack) (cons (meaning e) stack)))

;;; true, but induction is forbidden => failed
(thm (equal (append (append x y) z) (append x y z)) :hints (("Goal" :do-not-induct t)))

;;; true, but its definition is disabled => admitted failed
(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defthm app-of-nil (equal (app nil y) y) :hints (("Goal" :in-theory (disable app (:executable-counterpart app) (:type-prescription app)))))

;;; a hint by a theorem that does not apply => failed
(thm (equal x y) :hints (("Goal" :by nil)))

;;; a proof that is given up by hint :by is not proved, though Q.E.D. is printed => failed
(thm (equal x y) :hints (("Goal" :by foo)))

;;; a step limit that is too low => failed
(with-prover-step-limit 100 (thm (equal (append (append x y) z) (append x y z))))

;;; the forms before the first failure stay => admitted failed
(defun first-of (x) (car x))
(thm (equal (first-of x) x))
(defun never (x) x)

;;; an undefined function => failed
(defthm undefined (equal (no-such-function x) x))

;;; an unbound variable in a body => failed
(defun bad (x) (cons x y))

;;; a wrong number of arguments => failed
(defun bad (x) (cons x))

;;; a variable that is not used is no error => admitted
(defun constantly-one (x) (declare (ignore x)) 1)

;;; a variable that is not used, undeclared => failed
(defun constantly-one (x) 1)

;;; the same formal twice => failed
(defun twice (x x) x)

;;; a keyword as a name => failed
(defun :bad (x) x)

;;; a constant as a formal => failed
(defun bad (t) t)

;;; no measure decreases => failed
(defun forever (x) (if x (forever x) x))

;;; no value can be told => failed
(defun nothing (x) (nothing x))

;;; a recursion that goes up => failed
(defun up (n) (if (equal n 0) 0 (up (+ 1 n))))

;;; a measure that decreases only on numbers => failed
(defun down (n) (if (equal n 0) 0 (down (- n 1))))

;;; a wrong measure => failed
(defun down (n) (declare (xargs :measure (len n))) (if (zp n) 0 (down (- n 1))))

;;; Ackermann's function without its measure => failed
(defun ack (m n) (if (zp m) (+ n 1) (if (zp n) (ack (- m 1) 1) (ack (- m 1) (ack m (- n 1))))))

;;; a guard that does not hold of a call => failed
(defun head (x) (declare (xargs :guard t)) (car x))

;;; a guard that a recursive call breaks => failed
(defun sum-to (n) (declare (xargs :guard (integerp n) :verify-guards t)) (if (zp n) 0 (+ n (sum-to (- n 1)))))

;;; guards that are verified later, in vain => admitted failed
(defun head (x) (car x))
(verify-guards head)

;;; a guard violation at the prompt => error
(car 3)

;;; a call that is not guarded => admitted value
(defun id (x) x)
(id 3)

;;; a name of ACL2's own => failed
(defun append (x y) (list x y))

;;; a name in the main Lisp package => failed
(defun mapcar (x) x)

;;; a name that has another definition => admitted failed
(defun f (x) x)
(defun f (x) (list x))

;;; a theorem with a name that is a function's => admitted failed
(defun f (x) x)
(defthm f (equal (f x) x) :rule-classes nil)

;;; a theorem's name used for another one => admitted failed
(defthm a-name (equal (car (cons x y)) x) :rule-classes nil)
(defthm a-name (equal (cdr (cons x y)) y) :rule-classes nil)

;;; the same definition again => admitted redundant
(defun f (x) x)
(defun f (x) x)

;;; the same theorem again => admitted redundant
(defthm a-name (equal (car (cons x y)) x) :rule-classes nil)
(defthm a-name (equal (car (cons x y)) x) :rule-classes nil)

;;; a rewrite rule that is none => failed
(defthm no-rule (equal x x))

;;; a rewrite rule that would loop is refused => failed
(defthm no-variable-rule (implies (consp x) (equal (car y) (car y))))

;;; a package that does not exist => unread
(no-such-package::f 1)

;;; a form that is not closed => value unread
(+ 1 1)
(+ 1

;;; a dot in the wrong place => unread
(1 . 2 3)

;;; a constant that changes => admitted failed
(defconst *k* 17)
(defconst *k* 18)

;;; a constant without stars => failed
(defconst k 17)

;;; a soft error => error
(er soft 'top-level "no")

;;; an assertion that does not hold => error
(assert-event (equal 1 2))

;;; a book that is not there => failed
(include-book "no-such-book")
