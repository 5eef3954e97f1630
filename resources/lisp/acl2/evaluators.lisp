;;;; ACL2 rejects untouchable functions and missing trust tags when it translates terms. Some of its
;;;; functions, which :PROGRAM code may call, evaluate untranslated terms, such as one that opens the
;;;; lock on trust tags, or even raw Lisp. Therefore all evaluators reach untouchable functions through
;;;; a checked entry; if a user has allowed raw Lisp, nothing is checked. Functions that install a
;;;; world are untouchable.

(in-package "LISP-HARBOR-ACL2")

(defun touchable-p (symbol untouchable exceptions)
  "EXCEPTIONS is T or a list of symbols, as ACL2 uses it for temporarily touchable functions."
  (or (not (member symbol untouchable))
      (eq exceptions t)
      (and (listp exceptions) (member symbol exceptions))))

(defun touchable-function-p (name)
  (touchable-p name (world-global 'acl2::untouchable-fns) (state-global 'acl2::temp-touchable-fns)))

(defun touchable-variable-p (name)
  (touchable-p name (world-global 'acl2::untouchable-vars) (state-global 'acl2::temp-touchable-vars)))

(defun refuse-to-evaluate (name)
  (error "A term that calls ~a, which is untouchable, is not evaluated." (one-line name)))

;;; The evaluator RAW-EV-FNCALL finds the code of a function at each call as a property of its name.
;;; ACL2's compiled code does not. Checking every term instead would cost as much time as the rest of
;;; including a book.

(defvar *own-key* (make-symbol "OWN-KEY") "Replaces ACL2's key of that property. Code under it is unchecked.")

(defun set-door (name open-p)
  "From now on the evaluator calls NAME only with arguments that satisfy OPEN-P, a function of the argument list."
  (let ((code (acl2::*1*-symbol name))
        (door (make-symbol (symbol-name name))))
    (setf (symbol-function door)
          (lambda (&rest arguments)
            (if (or (funcall open-p arguments) (raw-lisp-allowed-p))
                (apply code arguments)
                (refuse-to-evaluate name)))
          (get name acl2::**1*-symbol-key*) door)))

(defun set-doors ()
  (dolist (name (world-global 'acl2::untouchable-fns))
    (let ((name name))
      (set-door name (lambda (arguments) (declare (ignore arguments)) (touchable-function-p name)))))
  (dolist (name '(acl2::put-global acl2::makunbound-global))
    (set-door name (lambda (arguments) (touchable-variable-p (first arguments)))))
  (dolist (entry acl2::*ttag-fns*)
    (set-door (car entry) (lambda (arguments) (declare (ignore arguments)) (acl2::ttag (world))))))

(defun leave-doors-out (function arguments)
  "For ONEIFY-CLTL-CODE, which creates the code of a defined function, which was translated, and for tracing."
  (let ((acl2::**1*-symbol-key* *own-key*))
    (apply function arguments)))

(defun look-at-call (function arguments)
  "For functions that call what a term calls. Books with a permitted trust tag may have untouchable functions of their own."
  (if (or (touchable-function-p (first arguments)) (raw-lisp-allowed-p))
      (apply function arguments)
      (refuse-to-evaluate (first arguments))))

(defvar *looks-at-calls* nil)

(defun look-at-calls ()
  "For good."
  (unless *looks-at-calls*
    (setq *looks-at-calls* t)
    (dolist (name '(acl2::raw-ev-fncall acl2::raw-ev-fncall-simple))
      (wrap name #'look-at-call))))

(defun evaluate-in-raw-mode-only (function arguments)
  "For ACL2-RAW-EVAL, which LD calls in the mode that a trust tag can set."
  (if (acl2::raw-mode-p (state))
      (apply function arguments)
      (error "Raw Lisp is not evaluated without a trust tag.")))

(defun macro-of-return-last-p (name)
  (assoc name (acl2::table-alist 'acl2::return-last-table (world))))

(defun refuse-raw-forms (function arguments)
  "The first argument of EV-REC-RETURN-LAST is a raw Lisp macro."
  (if (or (macro-of-return-last-p (first arguments)) (raw-lisp-allowed-p))
      (apply function arguments)
      (error "~a is not a macro of RETURN-LAST." (one-line (first arguments) 300))))

(defparameter *takers-of-worlds*
  '(acl2::table-fn1 acl2::pop-current-acl2-world acl2::prove-termination-non-recursive acl2::put-induction-info
    acl2::putprop-type-prescription-lst acl2::chk-acceptable-defuns1)
  "Functions that install a world passed as argument, which may contain unproved theorems. ACL2 makes similar functions
untouchable, and macros become none of these.")

(defun make-functions-untouchable (functions)
  "The list is modified in place: an event would be a command of the session."
  (nconc (world-global 'acl2::untouchable-fns) functions))

(defun refuse-other-worlds (function arguments)
  "The seventh argument of TABLE-FN1 is a world, which TABLE makes the current one."
  (if (eq (seventh arguments) (world))
      (apply function arguments)
      (error "A table can only be changed in the current world.")))

(defun install-evaluators ()
  (make-functions-untouchable (copy-list *takers-of-worlds*))
  (wrap 'acl2::table-fn1 #'refuse-other-worlds)
  (wrap 'acl2::acl2-raw-eval #'evaluate-in-raw-mode-only)
  (wrap 'acl2::ev-rec-return-last #'refuse-raw-forms)
  (dolist (name '(acl2::oneify-cltl-code acl2::trace$-fn-general acl2::untrace$-fn))
    (wrap name #'leave-doors-out))
  (set-doors))
