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

(defun keep-safe-mode ()
  "VALUE-TRIPLE is the one event that may leave safe mode for its form. ACL2 has each function twice; in safe mode it calls the
one that checks guards."
  (dolist (function (list 'acl2::value-triple-fn (acl2::*1*-symbol 'acl2::value-triple-fn)))
    (let ((own (symbol-function function)))
      (setf (symbol-function function)
            (lambda (form on-skip-proofs check safe-mode &rest others)
              (declare (ignore safe-mode))
              (apply own form on-skip-proofs check :same others))))))

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
  (set-state-global 'acl2::safe-mode t)
  (make-untouchable 'acl2::safe-mode))
