;;;; The part of this code that differs between Swank and Slynk: for Swank. slynk.lisp has the same functions.

(in-package #:lisp-harbor.swank)

(defun begin ()
  "Called once per connection. Moves this connection to the end of Swank's list, so that errors of threads of
others go to an editor that is also connected. Returns the initial package and the thread of the REPL."
  (let ((own swank::*emacs-connection*))
    (setf swank::*connections* (append (remove own swank::*connections*) (list own))))
  (list (package-label *package*) :repl-thread))

(defun call-in-repl (function)
  "Calls FUNCTION with the variables and streams of this connection's REPL. Its thread has them."
  (funcall function))

(defun call-with-own-inspector (function)
  (let ((swank::*istate* nil)
        (swank::*inspector-history* (make-array 10 :adjustable t :fill-pointer 0)))
    (funcall function)))

(defun matching-symbols (text external package)
  "Returns the symbols with TEXT in their names, in the order in which they are shown."
  (sort (remove-duplicates (swank::apropos-symbols text external nil package))
        #'swank::present-symbol-before-p))

(defun briefly-describe (symbol)
  (swank::briefly-describe-symbol-for-emacs symbol))
