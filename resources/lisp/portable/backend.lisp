;;;; What the files beside this one ask of ECL, ABCL and CCL, each of which implements it in a file of its own; and the
;;;; types of conditions that SBCL signals and these Lisps do not.

(in-package :lisp-harbor-agent)

;;; Threads and the process.

(define-interface current-thread ()
  "This thread.")

(define-interface thread-name (thread)
  "What THREAD was called when it was made.")

(define-interface install-exit ()
  "Has the Lisp call BEGIN-EXIT before the process ends, and end it with the code that was asked for.")

(define-interface working-directory ()
  "The process's own, as a pathname.")

;;; The wire.

(define-interface read-wire-line ()
  "As LINE-FROM-WIRE. Errors are the end.")

(define-interface print-on-wire (text)
  "Writes TEXT and waits until it has gone. Errors mean that nobody listens.")

;;; The stack.

(define-interface stack-calls ()
  "The calls of this thread, innermost first, as far as they are looked at: lists, or names of functions only.")

(define-interface internal-packages ()
  "Names of the packages whose functions are no user's.")

;;; Definitions.

(define-interface arglist-of (function)
  "The lambda list of FUNCTION. Second value: whether it is known.")

(define-interface file-of (name)
  "The file where the function NAME was defined and a position in it, or NIL.")

(define-interface declared-special-p (symbol)
  "Whether SYMBOL was declared to name a variable.")

;;; Conditions that nobody signals here.

(define-condition interrupt-thread-error (error) ())

(define-condition compiler-note (condition) ())

#-ecl
(define-condition memory-fault-error (error) ()
  (:documentation "Java has no pointers, and CCL has errors of its own for wrong ones."))
