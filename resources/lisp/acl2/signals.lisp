;;;; Signal handling. GCL runs handlers between any two instructions, also inside FORMAT, which may
;;;; then crash, so signals wait while the helper's own code runs. On SBCL 2.2.9 deferred signals may
;;;; end the process in a garbage collection ("pending handler changed"), so there an interrupt only
;;;; sets a flag.

(in-package "LISP-HARBOR-ACL2")

(defvar *between-forms* t
  "True while the helper's own code runs: continuable conditions are continued, and an interrupt only sets a flag.")
(defvar *form* nil "While a form runs, an object that identifies it.")
(defvar *stop* nil "An interrupt has arrived during this request: no further form is started.")
(defvar *details* nil "Additional remarks on the current form, as a JSON object.")

;;; GCL assigns a level to each signal, below which its handler does not run at a safe point
;;; (usig2.c). No safe point reaches the highest level; a signal waits until its level is lowered.

#+gcl (defconstant +signal-levels+ '((2 . 2) (10 . 3)) "The levels that GCL assigns to SIGINT and SIGUSR1.")
#+gcl (defconstant +unreached-level+ 100)

(defun hold-signals ()
  "Defers signals from now on, if the host supports it."
  #+gcl (dolist (signal +signal-levels+)
          (si::signal-safety-required (car signal) +unreached-level+)))

(defun hear-signals ()
  "Enables signals, and runs handlers of deferred ones at once: GCL checks for them when it allocates."
  #+gcl (progn (dolist (signal +signal-levels+)
                 (si::signal-safety-required (car signal) (cdr signal)))
               (make-list 10)))

(defun forget-late-signals ()
  "Discards signals for an earlier request: the harbor sent them before it wrote this one."
  (hear-signals)
  (hold-signals)
  (setq *stop* nil))
