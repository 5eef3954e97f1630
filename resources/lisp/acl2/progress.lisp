;;;; Progress of a proof, available at any time: SIGUSR1 requests a record. Only on GCL. On SBCL 2.2.9
;;;; a handler that allocates may end the process, so the signal is ignored there.

(in-package "LISP-HARBOR-ACL2")

(defvar *tells-progress* #+gcl t #-gcl nil "Whether SIGUSR1 is answered.")

(defmacro unless-it-fails (&body body)
  "The value of BODY, or NIL if it fails. A hard error of ACL2 is not a Lisp error: it would throw to the running form and
end it."
  (let ((value (gensym)))
    `(let ((,value nil))
       (or-else nil
         (catch 'acl2::local-top-level
           (catch 'acl2::raw-ev-fncall
             (setq ,value (progn ,@body)))))
       ,value)))

(defun steps-so-far ()
  "Counted only between goals. Outside of an event there is no record of steps, and reading it would be a hard error."
  (and (state-global 'acl2::step-limit-record)
       (acl2::prover-steps (state))))

(defun prover-stack ()
  "The active functions of the prover, such as (PROVE-LOOP REWRITE-ATM)."
  (and acl2::*pstk-stack* (one-line (mapcar #'car acl2::*pstk-stack*) 400)))

(defun checkpoints-so-far ()
  (let ((gag-state (state-global 'acl2::gag-state)))
    (and (consp gag-state) (checkpoints-object gag-state :latest t))))

(defun tell-progress ()
  "Each part is reported as far as possible, with the processor times."
  (emit "progress"
        "collecting" #+gcl (milliseconds (/ (si::gbc-time) internal-time-units-per-second)) #-gcl 0
        "running" (milliseconds (/ (get-internal-run-time) internal-time-units-per-second))
        "steps" (unless-it-fails (steps-so-far))
        "stack" (unless-it-fails (prover-stack))
        "checkpoints" (unless-it-fails (checkpoints-so-far))))

#+gcl
(defun si::sigusr1-interrupt (&rest ignored)
  "The function that GCL calls for SIGUSR1."
  (declare (ignore ignored))
  (unless *between-forms*
    (hold-signals)
    (unwind-protect (unless-it-fails (tell-progress))
      (hear-signals))))

(defun install-progress ()
  #+sbcl (sb-sys:enable-interrupt sb-unix:sigusr1 :ignore))
