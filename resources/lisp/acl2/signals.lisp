;;;; When signals are heard. GCL runs their handlers between any two instructions, also inside FORMAT, which may
;;;; then crash: there they wait while the helper's own code runs. On SBCL 2.2.9 signals that wait may end the
;;;; process in a garbage collection ("pending handler changed"): there an interrupt leaves a mark instead.

(in-package "LISP-HARBOR-ACL2")

(defvar *between-forms* t
  "True while the helper's own code runs: a condition that can be continued is, and an interrupt only leaves its mark.")
(defvar *form* nil "While a form runs, an object of its own.")
(defvar *stop* nil "An interrupt has come during this request: no further form is begun.")
(defvar *details* nil "What else is to be told of the present form, as a JSON object.")

;;; GCL has a level for each signal, below which no moment is safe enough for its handler (usig2.c). No moment reaches the
;;; highest one; a signal waits until its level has fallen.

#+gcl (defconstant +signal-levels+ '((2 . 2) (10 . 3)) "The levels that GCL gives SIGINT and SIGUSR1.")
#+gcl (defconstant +unreached-level+ 100)

(defun hold-signals ()
  "Signals wait from now on, where they can."
  #+gcl (dolist (signal +signal-levels+)
          (si::signal-safety-required (car signal) +unreached-level+)))

(defun hear-signals ()
  "Signals are heard from now on, and those that have waited at once: GCL looks for them when it allocates."
  #+gcl (progn (dolist (signal +signal-levels+)
                 (si::signal-safety-required (car signal) (cdr signal)))
               (make-list 10)))

(defun forget-late-signals ()
  "Lets those go that were meant for an earlier request: the harbor had sent them before it wrote this one."
  (hear-signals)
  (hold-signals)
  (setq *stop* nil))
