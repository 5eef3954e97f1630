;;;; The flusher, a thread that sends what is older than 30 ms. It can be ended and started again, because a process is
;;;; copied with one thread only.

(in-package :lisp-harbor-agent)

(defun wait-for-text (buffer)
  "Waits until something is in BUFFER. False when its flusher is to end instead."
  (with-mutex ((output-buffer-lock buffer))
    (loop while (and (zerop (output-buffer-fill buffer)) (not (output-buffer-ended buffer)))
          do (condition-wait (output-buffer-filled buffer) (output-buffer-lock buffer)))
    (not (output-buffer-ended buffer))))

(defun flush-until-ended ()
  "The flusher thread: bounds how long written text may stay unseen."
  (loop while (wait-for-text *output*)
        do (sb-thread:wait-on-semaphore (output-buffer-ending *output*) :timeout +flush-delay+)
           (flush-output)))

(defvar *output-thread* nil "The flusher; user code can end it, as any other thread.")

(define-implementation ensure-output-thread ()
  (unless (and *output-thread* (thread-alive-p *output-thread*))
    (setf (output-buffer-ended *output*) nil
          (output-buffer-ending *output*) (sb-thread:make-semaphore :name "lisp-harbor output")
          *output-thread* (make-thread #'flush-until-ended :name "lisp-harbor output"))))

(defun end-output-thread ()
  "Sends all that was written and has the flusher end, without delay. Answers it."
  (flush-output)
  (with-output-buffer (*output*)
    (setf (output-buffer-ended *output*) t)
    (condition-notify (output-buffer-filled *output*)))
  (when (output-buffer-ending *output*)
    (sb-thread:signal-semaphore (output-buffer-ending *output*)))
  *output-thread*)
