;;;; Tests suggestions for a failed proof on small values before they are reported: a theorem may be
;;;; false, and a guard unsatisfiable. No code of the session runs: forms with macros of the session
;;;; are skipped.

(in-package "LISP-HARBOR-ACL2")

(defun macro-of-the-session-p (symbol)
  (and (acl2::getpropc symbol 'acl2::macro-body nil (world))
       (not (predefined-p symbol))))

(defun plain-p (tree)
  "Whether TREE contains no possible call of a macro of the session."
  (if (consp tree)
      (and (plain-p (car tree)) (plain-p (cdr tree)))
      (not (and (symbolp tree) (macro-of-the-session-p tree)))))

(defun term-of (formula)
  "FORMULA translated; NIL if it is not valid in this world."
  (unless-it-fails (translated formula)))

(defun possible-p (term)
  "Whether some small values satisfy TERM."
  (and (refutations (list 'acl2::implies term ''nil) :steps +steps-of-a-goal+) t))

(defun type-guards (declaration)
  "For (TYPE spec variable ...)."
  (mapcar (lambda (variable)
            (unless-it-fails (acl2::translate-declaration-to-guard (second declaration) variable (world))))
          (cddr declaration)))

(defun declared-guards (declaration)
  (case (and (consp declaration) (car declaration))
    (acl2::xargs (let ((given (member :guard declaration))) (and given (list (second given)))))
    (type (type-guards declaration))))

(defun guard-of (definition)
  "The translated guard in the declarations of a DEFUN; NIL if it cannot be translated."
  (let ((declarations (remove-if-not (lambda (part) (and (consp part) (eq (car part) 'declare)))
                                     (butlast (cdddr definition)))))
    (term-of (cons 'and (mapcan (lambda (each) (mapcan #'declared-guards (copy-list (cdr each)))) declarations)))))

(defun premises (form)
  "The translated requirements on the variables of FORM, a definition or a theorem; NIL if unknown."
  (if (member (car form) '(defun acl2::defund))
      (guard-of form)
      (let ((term (term-of (conjecture-of form))))
        (and term (acl2::conjoin (hypotheses-and-conclusion term))))))

(defun empty-p (form original)
  "Whether no small values satisfy the requirements of FORM, although some satisfy those of ORIGINAL."
  (let ((premises (premises form)) (before (premises original)))
    (and premises before
         (not (possible-p premises))
         (possible-p before))))

(defun trial (form original)
  "A verdict, and falsifying values."
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
  "The object that TEXT represents in package ACL2."
  (let ((own (acl2::current-package (state))) (channel (make-string-channel text)))
    (enter-package "ACL2")
    (unwind-protect (second (multiple-value-list (read-form channel)))
      (forget-channel channel)
      (enter-package own))))

(define-query :trials (request text)
  (destructuring-bind (original &rest forms) (read-in-acl2 text)
    (object "trials" (array-of (mapcar (lambda (form) (trial-object form original)) forms)))))
