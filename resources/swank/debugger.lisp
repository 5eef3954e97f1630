;;;; ABOUTME: What the harbor asks of a thread that Swank holds in the debugger, beyond what Swank answers there.

(in-package #:lisp-harbor.swank)

(defconstant +frames+ 10000 "Frames that are counted.")

(defun frame-count ()
  "How many frames the held stack has."
  (length (swank/backend:compute-backtrace 0 +frames+)))

(defun take-restart (index forms package)
  "Invokes restart INDEX with the values of FORMS, strings that are read in PACKAGE."
  (let ((*package* (or (find-package package) *package*)))
    (apply #'invoke-restart
           (swank::nth-restart index)
           (loop for form in forms collect (eval (read-from-string form))))))
