;;;; What the harbor would suggest where a proof failed is tried on small values before it is told: a theorem may be false, and a
;;;; guard may allow nothing any more. Nothing of the session's runs: forms with macros of its own are not looked at.

(in-package "LISP-HARBOR-ACL2")

(defun macro-of-the-session-p (symbol)
  (and (acl2::getpropc symbol 'acl2::macro-body nil (world))
       (not (predefined-p symbol))))

(defun plain-p (tree)
  "Whether nothing in TREE could be a call of a macro of the session's."
  (if (consp tree)
      (and (plain-p (car tree)) (plain-p (cdr tree)))
      (not (and (symbolp tree) (macro-of-the-session-p tree)))))

(defun term-of (formula)
  "FORMULA as ACL2 has it; NIL where it is none in this world."
  (unless-it-fails (translated formula)))

(defun possible-p (term)
  "Whether TERM holds for some small values."
  (and (refutations (list 'acl2::implies term ''nil) :steps +steps-of-a-goal+) t))

(defun type-guards (declaration)
  "Of (TYPE spec variable ...)."
  (mapcar (lambda (variable)
            (unless-it-fails (acl2::translate-declaration-to-guard (second declaration) variable (world))))
          (cddr declaration)))

(defun declared-guards (declaration)
  (case (and (consp declaration) (car declaration))
    (acl2::xargs (let ((given (member :guard declaration))) (and given (list (second given)))))
    (type (type-guards declaration))))

(defun guard-of (definition)
  "What the declarations of a DEFUN ask for, as ACL2 has it; NIL where that is no term here."
  (let ((declarations (remove-if-not (lambda (part) (and (consp part) (eq (car part) 'declare)))
                                     (butlast (cdddr definition)))))
    (term-of (cons 'and (mapcan (lambda (each) (mapcan #'declared-guards (copy-list (cdr each)))) declarations)))))

(defun premises (form)
  "What must hold of the variables of FORM, a definition or a theorem, as ACL2 has it; NIL where that is not known."
  (if (member (car form) '(defun acl2::defund))
      (guard-of form)
      (let ((term (term-of (conjecture-of form))))
        (and term (acl2::conjoin (hypotheses-and-conclusion term))))))

(defun empty-p (form original)
  "Whether FORM is about no small values, although ORIGINAL is about some."
  (let ((premises (premises form)) (before (premises original)))
    (and premises before
         (not (possible-p premises))
         (possible-p before))))

(defun trial (form original)
  "A verdict, and values for which it is false."
  (let* ((theorem-p (member (car form) '(acl2::defthm acl2::defthmd acl2::thm)))
         (term (and theorem-p (term-of (conjecture-of form))))
         (refuted (and term (refutations term :steps +steps-of-a-goal+))))
    (cond (refuted (values "false" (first refuted)))
          ((and theorem-p (null term)) "unknown")
          ((empty-p form original) "empty")
          (t "tenable"))))

(defun trial-object (form original)
  (multiple-value-bind (verdict bindings)
      (if (and (plain-p form) (plain-p original)) (trial form original) "tenable")
    (object "verdict" verdict
            "values" (array-of (mapcar #'tried-value-object bindings)))))

(defun read-in-acl2 (text)
  "The object that TEXT stands for in package ACL2."
  (let ((own (acl2::current-package (state))) (channel (make-string-channel text)))
    (enter-package "ACL2")
    (unwind-protect (second (multiple-value-list (read-form channel)))
      (forget-channel channel)
      (enter-package own))))

(define-query :trials (request text)
  (destructuring-bind (original &rest forms) (read-in-acl2 text)
    (object "trials" (array-of (mapcar (lambda (form) (trial-object form original)) forms)))))
