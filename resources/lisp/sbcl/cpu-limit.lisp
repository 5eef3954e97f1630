;;;; The limit of the processor time that one evaluation may use. While such an evaluation runs, a thread of its
;;;; own watches it and interrupts it as its caller could: the evaluation ends, and nothing else does.

(in-package :lisp-harbor-agent)

(defconstant +shortest-pause+ 0.02 "Seconds between two looks at least.")
(defconstant +cleanup-seconds+ 1 "Processor time that cleanup forms get before they are interrupted in turn.")

(defstruct cpu-watch
  "Run times are those of the process, all of its threads and their collections included, in internal units."
  evaluation
  (limit 0 :type integer)
  (begun-at (get-internal-run-time) :type integer)
  (paused-at nil :type (or null integer)) ; while the evaluation is held in the debugger
  (over (sb-thread:make-semaphore :name "lisp-harbor cpu limit"))
  thread)

(defvar *cpu-watch* nil "The watch over the evaluation that this thread runs, or NIL; never bound globally.")

(defun run-time-left (watch)
  (- (+ (cpu-watch-limit watch) (cpu-watch-begun-at watch))
     (or (cpu-watch-paused-at watch) (get-internal-run-time))))

(defun pause-before-next-look (watch)
  "Seconds: so long that the limit is hardly exceeded also when four threads work."
  (max +shortest-pause+ (/ (run-time-left watch) internal-time-units-per-second 4)))

(defun stop-spent-evaluation (watch)
  "Runs in the evaluation thread. Code that goes on in its cleanup forms is stopped again."
  (when (and (null (cpu-watch-paused-at watch)) (<= (run-time-left watch) 0))
    (incf (cpu-watch-limit watch) (* +cleanup-seconds+ internal-time-units-per-second))
    (let ((evaluation (cpu-watch-evaluation watch)))
      (note evaluation
            "The evaluation was interrupted because it had used the ~A s of processor time that the limit of this ~
             session allows. The session's state is kept. `open_session` takes another limit."
            (evaluation-cpu-seconds evaluation)))
    (throw 'evaluation-ended (list "interrupted"))))

(defun watch-cpu (watch)
  "The watching thread."
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
  "No thread is left: a checkpoint that comes next finds none."
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
  "Runs BODY, whose run time is not that of the evaluation which waits for it."
  `(let ((watch *cpu-watch*))
     (when watch (setf (cpu-watch-paused-at watch) (get-internal-run-time)))
     (unwind-protect (let ((*cpu-watch* nil)) ,@body)
       (when watch (resume-cpu-watch watch)))))
