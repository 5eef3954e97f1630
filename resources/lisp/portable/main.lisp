;;;; The process on these Lisps: its wire, of which each Lisp has streams of its own, and where it starts.

(in-package :lisp-harbor-agent)

(define-implementation write-to-wire (line)
  (without-interrupts
    (with-mutex (*wire-lock*)
      (handler-case (print-on-wire line)
        ;; Nobody listens any more: there is no work left that anyone could see.
        (error () (end-process +exit-wire-broken+))))))

(define-implementation line-from-wire ()
  (ignore-errors (read-wire-line)))

(defun prepare-image (package)
  (setf *default-pathname-defaults* (working-directory)
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
  "What the process calls when the agent is loaded. PACKAGE names the one to begin in. Does not return."
  (open-wire)
  (prepare-image package)
  (serve))
