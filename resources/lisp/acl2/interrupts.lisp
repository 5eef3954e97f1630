;;;; Interrupts (SIGINT) and errors of raw Lisp: no debugger ever starts, and ACL2 unwinds to its top level.
;;;; Like ACL2's own OUR-ABORT, but a second interrupt may come at any moment of the first, and none is lost.

(in-package "LISP-HARBOR-ACL2")

(defvar *raw-condition* nil "The text of the raw Lisp condition that ended a form, if one did.")

(defun condition-text (condition)
  (or-else "an error of raw Lisp that cannot be printed" (princ-to-string condition)))

(defun interrupt-p (condition)
  "Whether CONDITION is SIGINT: GCL signals a SIMPLE-ERROR of this text. The text is not printed to find that out, because a
second SIGINT would then be an error of the printing, and both would be taken for something else."
  #+sbcl (typep condition 'sb-sys:interactive-interrupt)
  #+gcl (and (typep condition 'simple-condition)
             (let ((control (simple-condition-format-control condition)))
               (and (stringp control) (search "Console interrupt" control) t))))

(defun break-p (condition)
  "Whether CONDITION is a BREAK, which SBCL brings to the hook. On GCL its loop reads *RESUMPTIONS*."
  (and (typep condition 'simple-condition)
       (not (typep condition 'error))))

(defun can-stop-softly-p ()
  "Whether a proof runs that nobody has told to stop yet. ACL2's own condition for it (OUR-ABORT)."
  (and (state-global 'acl2::abort-soft)
       acl2::*acl2-time-limit-boundp*
       (not (eql acl2::*acl2-time-limit* 0))))

(defun stop-proof ()
  "The prover is out of time: it stops by itself, and keeps its summary and its checkpoints."
  (setq acl2::*acl2-time-limit* 0))

(defun unwind-form (why)
  "Ends the form, whatever it does; LD restores the world. Does not return."
  (setq *raw-condition* why)
  (or-else nil (acl2::print-proof-tree-finish (state)))
  (when (> acl2::*ld-level* 0)
    (ignore-errors (throw 'acl2::local-top-level :our-abort)))
  (throw 'form-unwound nil))

(defun leave-break (why)
  "Ends the form from inside a break of break-rewrite, as its command A! does. The LD of a wormhole would catch any other
throw, and has a limit of time of its own. Does not return."
  (setq *raw-condition* why)
  (throw 'acl2::local-top-level :abort))

(defun end-form (why)
  "Ends the form wherever it is. Does not return."
  (if acl2::*wormholep* (leave-break why) (unwind-form why)))

(defun note-unread-form ()
  "A form of a book that cannot be read has its place told: the host's own words have none."
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

;;; An interrupt is an error of GCL's, which code may handle as one of its own; ACL2 itself does where it opens files, and tells
;;; then that a file cannot be opened. So it leaves its mark before it is signalled.

#+gcl
(defvar *signal-interrupt* #'si::terminal-interrupt "What GCL calls for SIGINT.")

#+gcl
(defun mark-interrupt (&rest arguments)
  (setq *stop* t)
  (apply *signal-interrupt* arguments))

(defun obey-early-interrupt ()
  "Ends a form that was interrupted before it began."
  (when *stop* (unwind-form "interrupted")))

(defun install-interrupts ()
  (setq *debugger-hook* 'handle-condition)
  #+gcl (setf (symbol-function 'si::terminal-interrupt) #'mark-interrupt)
  #+sbcl (setq sb-ext:*invoke-debugger-hook* 'handle-condition))
