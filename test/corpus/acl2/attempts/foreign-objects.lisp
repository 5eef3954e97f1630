;;;; Attempts with objects that are none of ACL2's. Code in :PROGRAM mode calls functions of the host's with anything, so the square
;;;; root of two may be a number that is neither rational nor complex. No term has such an object. The format is that of theorems.lisp.

;;; a computed hint => admitted admitted admitted failed ! program-mode
(defthm numbers (implies (acl2-numberp x) (or (rationalp x) (complex-rationalp x))) :rule-classes nil)
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(defun use-root ()
  (declare (xargs :mode :program))
  `(:use (:instance numbers (x ',(root)))))
(thm nil :hints ((use-root)))

;;; an event that is made, with a constant => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event `(defthm evil (not (rationalp ',(root))) :rule-classes nil))

;;; an event that is made, with a number as it is => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event `(defthm evil (acl2-numberp ,(root)) :rule-classes nil))

;;; a definition that is made => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event `(defun evil () ,(root)))

;;; a definition in :PROGRAM mode that is made => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event `(defun evil () (declare (xargs :mode :program)) '(a . ,(root))))

;;; a named constant that is made => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event `(defconst *evil* ',(root)))

;;; a named constant in which it is deep => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event `(defconst *evil* '(a (b . "c") (d ,(root)))))

;;; a guard => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event `(defun evil (x) (declare (xargs :guard (equal x ',(root)))) x))

;;; a measure => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event `(defun evil (x) (declare (xargs :measure (if (equal x ',(root)) 0 (acl2-count x)))) (if (consp x) (evil (cdr x)) x)))

;;; a rule's corollary => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event
  `(defthm evil (equal (car (cons x y)) x)
     :rule-classes ((:rewrite :corollary (implies (equal y ',(root)) (equal (car (cons x y)) x))))))

;;; a witness of an encapsulate => admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(make-event
  `(encapsulate (((evil) => *))
     (local (defun evil () ',(root)))
     (defthm evil-number (and (acl2-numberp (evil)) (not (rationalp (evil)))))))

;;; a macro => admitted admitted failed ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(defmacro evil () (list 'quote (root)))
(thm (acl2-numberp (evil)))

;;; a table and what is made of it => admitted admitted error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(table evil :root (root))
(make-event `(defthm evil (not (rationalp ',(cdr (assoc-eq :root (table-alist 'evil (w state)))))) :rule-classes nil))

;;; a global variable and what is made of it => admitted value error ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(assign root (root))
(make-event `(defthm evil (not (rationalp ',(@ root))) :rule-classes nil))

;;; a metafunction that reads the state => admitted value admitted admitted admitted admitted failed ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(assign root (root))
(defund id (x) x)
(defevaluator eva eva-list
  ((if x y z) (id x) (acl2-numberp x) (rationalp x) (complex-rationalp x)))
(defun meta-root (term mfc state)
  (declare (xargs :stobjs state :verify-guards nil) (ignore mfc))
  (if (and (consp term) (eq (car term) 'id) (boundp-global 'root state))
      (let ((root (kwote (f-get-global 'root state))))
        `(if (acl2-numberp ,root) (if (rationalp ,root) ,term (if (complex-rationalp ,root) ,term '17)) ,term))
    term))
(defthm by-meta
  (equal (eva x a) (eva (meta-root x mfc state) a))
  :rule-classes ((:meta :trigger-fns (id))))
(thm (equal (id y) 17))

;;; a hypothesis that binds a variable => admitted value admitted admitted admitted admitted admitted failed ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(assign root (root))
(defund id (x) x)
(defun no-number-p (x) (if (acl2-numberp x) (if (rationalp x) nil (if (complex-rationalp x) nil t)) nil))
(defun root-of (mfc state)
  (declare (xargs :stobjs state :verify-guards nil) (ignore mfc))
  (if (boundp-global 'root state) `((x . ',(f-get-global 'root state))) nil))
(defthm by-binding
  (implies (and (bind-free (root-of mfc state) (x)) (no-number-p x)) (equal (id y) 17)))
(in-theory (disable no-number-p (:type-prescription no-number-p)))
(thm (equal (id y) 17))

;;; a clause processor that reads the state => admitted value admitted admitted admitted admitted failed ! program-mode
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(assign root (root))
(defund no-number-p (x) (and (acl2-numberp x) (not (rationalp x)) (not (complex-rationalp x))))
(defun add-root (clause hint state)
  (declare (xargs :stobjs state :verify-guards nil) (ignore hint))
  (if (boundp-global 'root state)
      (mv nil (list (cons `(no-number-p ',(f-get-global 'root state)) clause)) state)
    (mv nil (list clause) state)))
(defevaluator evl evl-list ((no-number-p x) (if x y z) (not x)))
(defthm by-clauses
  (implies (and (pseudo-term-listp cl) (alistp a)
                (evl (conjoin-clauses (clauses-result (add-root cl hint state))) a))
           (evl (disjoin cl) a))
  :hints (("Goal" :in-theory (enable no-number-p)))
  :rule-classes :clause-processor)
(thm nil :hints (("Goal" :clause-processor (add-root clause nil state))))

;;; a clause processor that reads an object of one thread => admitted admitted admitted value admitted admitted admitted admitted failed ! program-mode
(defstobj st (fld :initially nil))
(defun root () (declare (xargs :mode :program)) (expt 2 1/2))
(defun set-root (st) (declare (xargs :mode :program :stobjs st)) (update-fld (root) st))
(set-root st)
(defund no-number-p (x) (and (acl2-numberp x) (not (rationalp x)) (not (complex-rationalp x))))
(defun add-root (clause hint st)
  (declare (xargs :stobjs st :verify-guards nil) (ignore hint))
  (mv nil (list (cons `(no-number-p ',(fld st)) clause)) st))
(defevaluator evl evl-list ((no-number-p x) (if x y z) (not x)))
(defthm by-clauses
  (implies (and (pseudo-term-listp cl) (alistp a)
                (evl (conjoin-clauses (clauses-result (add-root cl hint st))) a))
           (evl (disjoin cl) a))
  :hints (("Goal" :in-theory (enable no-number-p)))
  :rule-classes :clause-processor)
(thm nil :hints (("Goal" :clause-processor (add-root clause nil st))))

;;; a vector => admitted error ! program-mode
(defun vector-of () (declare (xargs :mode :program)) (coerce '(1 2) 'vector))
(make-event `(defthm evil (not (consp ',(vector-of))) :rule-classes nil))

;;; a function => admitted error ! program-mode
(defun function-of () (declare (xargs :mode :program)) (coerce 'car 'function))
(make-event `(defthm evil (not (consp ',(function-of))) :rule-classes nil))

;;; a character beyond the last, or a function where the host has none => admitted error ! program-mode
(defun character-of () (declare (xargs :mode :program)) (or (code-char 955) (coerce 'car 'function)))
(make-event `(defthm evil (characterp ',(character-of)) :rule-classes nil))
