;;;; The evaluation thread and its queue. The session's state belongs to the image, not to the thread.
;;;; If user code ends the thread, a new one replaces it and no state is lost.

(in-package :lisp-harbor-agent)

(defvar *requests* '() "Queued evaluations and debugger requests, oldest first. :END ends the thread that serves them.")
(defvar *requests-lock* (make-mutex :name "lisp-harbor requests"))
(defvar *requests-came* (make-waitqueue :name "lisp-harbor requests"))

(defun next-request ()
  "Waits for a request. An interrupt can end the wait, but never loses a request that was taken from the queue."
  (without-interrupts
    (with-mutex (*requests-lock*)
      (loop until *requests*
            do (with-local-interrupts
                 (condition-wait *requests-came* *requests-lock*)))
      (pop *requests*))))

(defun send-unevaluated (evaluation outcome condition note)
  "Reports that EVALUATION did not end by itself."
  (deliver-output)
  (send-done evaluation outcome condition (append (notes-data evaluation) (list note))))

(defun answer-unwound (evaluation)
  "Sends the result of EVALUATION, which was unwound from outside: by a restart of an outer level or by the end
of the thread."
  (destructuring-bind (outcome . condition) (or (abandonment evaluation) (cons "interrupted" :null))
    (if (plusp (current-level))
        (send-unevaluated evaluation outcome condition "The debugger level at which this was evaluated was left.")
        (progn
          (setf *evaluation-thread* nil)
          (send-unevaluated evaluation outcome condition
                            "The code ended the thread that evaluated it; a new thread serves the session.")))))

(defun serve-evaluation (evaluation)
  "Evaluates the request, and sends a result even if the evaluation is unwound."
  (let ((misplaced (or (misplacement evaluation) (profiling-obstacle evaluation)))
        (answered nil))
    (if misplaced
        (send-unevaluated evaluation "refused" :null misplaced)
        (unwind-protect
             (progn (evaluate evaluation)
                    (setf answered t))
          (unless (or answered (exiting-p))
            (answer-unwound evaluation))))))

(defgeneric serve-one (request)
  (:documentation "Carries out a request in the evaluation thread and sends the result.")
  (:method ((request evaluation)) (serve-evaluation request))
  ;; The request was made while nothing was suspended. An evaluation suspended since must not be
  ;; unwound.
  (:method ((request (eql :end))) (when (zerop (current-level)) (throw 'no-more-requests nil))))

(defun serve-next ()
  (serve-one (next-request)))

(defun serve-requests ()
  "Serves requests until :END. The main function of the evaluation thread."
  (let ((*handlers-outside* *handler-clusters*))
    (catch 'no-more-requests
      (loop (serve-next)))))

(defun ensure-evaluation-thread ()
  (unless (and *evaluation-thread* (thread-alive-p *evaluation-thread*))
    (setf *evaluation-thread* (make-thread #'serve-requests :name "lisp-harbor evaluation"))))

(defun enqueue-request (request)
  "Queues REQUEST, an evaluation or a debugger request, for the evaluation thread."
  (with-mutex (*requests-lock*)
    (setf *requests* (append *requests* (list request)))
    (condition-notify *requests-came*))
  (ensure-evaluation-thread))

(defun evaluation-of (request)
  (make-evaluation :id (member-of request "id")
                   :code (member-of request "code")
                   :package (member-of request "package")
                   :safe-read (member-of request "safeRead")
                   :keep-values (member-of request "keepValues")
                   :answers-input (member-of request "answersInput")
                   :holds (equal (member-of request "onError") "debug")
                   :level (or (member-of request "level") 0)
                   :frame (member-of request "frame")
                   :profile (profile-mode (member-of request "profile"))
                   :traced (member-of request "trace")
                   :cpu-seconds (member-of request "cpuSeconds")
                   :allowance (make-allowance :id (member-of request "id") :limit (member-of request "outputChars"))
                   :value-characters (or (member-of request "maxChars") +all-values-characters+)
                   :print-level (member-of request "printLevel")
                   :print-length (member-of request "printLength")
                   :frames-with-locals (or (member-of request "framesWithLocals") 0)))

(define-operation "evaluate" (request)
  "Members: id, code, package?, safeRead?, maxChars?, keepValues?, answersInput?, onError?, level?, frame?, profile?,
trace?, cpuSeconds?, outputChars?, printLevel?, printLength?, framesWithLocals?."
  (enqueue-request (evaluation-of request)))
