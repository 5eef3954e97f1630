;;;; ABOUTME: The agent's package: what runs inside an SBCL image on behalf of the harbor.
;;;; ABOUTME: User code sees none of it; only the names a user may meet in a report are exported.

(defpackage :lisp-harbor-agent
  (:use :cl)
  (:export
   ;; Entry points of the build and of the saved core.
   #:run
   #:warm-up
   ;; Conditions that the agent signals to user code.
   #:unknown-package
   #:heap-limit-reached
   #:compilation-failed))

(defpackage :lisp-harbor
  (:documentation "What evaluated code may say to the harbor that runs it.")
  (:export
   ;; Values that have a handle, and their parts as `inspect` numbers them.
   #:object
   #:part
   ;; Loading and testing, told to the harbor with every failure as data.
   #:load-system
   #:load-file
   #:run-tests
   ;; What an earlier image had defined.
   #:replay))
