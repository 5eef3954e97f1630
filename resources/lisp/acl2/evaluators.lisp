;;;; ACL2 keeps what is untouchable, or wants a trust tag, out of terms where it translates them. Functions of its own that
;;;; :PROGRAM code may call evaluate terms that nobody has translated, such as one that opens the lock of trust tags, or even raw
;;;; Lisp. So whatever evaluates a term comes to that by a door, which looks; where a person has allowed raw Lisp there is
;;;; nothing to keep. And functions that install a world are untouchable, all of them.

(in-package "LISP-HARBOR-ACL2")

(defun touchable-p (symbol untouchable exceptions)
  "EXCEPTIONS is T or a list of symbols, as ACL2 has it while it says itself what may be touched."
  (or (not (member symbol untouchable))
      (eq exceptions t)
      (and (listp exceptions) (member symbol exceptions))))

(defun touchable-function-p (name)
  (touchable-p name (world-global 'acl2::untouchable-fns) (state-global 'acl2::temp-touchable-fns)))

(defun touchable-variable-p (name)
  (touchable-p name (world-global 'acl2::untouchable-vars) (state-global 'acl2::temp-touchable-vars)))

(defun refuse-to-evaluate (name)
  (error "A term that calls ~a, which is untouchable, is not evaluated." (one-line name)))

;;; The evaluator, RAW-EV-FNCALL, finds the code of a function at each call, as the value of a property of its name. ACL2's own
;;; code does not ask for it, being compiled. A look at every term instead costs as much as the rest of including a book.

(defvar *own-key* (make-symbol "OWN-KEY") "In place of ACL2's key of that property: no door is under it.")

(defun set-door (name open-p)
  "The evaluator calls NAME from now on only with arguments that OPEN-P, a function of their list, is true of."
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
  "Of ONEIFY-CLTL-CODE, which makes the code of a function that is defined: that was translated. And of what traces a function."
  (let ((acl2::**1*-symbol-key* *own-key*))
    (apply function arguments)))

(defun look-at-call (function arguments)
  "Of the functions that call what a term calls. Books that a trust tag has let in may have untouchable functions of their own."
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
  "Of ACL2-RAW-EVAL, which LD calls where a trust tag has set that mode."
  (if (acl2::raw-mode-p (state))
      (apply function arguments)
      (error "Raw Lisp is not evaluated without a trust tag.")))

(defun macro-of-return-last-p (name)
  (assoc name (acl2::table-alist 'acl2::return-last-table (world))))

(defun refuse-raw-forms (function arguments)
  "Of EV-REC-RETURN-LAST, the first argument is a macro of raw Lisp."
  (if (or (macro-of-return-last-p (first arguments)) (raw-lisp-allowed-p))
      (apply function arguments)
      (error "~a is no macro of RETURN-LAST's." (one-line (first arguments) 300))))

(defparameter *takers-of-worlds*
  '(acl2::table-fn1 acl2::pop-current-acl2-world acl2::prove-termination-non-recursive acl2::put-induction-info
    acl2::putprop-type-prescription-lst acl2::chk-acceptable-defuns1)
  "Functions that make the present world of one that they are given, which may hold a theorem that nobody has proved. ACL2 has
others like them among the untouchable ones, and macros become none of these.")

(defun make-functions-untouchable (functions)
  "The list is changed in its place: an event for this would be a command of the session's."
  (nconc (world-global 'acl2::untouchable-fns) functions))

(defun refuse-other-worlds (function arguments)
  "Of TABLE-FN1 the seventh argument is a world, which TABLE has be the present one."
  (if (eq (seventh arguments) (world))
      (apply function arguments)
      (error "A table is put into no other world than the present one.")))

(defun install-evaluators ()
  (make-functions-untouchable (copy-list *takers-of-worlds*))
  (wrap 'acl2::table-fn1 #'refuse-other-worlds)
  (wrap 'acl2::acl2-raw-eval #'evaluate-in-raw-mode-only)
  (wrap 'acl2::ev-rec-return-last #'refuse-raw-forms)
  (dolist (name '(acl2::oneify-cltl-code acl2::trace$-fn-general acl2::untrace$-fn))
    (wrap name #'leave-doors-out))
  (set-doors))
