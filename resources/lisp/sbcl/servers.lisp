;;;; The backend interface for SBCL: what the servers of Emacs need of threads and functions.

(in-package :lisp-harbor-agent)

(define-implementation end-thread (thread)
  (sb-thread:terminate-thread thread))

(define-implementation wait-for-thread (thread seconds)
  (sb-thread:join-thread thread :default nil :timeout seconds))

(define-implementation wrap-function (name wrapper)
  (sb-int:encapsulate name 'lisp-harbor wrapper))

(define-implementation collect-garbage ()
  (sb-ext:gc :full t))
