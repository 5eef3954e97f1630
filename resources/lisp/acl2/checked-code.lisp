;;;; Restrictions for processes of a final check: code cannot read or write memory outside of its data.
;;;; ACL2's own functions are compiled without checks, and :PROGRAM code may call them with any
;;;; arguments, so reading an array beyond its end returns arbitrary memory. In safe mode such a call
;;;; is an error on every host.

(in-package "LISP-HARBOR-ACL2")

(defun compile-with-checks ()
  "Independent of declarations in the code. On GCL, safe mode runs ACL2's second definition of
each function, which is not compiled."
  #+sbcl (sb-ext:restrict-compiler-policy 'safety 3))

(defun make-untouchable (variable)
  "From now on no ACL2 code can set the state global VARIABLE. The list is modified in place: books are certified in a world
that ends with a command, and an event would appear in each certificate."
  (nconc (world-global 'acl2::untouchable-vars) (list variable)))

(defun change-arguments (function arguments-of)
  "From now on, ACL2's FUNCTION is called with the result of ARGUMENTS-OF for its arguments. ACL2 has two definitions of each
function; safe mode calls the one that checks guards."
  (dolist (name (list function (acl2::*1*-symbol function)))
    (wrap name (lambda (own arguments) (apply own (apply arguments-of arguments))))))

(defun keep-safe-mode ()
  "VALUE-TRIPLE is the only event that can leave it for its form."
  (change-arguments 'acl2::value-triple-fn
                    (lambda (form on-skip-proofs check safe-mode &rest others)
                      (declare (ignore safe-mode))
                      (list* form on-skip-proofs check :same others)))
  (set-state-global 'acl2::safe-mode t)
  (make-untouchable 'acl2::safe-mode))

(defun prove-everything ()
  "Unproved guards would let code leave safe mode, so skipping proofs is an error where it happens. For LD, NIL is the only
legal value."
  (change-arguments 'acl2::chk-ld-skip-proofsp
                    (lambda (value &rest others)
                      (cons (and value :none-is-skipped-here) others)))
  (make-untouchable 'acl2::inside-skip-proofs))

(defun stay-in-safe-mode-when-evaluating ()
  "These set safe mode from an argument, which may come from anywhere."
  (flet ((place-of-safe-mode (place function)
           (change-arguments function
                             (lambda (&rest arguments) (with-argument place t arguments)))))
    (place-of-safe-mode 3 'acl2::ev-fncall+-w)
    (dolist (function '(acl2::ev-fncall-w-body acl2::ev-w acl2::ev-w-lst))
      (place-of-safe-mode 4 function))))

(defparameter *raw-functions-of-events*
  '(acl2::certify-book-fn acl2::comp-fn acl2::defstobj-fn acl2::ev-w acl2::include-book-fn acl2::ld-fn acl2::make-event-fn
    acl2::print-summary)
  "Functions of ACL2 that exist only in raw Lisp and that its events call. They validate user input.")

(defun admit-raw-functions ()
  "Safe mode refuses such functions, and without these no large book can be included. The others remain refused, because
they do not check their arguments."
  (dolist (function *raw-functions-of-events*)
    (setf (symbol-function (acl2::*1*-symbol function)) (symbol-function function))))

(defun refuse-to-trace ()
  "Options of TRACE$, such as :ENTRY, are code that runs as raw Lisp."
  (wrap 'acl2::trace$-fn-general
        (lambda (&rest ignored)
          (declare (ignore ignored))
          (error "TRACE$ is not available in a final check."))))

(defparameter *refusals*
  '((acl2::inside-skip-proofs . :skips)
    (:none-is-skipped-here . :skips)
    (acl2::safe-mode . :leaves))
  "For errors that are raised here: from the subject of ACL2's message to a description of the attempt.")

(defun speaks-of-p (sign alist &optional (depth 4))
  "Reports whether a message with ALIST, or a nested one, is about SIGN."
  (and (plusp depth)
       (some (lambda (entry)
               (let ((about (cdr entry)))
                 (or (eq about sign)
                     (and (consp about) (stringp (car about)) (speaks-of-p sign (cdr about) (1- depth))))))
             alist)))

(defun why-refused (alist)
  "Rewrites ACL2's error with ALIST in terms of the user's code if it is about a restriction of this file."
  (case (cdr (assoc-if (lambda (sign) (or-else nil (speaks-of-p sign alist))) *refusals*))
    (:skips "This skips proofs. A final check performs every proof, so nothing may depend on a skipped one.")
    (:leaves "This leaves ACL2's safe mode, in which a final check runs all code (state global SAFE-MODE).")))

(defun say-why-it-is-refused ()
  (change-arguments 'acl2::error1
                    (lambda (context summary control alist state)
                      (let ((why (why-refused alist)))
                        (if why
                            (list context nil why '() state)
                            (list context summary control alist state))))))

(defun check-all-code ()
  (setq *nothing-compiled* t)
  (compile-with-checks)
  (stay-in-safe-mode-when-evaluating)
  (admit-raw-functions)
  (refuse-to-trace)
  (keep-safe-mode)
  (prove-everything)
  (say-why-it-is-refused))
