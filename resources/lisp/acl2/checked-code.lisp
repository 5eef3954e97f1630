;;;; For the processes of a final check: code keeps to its data there, so that none reads or writes the process's memory.
;;;; Functions of ACL2's own were compiled without checks, and :PROGRAM code may call them with anything, so an array that is
;;;; read beyond its end gives whatever lies there. In safe mode such a call is an error, on every host.

(in-package "LISP-HARBOR-ACL2")

(defun compile-with-checks ()
  "Whatever the code declares. On GCL nothing is compiled that safe mode runs: ACL2's second definition of each function."
  #+sbcl (sb-ext:restrict-compiler-policy 'safety 3))

(defun make-untouchable (variable)
  "No ACL2 code sets the state's global VARIABLE from now on. The list is changed in its place: books are certified in a
world that ends with a command, and an event for this would be in every certificate."
  (nconc (world-global 'acl2::untouchable-vars) (list variable)))

(defun change-arguments (function arguments-of)
  "FUNCTION of ACL2's is from now on called with what ARGUMENTS-OF makes of its arguments. ACL2 has each function twice; in
safe mode it calls the one that checks guards."
  (dolist (name (list function (acl2::*1*-symbol function)))
    (wrap name (lambda (own arguments) (apply own (apply arguments-of arguments))))))

(defun keep-safe-mode ()
  "VALUE-TRIPLE is the one event that may leave it for its form."
  (change-arguments 'acl2::value-triple-fn
                    (lambda (form on-skip-proofs check safe-mode &rest others)
                      (declare (ignore safe-mode))
                      (list* form on-skip-proofs check :same others)))
  (set-state-global 'acl2::safe-mode t)
  (make-untouchable 'acl2::safe-mode))

(defun prove-everything ()
  "Guards that nobody has proved would let code out of safe mode: skipping fails where it stands. To LD, nothing is a legal
value but NIL."
  (change-arguments 'acl2::chk-ld-skip-proofsp
                    (lambda (value &rest others)
                      (cons (and value :none-is-skipped-here) others)))
  (make-untouchable 'acl2::inside-skip-proofs))

(defun stay-in-safe-mode-when-evaluating ()
  "These set safe mode as an argument of theirs says, which may come from anywhere."
  (flet ((place-of-safe-mode (place function)
           (change-arguments function
                             (lambda (&rest arguments) (with-argument place t arguments)))))
    (place-of-safe-mode 3 'acl2::ev-fncall+-w)
    (dolist (function '(acl2::ev-fncall-w-body acl2::ev-w acl2::ev-w-lst))
      (place-of-safe-mode 4 function))))

(defparameter *raw-functions-of-events*
  '(acl2::certify-book-fn acl2::comp-fn acl2::defstobj-fn acl2::ev-w acl2::include-book-fn acl2::ld-fn acl2::make-event-fn
    acl2::print-summary)
  "Functions of ACL2's that stand in raw Lisp alone and that its events call. They take what people write, and look at it.")

(defun admit-raw-functions ()
  "Safe mode refuses such functions, and without these no large book is included. It goes on to refuse the others: they believe
their arguments."
  (dolist (function *raw-functions-of-events*)
    (setf (symbol-function (acl2::*1*-symbol function)) (symbol-function function))))

(defun refuse-to-trace ()
  "The options of TRACE$, such as :ENTRY, are code that runs as raw Lisp."
  (wrap 'acl2::trace$-fn-general
        (lambda (&rest ignored)
          (declare (ignore ignored))
          (error "Nothing is traced in a final check."))))

(defparameter *refusals*
  '((acl2::inside-skip-proofs . :skips)
    (:none-is-skipped-here . :skips)
    (acl2::safe-mode . :leaves))
  "From what ACL2's errors are about where something here refuses, to what was tried.")

(defun speaks-of-p (sign alist &optional (depth 4))
  "Whether a message with ALIST, or one within it, is about SIGN itself."
  (and (plusp depth)
       (some (lambda (entry)
               (let ((about (cdr entry)))
                 (or (eq about sign)
                     (and (consp about) (stringp (car about)) (speaks-of-p sign (cdr about) (1- depth))))))
             alist)))

(defun why-refused (alist)
  "In the words of who wrote the code, where ACL2's error with ALIST speaks of what stands here."
  (case (cdr (assoc-if (lambda (sign) (or-else nil (speaks-of-p sign alist))) *refusals*))
    (:skips "This skips proofs. In a final check every proof is done, so what rests on a skipped one does not pass.")
    (:leaves "This leaves ACL2's safe mode, in which all code runs in a final check (state global SAFE-MODE).")))

(defun say-why-it-is-refused ()
  (change-arguments 'acl2::error1
                    (lambda (context summary control alist state)
                      (let ((why (why-refused alist)))
                        (if why
                            (list context nil why '() state)
                            (list context summary control alist state))))))

(defun check-all-code ()
  (compile-with-checks)
  (stay-in-safe-mode-when-evaluating)
  (admit-raw-functions)
  (refuse-to-trace)
  (keep-safe-mode)
  (prove-everything)
  (say-why-it-is-refused))
