;;;; The place that running code has reached, as its calls in progress: for an evaluation that is
;;;; interrupted, limited or looked at while it runs, and the debugger on request.

(in-package :lisp-harbor-agent)

(defun own-function-p (frame)
  "Reports whether FRAME calls a function of the user: one of a file, or one whose name is in no package of the Lisp,
of the agent or of a test framework."
  (let* ((name (frame-name frame))
         (symbol (named-symbol name))
         (package (and symbol (symbol-package symbol))))
    (if (and (consp name) (stringp (getf (member :in name) :in)))
        t
        (and package
             (not (sb-ext:package-locked-p package))
             (not (member package (list* (find-package :lisp-harbor-agent) (find-package :lisp-harbor)
                                          (mapcar #'framework-package (loaded-frameworks)))))))))

(define-implementation calls-in-progress ()
  (place-texts (remove-if-not #'own-function-p (user-frames))))

(define-condition stopped-on-request (condition) ()
  (:report "The evaluation was stopped to look at it. CONTINUE goes on."))

(defconstant +looks-for-calls+ 40 "Number of interrupts until code is stopped although its caller is not seen.")

(defun in-routine-p (frames)
  "Reports whether the innermost of FRAMES is a routine of the Lisp without a frame of its own, such as those of arithmetic.
SBCL does not see the caller of one."
  (let ((symbol (and frames (named-symbol (frame-name (first frames))))))
    (and symbol (eq (symbol-package symbol) (find-package "SB-VM")))))

(defun hold-soon (looks)
  "Stops the running evaluation a moment later, unless it has ended."
  (let ((evaluation *evaluation*))
    (sb-ext:schedule-timer (sb-ext:make-timer (lambda ()
                                                (when (eq evaluation *evaluation*) (hold-on-request looks)))
                                              :thread sb-thread:*current-thread*)
                           2/1000)))

(defun hold-on-request (&optional (looks +looks-for-calls+))
  "Opens the debugger, if possible where the calls in progress are seen."
  (if (and (plusp looks) (in-routine-p (user-frames)))
      (hold-soon (1- looks))
      (open-level-on-request)))

(defun open-level-on-request ()
  (setf (evaluation-holds *evaluation*) t)
  (with-simple-restart (continue "Go on with the evaluation.")
    (sb-sys:with-interrupts (invoke-debugger (make-condition 'stopped-on-request)))))

(define-operation "break" (request)
  "Members: id, evaluation. Opens a debugger level where that evaluation is. The reply says whether it was running."
  (send "reply"
        "id" (member-of request "id")
        "done" (if (call-in-evaluation (member-of request "evaluation") #'hold-on-request) :true :false)))
