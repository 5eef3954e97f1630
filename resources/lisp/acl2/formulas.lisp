;;;; Prints formulas of the prover so that readers see what was really proved or not proved. A session
;;;; may configure how ACL2 shows terms and prints objects; these settings are ignored here.

(in-package "LISP-HARBOR-ACL2")

(defparameter *macros-of-functions* (acl2::untrans-table (world))
  "Macro aliases, (+ x y) for (BINARY-+ X Y), as built into ACL2.")

(defun as-written (term booleanp)
  "TERM as users write it. BOOLEANP means that only its truth value matters."
  (acl2::untranslate1 term booleanp *macros-of-functions* nil (world)))

(defun hypothesis-of (literal)
  (as-written (acl2::dumb-negate-lit literal) t))

(defun clause-as-written (clause)
  "An implication for a clause, the list of its literals."
  (let ((hypotheses (mapcar #'hypothesis-of (butlast clause)))
        (conclusion (and clause (as-written (car (last clause)) t))))
    (cond ((null hypotheses) conclusion)
          ((null (cdr hypotheses)) (list 'acl2::implies (first hypotheses) conclusion))
          (t (list 'acl2::implies (cons 'acl2::and hypotheses) conclusion)))))

(defparameter *settings-of-printing*
  (mapcar (lambda (name) (assoc name acl2::*initial-global-table*))
          (append '(acl2::infixp acl2::fmt-hard-right-margin acl2::ppr-flat-right-margin)
                  (mapcar #'first acl2::*print-control-defaults*)))
  "All print settings: names of state globals with ACL2's defaults.")

(defun call-with-settings (settings function)
  (let ((before (mapcar (lambda (setting) (state-global (car setting))) settings)))
    (unwind-protect
        (progn (loop for (name . value) in settings do (set-state-global name value))
               (funcall function))
      (loop for (name) in settings
            for value in before
            do (set-state-global name value)))))

(defmacro with-settings (settings &body body)
  "Runs BODY with state globals set according to SETTINGS, by name."
  `(call-with-settings ,settings (lambda () ,@body)))

(defun call-with-property (symbol key value function)
  "Calls FUNCTION with another property in the current world, which is then restored."
  (let* ((indicator acl2::*current-acl2-world-key*)
         (properties (get symbol indicator)))
    (unwind-protect (progn (setf (get symbol indicator) (acons key (list value) properties))
                           (funcall function))
      (setf (get symbol indicator) properties))))

(defparameter *no-evisceration*
  '((acl2::ld-evisc-tuple) (acl2::term-evisc-tuple . :default) (acl2::abbrev-evisc-tuple . :default))
  "The initial values of the tuples that hide or replace parts of what ACL2 prints.")

(defun call-with-plain-terms (package function)
  "Calls FUNCTION while ACL2 prints terms with its default settings, not the session's, and in PACKAGE."
  (with-settings (acons 'acl2::current-package package (append *no-evisceration* *settings-of-printing*))
    (call-with-property
     'acl2::user-defined-functions-table 'acl2::table-alist '()
     (lambda ()
       (call-with-property
        'acl2::evisc-table 'acl2::table-alist '()
        (lambda ()
          (call-with-property
           'acl2::untrans-table 'acl2::table-alist *macros-of-functions*
           function)))))))

(defmacro with-plain-phrases (&body body)
  "For terms in ACL2's own messages."
  `(call-with-plain-terms "ACL2" (lambda () ,@body)))

(defun install-plain-commands ()
  "Commands such as :PE show events and formulas as they are."
  (dolist (name '(acl2::pe-fn acl2::pe!-fn acl2::pf-fn acl2::pcb-pcb!-fn acl2::pc-fn acl2::pr-fn acl2::pl-fn acl2::pl2-fn
                  acl2::props-fn))
    (wrap name (lambda (function arguments)
                 (call-with-plain-terms (acl2::current-package (state)) (lambda () (apply function arguments)))))))

(defun misleading-p (symbol package)
  "Whether SYMBOL as printed in PACKAGE looks like a function or macro of package ACL2 that it is not."
  (let ((known (find-symbol (symbol-name symbol) "ACL2")))
    (and known
         (not (eq known symbol))
         (eq (find-symbol (symbol-name symbol) package) symbol)
         (or (acl2::function-symbolp known (world))
             (acl2::getpropc known 'acl2::macro-body nil (world)))
         t)))

(defun misleading-in-p (form package)
  (if (atom form)
      (and (symbolp form) form (misleading-p form package))
      (or (misleading-in-p (car form) package)
          (misleading-in-p (cdr form) package))))

(defun package-to-print-in (form)
  "The session's package if all of FORM reads there as in ACL2."
  (let ((own (acl2::current-package (state))))
    (if (misleading-in-p form own) "ACL2" own)))

(defun formula-text (form)
  "FORM over several lines, in the session's package unless that is misleading."
  (with-settings (acons 'acl2::current-package (package-to-print-in form) *settings-of-printing*)
    (as-acl2-prints form)))

(defun term-text (term)
  (formula-text (as-written term t)))

(defun one-line-term (term)
  "As users write it, in package ACL2."
  (one-line (as-written term nil) 4000))
