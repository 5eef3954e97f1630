;;;; ACL2 keeps what is untouchable out of terms where it translates them. Functions of its own that :PROGRAM code may call
;;;; evaluate terms that nobody has translated, such as one that opens the lock of trust tags, or even raw Lisp. So terms are
;;;; looked at where they are evaluated too; where a person has allowed raw Lisp there is nothing to keep. And functions that
;;;; install a world are untouchable, all of them.

(in-package "LISP-HARBOR-ACL2")

(defvar *looked-at* (make-hash-table :test 'eq) "Terms that were found fit: rules have the same ones evaluated many times.")
(defvar *looked-at-in* '() "What was untouchable then; empty before the first look.")
(defvar *suspects* '() "The functions whose calls are looked at; a term without them is fit.")

;;; A book has hundreds of thousands of terms evaluated, and GCL interprets this file: of a term that was looked at only this is
;;; asked, from ACL2's variables themselves.

(defvar *world-then* nil)
(defvar *touchable-functions-then* '())
(defvar *touchable-variables-then* '())

(defun as-then-p ()
  (and (eq acl2_global_acl2::current-acl2-world *world-then*)
       (eq acl2_global_acl2::temp-touchable-fns *touchable-functions-then*)
       (eq acl2_global_acl2::temp-touchable-vars *touchable-variables-then*)))

(defconstant +most-looked-at+ 10000)

(defun touchable-p (symbol untouchable exceptions)
  "EXCEPTIONS is T or a list of symbols, as ACL2 has it while it says itself what may be touched."
  (or (not (member symbol untouchable))
      (eq exceptions t)
      (and (listp exceptions) (member symbol exceptions))))

(defun quoted-symbol (term)
  "The symbol that TERM quotes; NIL for other terms."
  (and (consp term) (eq (car term) 'quote) (symbolp (cadr term)) (cadr term)))

(defun fit-call-p (function arguments)
  (case function
    ((acl2::put-global acl2::makunbound-global)
     (let ((variable (quoted-symbol (first arguments))))
       (and variable
            (touchable-p variable (world-global 'acl2::untouchable-vars) (state-global 'acl2::temp-touchable-vars)))))
    (acl2::return-last
     (let ((macro (quoted-symbol (first arguments))))
       (and macro (assoc macro (acl2::table-alist 'acl2::return-last-table (world))))))
    (t (touchable-p function (world-global 'acl2::untouchable-fns) (state-global 'acl2::temp-touchable-fns)))))

(defun fit-term-p (term)
  (cond ((atom term) t)
        ((eq (car term) 'quote) t)
        ((consp (car term)) (and (fit-term-p (third (car term))) (every #'fit-term-p (cdr term))))
        (t (and (fit-call-p (car term) (cdr term)) (every #'fit-term-p (cdr term))))))

(defun untouchables ()
  (list (world-global 'acl2::untouchable-fns) (world-global 'acl2::untouchable-vars)
        (state-global 'acl2::temp-touchable-fns) (state-global 'acl2::temp-touchable-vars)))

(defun forget-looked-at ()
  "Unless the same is untouchable still."
  (let ((now (untouchables)))
    (unless (and *looked-at-in* (every #'eq now *looked-at-in*))
      (clrhash *looked-at*)
      (setq *suspects* (list* 'acl2::put-global 'acl2::makunbound-global 'acl2::return-last (first now))
            *looked-at-in* now))
    (setq *world-then* acl2_global_acl2::current-acl2-world
          *touchable-functions-then* (third now)
          *touchable-variables-then* (fourth now))))

(defun look-at (term)
  "Whether TERM is fit. ACL2's compiled function finds out of most terms that they are."
  (when (>= (hash-table-count *looked-at*) +most-looked-at+)
    (clrhash *looked-at*))
  (and (or (not (acl2::ffnnamesp *suspects* term))
           (fit-term-p term))
       (setf (gethash term *looked-at*) t)))

(defun found-fit-p (term)
  (or (as-then-p) (forget-looked-at))
  (or (gethash term *looked-at*) (look-at term)))

(defun refuse-terms (terms)
  (error "A term that calls what is untouchable is not evaluated: ~a" (one-line terms 300)))

(defun look-at-term (function arguments)
  "Of what evaluates its first argument."
  (if (or (found-fit-p (car arguments)) (raw-lisp-allowed-p))
      (apply function arguments)
      (refuse-terms (car arguments))))

(defun look-at-terms (function arguments)
  "Of what evaluates each of its first argument."
  (if (or (every #'found-fit-p (car arguments)) (raw-lisp-allowed-p))
      (apply function arguments)
      (refuse-terms (car arguments))))

(defun evaluate-in-raw-mode-only (function arguments)
  "Of ACL2-RAW-EVAL, which LD calls where a trust tag has set that mode."
  (if (acl2::raw-mode-p (state))
      (apply function arguments)
      (error "Raw Lisp is not evaluated without a trust tag.")))

(defun refuse-raw-forms (function arguments)
  "Of EV-REC-RETURN-LAST, the first argument is a macro of raw Lisp."
  (if (or (raw-lisp-allowed-p)
          (fit-call-p 'acl2::return-last (list (list 'quote (first arguments)))))
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
  (dolist (name '(acl2::ev acl2::ev-w acl2::ev-for-trans-eval))
    (wrap name #'look-at-term))
  (dolist (name '(acl2::ev-lst acl2::ev-w-lst))
    (wrap name #'look-at-terms))
  (wrap 'acl2::acl2-raw-eval #'evaluate-in-raw-mode-only)
  (wrap 'acl2::ev-rec-return-last #'refuse-raw-forms))
