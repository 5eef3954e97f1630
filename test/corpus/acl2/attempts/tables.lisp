;;;; Attempts by tables and by the defaults of definitions, which ACL2 consults: none of them may make a falsehood a theorem.
;;;; None has a trust tag. The format is that of theorems.lisp.

;;; a table of raw functions gets an entry => failed
(table return-last-table 'my-eval 'my-eval-raw)

;;; return-last with a function of its own => failed
(defun f (x) (return-last 'my-eval-raw x nil))

;;; a trusted clause processor is written into its table => admitted failed
(defun cp (clause) (declare (ignore clause)) nil)
(table trusted-cl-proc-table 'cp '(nil))

;;; a badge is written into its table => admitted
(table badge-userfn-structure 'car '(apply$-badge 1 1 . t))

;;; a badge for a function of one's own is written by hand => admitted admitted failed
(defun f (x y) (cons x y))
(table badge-userfn-structure 'f '(t (apply$-badge 1 1 . t)))
(thm (equal (badge 'f) '(apply$-badge 1 1 . t)))

;;; the system's own table is written => failed
(table acl2-system-table 'mine t)

;;; the table of defaults turns definitions to programs, inside an encapsulate => admitted failed
(encapsulate () (program) (defthm evil nil :rule-classes nil))
(thm nil :hints (("Goal" :use evil)))

;;; the table of defaults is cleared => admitted failed
(table acl2-defaults-table nil nil :clear)
(thm nil)

;;; the mode is set by the table itself => admitted no-effect admitted failed
(table acl2-defaults-table :defun-mode :program)
(defthm evil nil :rule-classes nil)
(table acl2-defaults-table :defun-mode :logic)
(thm nil :hints (("Goal" :use evil)))

;;; a name of a macro stands for a function => admitted failed
(defun wrong (x) (declare (ignore x)) nil)
(add-macro-alias right wrong)
(thm (right x))

;;; a function is shown as another one => admitted admitted failed
(defun same (x y) (declare (ignore x y)) t)
(table untrans-table 'same '(equal . t))
(thm (equal 1 2))

;;; a binary function is given the name of another => admitted admitted failed
(defun my-plus (x y) (declare (ignore x y)) 7)
(add-macro-fn + my-plus)
(thm (equal (+ 1 2) 7))

;;; untranslation of one's own shows a true goal => admitted admitted failed
(defun show-true (term iff w) (declare (ignore term iff w) (xargs :guard t)) ''t)
(table user-defined-functions-table 'untranslate 'show-true)
(thm nil)

;;; evisceration hides the goal => failed
(table evisc-table nil "t")
(thm nil)

;;; default hints for functions that are not defined by them => error
(set-default-hints-for-all '((value :redundant)))

;;; default hints that cannot be evaluated => admitted failed
(set-default-hints '((er soft 'x "no")))
(thm nil)

;;; a custom keyword hint that becomes another goal => admitted failed
(add-custom-keyword-hint :prove-it (value '(:use ((:instance car-cons)))))
(thm nil :hints (("Goal" :prove-it t)))

;;; a custom keyword hint that gives the goal away => admitted failed
(add-custom-keyword-hint :prove-it (value '(:by nil)))
(thm nil :hints (("Goal" :prove-it t)))

;;; the proof builder gets a primitive command of one's own => failed
(define-pc-primitive prove-it () (mv pc-state state))

;;; the proof builder gets a meta command of one's own => admitted failed ! program-mode
(define-pc-meta prove-it () (mv nil t state))
(defthm evil nil :rule-classes nil :instructions (prove-it))

;;; the proof builder's macro command claims success => admitted failed ! program-mode
(define-pc-macro prove-it () (value :skip))
(defthm evil nil :rule-classes nil :instructions (prove-it))

;;; the table of the proof builder's commands is written by hand => failed
(table pc-command-table 'acl2-pc::evil 'meta)

;;; a theory invariant that is none is violated => admitted failed
(theory-invariant nil :error nil)
(thm nil)

;;; a theory of names that are no runes => failed
(in-theory '(no-such-rule))

;;; a theory that holds a rule nobody proved => failed
(in-theory '((:rewrite evil)))

;;; a deftheory of that name is no theorem => admitted failed
(deftheory evil nil)
(thm nil :hints (("Goal" :use evil)))

;;; a label is no theorem => admitted failed
(deflabel evil)
(thm nil :hints (("Goal" :use evil)))

;;; the relation of measures is set to one that is not well-founded => failed
(set-well-founded-relation lexorder)

;;; the measure is set to a constant => admitted failed
(set-measure-function identity)
(defun f (x) (not (f x)))

;;; termination arguments lose their rulers => admitted failed
(set-ruler-extenders nil)
(defun f (x) (prog2$ (cw "") (if (consp x) (f x) x)))

;;; what is bogus is permitted and stays unproved => admitted admitted redundant failed
(set-bogus-mutual-recursion-ok t)
(set-bogus-measure-ok t)
(set-bogus-defun-hints-ok t)
(defun f (x) (declare (xargs :measure (acl2-count x))) (not (f x)))

;;; certificates that are tainted are permitted, which proves nothing => error
(set-tainted-okp t)
(thm nil)

;;; redundancy is enforced and nothing is => admitted failed
(set-enforce-redundancy t)
(defthm evil nil :rule-classes nil)

;;; a match-free setting and a rule without a proof => admitted failed
(set-match-free-default :all)
(defthm evil (implies (equal x y) nil) :rule-classes ((:rewrite :match-free :all)))

;;; a state of compatibility is declared => failed
(table memoize-table 'car '((:inline . t)))

;;; include-book-dir names a folder of one's own as the system's => error
(add-include-book-dir :system "/")

;;; the table of such folders names it => failed
(table acl2-defaults-table :include-book-dir-alist '((:system . "/")))
