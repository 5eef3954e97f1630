;;;; ABOUTME: What reaches this process as a signal, and how threads know that it ends.
;;;; ABOUTME: Ctrl-C, wherever it comes from, is an interrupt of the evaluation.

(in-package :lisp-harbor-agent)

(defun exiting-p ()
  "Whether this thread is unwound because the process ends: it has called EXIT itself, or another one has."
  (or *exiting* sb-impl::*exit-in-progress*))

(defun handle-sigint (signal info context)
  "Ctrl-C, wherever it comes from, interrupts the evaluation instead of opening a debugger."
  (declare (ignore signal info context))
  (interrupt-evaluation *current*))

(defun install-signal-handlers ()
  (sb-sys:enable-interrupt sb-unix:sigint #'handle-sigint)
  (sb-sys:enable-interrupt sb-unix:sigpipe :ignore))

