;;;; The process on these Lisps: its wire, for which each Lisp has its own streams, and its entry
;;;; point.

(in-package :lisp-harbor-agent)

(define-implementation write-to-wire (line)
  (without-interrupts
    (with-mutex (*wire-lock*)
      (handler-case (print-on-wire line)
        ;; The harbor has closed the wire, so no further result can be seen.
        (error () (end-process +exit-wire-broken+))))))

(define-implementation line-from-wire ()
  (ignore-errors (read-wire-line)))

(defun prepare-image (package)
  (setf *default-pathname-defaults* (working-directory)
        *project-folder* (namestring *default-pathname-defaults*)
        *random-state* (make-random-state t)
        *wire-thread* (current-thread)
        *package* (ensure-package (or package +cl-user+)))
  (dolist (variable +printer-variables+)
    (setf (symbol-global-value variable) (symbol-value variable)))
  (forget-built-in-systems)
  (install-standard-streams)
  (install-debugger)
  (install-exit))

(defun run (&optional package)
  "Called by the process when the agent is loaded. PACKAGE names the initial package. Does not return."
  (open-wire)
  (prepare-image package)
  (serve))
