;;;; The limit of processor time of one evaluation. While such an evaluation runs, a separate thread
;;;; watches it and interrupts it as its caller could. Only that evaluation ends.

(in-package :lisp-harbor-agent)

(defconstant +shortest-pause+ 0.02 "Minimum time between two checks, in seconds.")
(defconstant +cleanup-seconds+ 1 "Processor time that cleanup forms get before they are interrupted in turn.")

(defstruct cpu-watch
  "Run times are those of the process, including all threads and garbage collections, in internal time units."
  evaluation
  (limit 0 :type integer)
  (begun-at (get-internal-run-time) :type integer)
  (paused-at nil :type (or null integer)) ; while the evaluation is suspended in the debugger
  (over (sb-thread:make-semaphore :name "lisp-harbor cpu limit"))
  thread)

(defvar *cpu-watch* nil "The CPU limit watch of the evaluation that this thread runs, or NIL. Never bound globally.")

(defun run-time-left (watch)
  (- (+ (cpu-watch-limit watch) (cpu-watch-begun-at watch))
     (or (cpu-watch-paused-at watch) (get-internal-run-time))))

(defun pause-before-next-look (watch)
  "Returns the time to the next check in seconds. It is short enough that four busy threads hardly exceed the
limit."
  (max +shortest-pause+ (/ (run-time-left watch) internal-time-units-per-second 4)))

(defun stop-spent-evaluation (watch)
  "Runs in the evaluation thread. Code that continues in its cleanup forms is stopped again."
  (when (and (null (cpu-watch-paused-at watch)) (<= (run-time-left watch) 0))
    (incf (cpu-watch-limit watch) (* +cleanup-seconds+ internal-time-units-per-second))
    (let ((evaluation (cpu-watch-evaluation watch)))
      (note-of-kind "cpu_limit" evaluation
                    "The evaluation was interrupted because it had used the ~A s of processor time that the limit ~
                     of this session allows. The session's state is kept."
                    (evaluation-cpu-seconds evaluation)))
    (throw 'evaluation-ended (list "interrupted"))))

(defun watch-cpu (watch)
  "The main function of the watching thread."
  (loop until (sb-thread:wait-on-semaphore (cpu-watch-over watch) :timeout (pause-before-next-look watch))
        when (<= (run-time-left watch) 0)
          do (call-in-evaluation (evaluation-id (cpu-watch-evaluation watch))
                                 (lambda () (stop-spent-evaluation watch)))))

(defun begin-cpu-watch (evaluation)
  (let ((watch (make-cpu-watch :evaluation evaluation
                               :limit (* (evaluation-cpu-seconds evaluation) internal-time-units-per-second))))
    (setf (cpu-watch-thread watch)
          (sb-thread:make-thread #'watch-cpu :arguments (list watch) :name "lisp-harbor cpu limit"))
    watch))

(defun end-cpu-watch (watch)
  "Waits until the thread has ended, so that a following checkpoint is not refused."
  (sb-thread:signal-semaphore (cpu-watch-over watch))
  (sb-thread:join-thread (cpu-watch-thread watch) :default nil))

(define-implementation call-with-cpu-watch (evaluation function)
  (if (null (evaluation-cpu-seconds evaluation))
      (funcall function)
      (let ((*cpu-watch* (begin-cpu-watch evaluation)))
        (unwind-protect (funcall function)
          (end-cpu-watch *cpu-watch*)))))

(defun resume-cpu-watch (watch)
  (incf (cpu-watch-begun-at watch) (- (get-internal-run-time) (cpu-watch-paused-at watch)))
  (setf (cpu-watch-paused-at watch) nil))

(defmacro without-cpu-watch (&body body)
  "Runs BODY without counting its run time for the evaluation that waits for it."
  `(let ((watch *cpu-watch*))
     (when watch (setf (cpu-watch-paused-at watch) (get-internal-run-time)))
     (unwind-protect (let ((*cpu-watch* nil)) ,@body)
       (when watch (resume-cpu-watch watch)))))
