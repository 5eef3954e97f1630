;;;; Conjectures and what ACL2 has to say of each: ";;; name => verdict of each form ! issues of trust".
;;;; Each case has a fresh world. These are theorems that ACL2 finds by itself, in its ground-zero theory.

;;; car of cons => proved
(thm (equal (car (cons x y)) x))

;;; cons is injective => admitted
(defthm cons-injective (iff (equal (cons a b) (cons c d)) (and (equal a c) (equal b d))) :rule-classes nil)

;;; an equality that holds of numbers only => proved
(thm (implies (acl2-numberp x) (equal (+ 0 x) x)))

;;; addition commutes => proved
(thm (equal (+ x y) (+ y x)))

;;; addition associates => proved
(thm (equal (+ (+ x y) z) (+ x y z)))

;;; multiplication distributes => proved
(thm (equal (* x (+ y z)) (+ (* x y) (* x z))))

;;; linear arithmetic => proved
(thm (implies (and (rationalp x) (rationalp y) (< x y)) (< (+ 1 x) (+ 1 y))))

;;; linear arithmetic, transitivity => proved
(thm (implies (and (rationalp x) (rationalp y) (rationalp z) (< x y) (< y z)) (< x z)))

;;; everything is an atom or a cons => proved
(thm (or (atom x) (consp x)))

;;; true-listp of append => proved
(thm (implies (true-listp y) (true-listp (append x y))))

;;; associativity of append => admitted admitted
(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))

;;; nil is a right identity of append on true lists => admitted proved
(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(thm (implies (true-listp x) (equal (app x nil) x)))

;;; length of append => proved
(thm (equal (len (append x y)) (+ (len x) (len y))))

;;; membership in append => proved
(thm (iff (member-equal a (append x y)) (or (member-equal a x) (member-equal a y))))

;;; reverse of reverse, with its lemma => admitted admitted proved
(defun rv (x) (if (consp x) (append (rv (cdr x)) (list (car x))) nil))
(defthm rv-of-append-list (equal (rv (append x (list a))) (cons a (rv x))))
(thm (implies (true-listp x) (equal (rv (rv x)) x)))

;;; doubling is even => admitted proved
(defun double (n) (if (zp n) 0 (+ 2 (double (- n 1)))))
(thm (implies (natp n) (equal (double n) (* 2 n))))

;;; sum of the first numbers => admitted proved
(defun sum (n) (if (zp n) 0 (+ n (sum (- n 1)))))
(thm (implies (natp n) (equal (* 2 (sum n)) (* n (+ n 1)))))

;;; insertion keeps a list sorted => admitted admitted proved
(defun insert (e x) (if (atom x) (list e) (if (< e (car x)) (cons e x) (cons (car x) (insert e (cdr x))))))
(defun ordered (x) (or (atom x) (atom (cdr x)) (and (<= (car x) (cadr x)) (ordered (cdr x)))))
(thm (implies (and (ordered x) (rational-listp x) (rationalp e)) (ordered (insert e x))))

;;; insertion sort sorts => admitted admitted admitted admitted admitted
(defun insert (e x) (if (atom x) (list e) (if (< e (car x)) (cons e x) (cons (car x) (insert e (cdr x))))))
(defun isort (x) (if (atom x) nil (insert (car x) (isort (cdr x)))))
(defun ordered (x) (or (atom x) (atom (cdr x)) (and (<= (car x) (cadr x)) (ordered (cdr x)))))
(defthm insert-is-ordered (implies (ordered x) (ordered (insert e x))))
(defthm isort-is-ordered (ordered (isort x)))

;;; insertion sort keeps the counts => admitted admitted admitted admitted admitted
(defun insert (e x) (if (atom x) (list e) (if (< e (car x)) (cons e x) (cons (car x) (insert e (cdr x))))))
(defun isort (x) (if (atom x) nil (insert (car x) (isort (cdr x)))))
(defun count-of (a x) (if (atom x) 0 (+ (if (equal a (car x)) 1 0) (count-of a (cdr x)))))
(defthm count-of-insert (equal (count-of a (insert e x)) (+ (if (equal a e) 1 0) (count-of a x))))
(defthm count-of-isort (equal (count-of a (isort x)) (count-of a x)))

;;; a tail-recursive reverse => admitted admitted admitted
(defun rv (x) (if (consp x) (append (rv (cdr x)) (list (car x))) nil))
(defun rv-onto (x y) (if (consp x) (rv-onto (cdr x) (cons (car x) y)) y))
(defthm rv-onto-is-rv (equal (rv-onto x y) (append (rv x) y)))

;;; flattening a tree => admitted admitted admitted
(defun flat (x) (if (atom x) (list x) (append (flat (car x)) (flat (cdr x)))))
(defun flat-onto (x y) (if (atom x) (cons x y) (flat-onto (car x) (flat-onto (cdr x) y))))
(defthm flat-onto-is-flat (equal (flat-onto x y) (append (flat x) y)))

;;; mirroring a tree twice => admitted proved
(defun mirror (x) (if (atom x) x (cons (mirror (cdr x)) (mirror (car x)))))
(thm (equal (mirror (mirror x)) x))

;;; a compiler of sums is correct => admitted admitted admitted admitted admitted admitted
(defun meaning (e) (if (atom e) (fix e) (+ (meaning (car e)) (meaning (cdr e)))))
(defun code-of (e) (if (atom e) (list (fix e)) (append (code-of (car e)) (code-of (cdr e)) (list :add))))
(defun run (code stack)
  (cond ((atom code) stack)
        ((eq (car code) :add) (run (cdr code) (cons (+ (cadr stack) (car stack)) (cddr stack))))
        (t (run (cdr code) (cons (car code) stack)))))
(defthm run-of-append (equal (run (append c d) stack) (run d (run c stack))))
(defun two-stacks (e stack)
  (if (atom e) (list e stack) (list (two-stacks (car e) stack) (two-stacks (cdr e) (cons (meaning (car e)) stack)))))
(defthm code-is-correct (equal (run (code-of e) stack) (cons (meaning e) stack))
  :hints (("Goal" :induct (two-stacks e stack))))

;;; booleans: De Morgan => proved
(thm (iff (not (and p q)) (or (not p) (not q))))

;;; booleans: Peirce's law => proved
(thm (implies (implies (implies p q) p) p))

;;; a proof by cases => proved
(thm (implies (integerp x) (or (< x 0) (equal x 0) (< 0 x))) :hints (("Goal" :cases ((< x 0) (equal x 0)))))

;;; evaluation of ground terms => proved
(thm (equal (append '(1 2) '(3)) '(1 2 3)))

;;; strings and symbols differ => proved
(thm (implies (stringp x) (not (symbolp x))))

;;; association lists => proved
(thm (implies (alistp x) (alistp (acons k v x))))
