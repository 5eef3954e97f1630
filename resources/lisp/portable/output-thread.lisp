;;;; The flusher, a thread that sends output older than 30 ms. It runs as long as the image, because
;;;; these Lisps never fork their process.

(in-package :lisp-harbor-agent)

#-abcl
(defun wait-for-output ()
  "Waits until there is something to send."
  (with-mutex ((output-buffer-lock *output*))
    (loop while (zerop (output-buffer-fill *output*))
          do (condition-wait (output-buffer-filled *output*) (output-buffer-lock *output*)))))

#+abcl
(defun wait-for-output ()
  "Returns immediately. These streams do not signal when they have content, so they are polled.")

(defun flush-forever ()
  (loop
    (wait-for-output)
    (sleep +flush-delay+)
    (flush-output)))

(defvar *output-thread* nil "The flusher thread. User code can end it like any other thread.")

(define-implementation ensure-output-thread ()
  (unless (and *output-thread* (thread-alive-p *output-thread*))
    (setf *output-thread* (make-thread #'flush-forever :name "lisp-harbor output"))))
