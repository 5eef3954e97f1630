;;;; How far a proof has come, told at any moment of it: SIGUSR1 asks, and a record answers.
;;;; GCL only. On SBCL 2.2.9 a handler that allocates may end the process, so the signal is ignored there.

(in-package "LISP-HARBOR-ACL2")

(defvar *tells-progress* #+gcl t #-gcl nil "Whether SIGUSR1 is answered.")

(defmacro unless-it-fails (&body body)
  "The value of BODY, or NIL where it fails. A hard error of ACL2's is no error of Lisp's: it would throw to the form that
runs, and end it."
  `(let ((value nil))
     (or-else nil
       (catch 'acl2::local-top-level
         (catch 'acl2::raw-ev-fncall
           (setq value (progn ,@body)))))
     value))

(defun steps-so-far ()
  "Counted between goals only. Outside an event there is no record of them, and to ask would be a hard error."
  (and (state-global 'acl2::step-limit-record)
       (acl2::prover-steps (state))))

(defun prover-stack ()
  "What the prover is in, such as (PROVE-LOOP REWRITE-ATM); for people who know its functions."
  (and acl2::*pstk-stack* (one-line (mapcar #'car acl2::*pstk-stack*) 400)))

(defun checkpoints-so-far ()
  (let ((gag-state (state-global 'acl2::gag-state)))
    (and (consp gag-state) (checkpoints-object gag-state :latest t))))

(defun tell-progress ()
  "Each part is told as far as the moment allows it, and what processor time has gone into what."
  (emit "progress"
        "collecting" #+gcl (milliseconds (/ (si::gbc-time) internal-time-units-per-second)) #-gcl 0
        "running" (milliseconds (/ (get-internal-run-time) internal-time-units-per-second))
        "steps" (unless-it-fails (steps-so-far))
        "stack" (unless-it-fails (prover-stack))
        "checkpoints" (unless-it-fails (checkpoints-so-far))))

#+gcl
(defun si::sigusr1-interrupt (&rest ignored)
  "What GCL calls for SIGUSR1."
  (declare (ignore ignored))
  (unless *between-forms*
    (hold-signals)
    (unwind-protect (unless-it-fails (tell-progress))
      (hear-signals))))

(defun install-progress ()
  #+sbcl (sb-sys:enable-interrupt sb-unix:sigusr1 :ignore))
