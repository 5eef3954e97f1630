;;;; Interrupts (SIGINT) and raw Lisp errors: no debugger starts, and ACL2 unwinds to its top level.
;;;; Works like ACL2's OUR-ABORT, but a second interrupt may arrive at any time during the first, and
;;;; none is lost.

(in-package "LISP-HARBOR-ACL2")

(defvar *raw-condition* nil "The text of the raw Lisp condition that ended a form, if any.")

(defun condition-text (condition)
  (or-else "a raw Lisp error that cannot be printed" (princ-to-string condition)))

(defun interrupt-p (condition)
  "Whether CONDITION is SIGINT: GCL signals a SIMPLE-ERROR with this text. The text is compared without printing, because a
second SIGINT would then be an error during printing, and both would be misinterpreted."
  #+sbcl (typep condition 'sb-sys:interactive-interrupt)
  #+gcl (and (typep condition 'simple-condition)
             (let ((control (simple-condition-format-control condition)))
               (and (stringp control) (search "Console interrupt" control) t))))

(defun break-p (condition)
  "Whether CONDITION is a BREAK, which SBCL passes to the hook. On GCL its loop reads *RESUMPTIONS*."
  (and (typep condition 'simple-condition)
       (not (typep condition 'error))))

(defun can-stop-softly-p ()
  "Whether a proof is running that was not told to stop. ACL2's own condition for it (OUR-ABORT)."
  (and (state-global 'acl2::abort-soft)
       acl2::*acl2-time-limit-boundp*
       (not (eql acl2::*acl2-time-limit* 0))))

(defun stop-proof ()
  "Sets the prover's time limit to now: it stops by itself and keeps its summary and checkpoints."
  (setq acl2::*acl2-time-limit* 0))

(defun unwind-form (why)
  "Ends the form unconditionally; LD restores the world. Does not return."
  (setq *raw-condition* why)
  (or-else nil (acl2::print-proof-tree-finish (state)))
  (when (> acl2::*ld-level* 0)
    (ignore-errors (throw 'acl2::local-top-level :our-abort)))
  (throw 'form-unwound nil))

(defun leave-break (why)
  "Ends the form from inside a break of break-rewrite, as its command A! does. The LD of a wormhole would catch any other
throw, and has its own time limit. Does not return."
  (setq *raw-condition* why)
  (throw 'acl2::local-top-level :abort))

(defun end-form (why)
  "Ends the form in any context. Does not return."
  (if acl2::*wormholep* (leave-break why) (unwind-form why)))

(defun note-unread-form ()
  "Reports the place of an unreadable form in a book, because the host's message has none."
  (let ((place (or-else nil (unread-form))))
    (when place (setq *details* (object "unread" place)))))

(defun handle-condition (condition hook)
  "The debugger hook."
  (declare (ignore hook))
  (let* ((*debugger-hook* 'handle-condition) ; INVOKE-DEBUGGER binds it to NIL
         (continue (find-restart 'continue condition))
         (interrupt (interrupt-p condition)))
    (when interrupt (setq *stop* t))
    (cond ((and continue (or *between-forms* (break-p condition)))
           (invoke-restart continue))
          ((and interrupt acl2::*wormholep*)
           (leave-break "interrupted"))
          ((and continue interrupt (can-stop-softly-p))
           (stop-proof)
           (invoke-restart continue))
          #+sbcl
          ((typep condition 'sb-kernel::heap-exhausted-error)
           (end-form-for-memory))
          (t (unless interrupt (note-unread-form))
             (unwind-form (condition-text condition))))))

;;; On GCL an interrupt is an error, which code may handle. ACL2 itself does so when opening files,
;;; and then reports that the file cannot be opened. Therefore the interrupt is recorded before it is
;;; signalled.

#+gcl
(defvar *signal-interrupt* #'si::terminal-interrupt "The function that GCL calls for SIGINT.")

#+gcl
(defun mark-interrupt (&rest arguments)
  (setq *stop* t)
  (apply *signal-interrupt* arguments))

(defun obey-early-interrupt ()
  "Ends a form that was interrupted before it started."
  (when *stop* (unwind-form "interrupted")))

(defun install-interrupts ()
  (setq *debugger-hook* 'handle-condition)
  #+gcl (setf (symbol-function 'si::terminal-interrupt) #'mark-interrupt)
  #+sbcl (setq sb-ext:*invoke-debugger-hook* 'handle-condition))
