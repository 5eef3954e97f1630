;;;; For the processes of a final check: code keeps to its data there, so that none reads or writes the process's memory.
;;;; Functions of ACL2's own were compiled without checks, and :PROGRAM code may call them with anything, so an array that is
;;;; read beyond its end gives whatever lies there. In safe mode such a call is an error, on every host.

(in-package "LISP-HARBOR-ACL2")

(defun without-compiler ()
  "GCL compiles by a C compiler, which is then none; ACL2 code cannot name what says so. SBCL compiles everything, with all
checks, whatever the code declares."
  #+gcl (setq compiler::*cc* "/nonexistent/no-compiler")
  #+sbcl (sb-ext:restrict-compiler-policy 'safety 3))

(defun make-untouchable (variable)
  "No ACL2 code sets the state's global VARIABLE from now on. The list is changed in its place: books are certified in a
world that ends with a command, and an event for this would be in every certificate."
  (nconc (world-global 'acl2::untouchable-vars) (list variable)))

(defun keep-safe-mode ()
  "VALUE-TRIPLE is the one event that may leave safe mode for its form. ACL2 has each function twice; in safe mode it calls the
one that checks guards."
  (dolist (function (list 'acl2::value-triple-fn (acl2::*1*-symbol 'acl2::value-triple-fn)))
    (let ((own (symbol-function function)))
      (setf (symbol-function function)
            (lambda (form on-skip-proofs check safe-mode &rest others)
              (declare (ignore safe-mode))
              (apply own form on-skip-proofs check :same others))))))

(defun check-all-code ()
  (without-compiler)
  (keep-safe-mode)
  (set-state-global 'acl2::safe-mode t)
  (make-untouchable 'acl2::safe-mode))
