;;;; ABOUTME: How far a proof has come, told at any moment of it: SIGUSR1 asks, and a record answers.
;;;; ABOUTME: GCL only. On SBCL 2.2.9 a handler that allocates may end the process, so the signal is ignored there.

(in-package "LISP-HARBOR-ACL2")

(defvar *tells-progress* #+gcl t #-gcl nil "Whether SIGUSR1 is answered.")

(defun prover-stack ()
  "What the prover is in, such as (PROVE-LOOP REWRITE-ATM); for people who know its functions."
  (one-line (mapcar #'car acl2::*pstk-stack*) 400))

(defun checkpoints-so-far ()
  (let ((gag-state (state-global 'acl2::gag-state)))
    (and (consp gag-state) (checkpoints-object gag-state))))

(defun tell-progress ()
  "Steps are counted between goals only. Each part is told as far as the moment allows it."
  (emit "progress"
        "steps" (or-else nil (acl2::prover-steps (state)))
        "stack" (or-else nil (prover-stack))
        "checkpoints" (or-else nil (checkpoints-so-far))))

#+gcl
(defun si::sigusr1-interrupt (&rest ignored)
  "What GCL calls for SIGUSR1."
  (declare (ignore ignored))
  (unless *between-forms*
    (hold-signals)
    (unwind-protect (or-else nil (tell-progress))
      (hear-signals))))

(defun install-progress ()
  #+sbcl (sb-sys:enable-interrupt sb-unix:sigusr1 :ignore))
