;;;; The part of the backend interface that the files in portable/ require from ECL, ABCL and CCL, each
;;;; of which implements it in one file. Also the condition types that SBCL signals and these Lisps do
;;;; not.

(in-package :lisp-harbor-agent)

;;; Threads and the process.

(define-interface current-thread ()
  "This thread.")

(define-interface install-exit ()
  "Makes the Lisp call BEGIN-EXIT before the process ends, and end it with the requested exit code.")

(define-interface working-directory ()
  "Returns the working directory of the process as a pathname.")

;;; The wire.

(define-interface read-wire-line ()
  "Does the same as LINE-FROM-WIRE. An error counts as the end of the wire.")

(define-interface print-on-wire (text)
  "Writes TEXT and waits until it is sent. An error means that the harbor has closed the wire.")

;;; The stack.

(define-interface stack-calls ()
  "Returns the calls of this thread, innermost first, up to a maximum, as lists or as names of functions.")

(define-interface internal-packages ()
  "Returns the names of the packages whose functions do not belong to the user.")

;;; Definitions.

(define-interface arglist-of (function)
  "Returns the lambda list of FUNCTION. The second value is true if it is known.")

(define-interface file-of (name)
  "Returns the file in which the function NAME was defined and a position in it, or NIL.")

(define-interface declared-special-p (symbol)
  "Reports whether SYMBOL was declared as the name of a variable.")

;;; Conditions that these Lisps never signal.

(define-condition interrupt-thread-error (error) ())

(define-condition compiler-note (condition) ())

#-ecl
(define-condition memory-fault-error (error) ()
  (:documentation "Java has no pointers, and CCL has its own errors for invalid ones."))
