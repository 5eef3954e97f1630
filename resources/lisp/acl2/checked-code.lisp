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

(defun admit-raw-functions ()
  "Safe mode refuses those of ACL2's own functions that stand in raw Lisp alone, and its own events call them: without this no
large book is included. What they are given is not checked."
  (dolist (function (state-global 'acl2::program-fns-with-raw-code))
    (let ((checked (acl2::*1*-symbol function)))
      (when (and (fboundp function) (fboundp checked))
        (setf (symbol-function checked) (symbol-function function))))))

(defun check-all-code ()
  (compile-with-checks)
  (admit-raw-functions)
  (keep-safe-mode)
  (prove-everything))
