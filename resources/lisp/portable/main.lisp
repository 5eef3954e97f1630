;;;; Where a process starts that has loaded the agent: sets it up, and serves.

(in-package :lisp-harbor-agent)

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
