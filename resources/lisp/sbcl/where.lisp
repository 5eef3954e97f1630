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

(defun hold-on-request ()
  (setf (evaluation-holds *evaluation*) t)
  (with-simple-restart (continue "Go on with the evaluation.")
    (sb-sys:with-interrupts (invoke-debugger (make-condition 'stopped-on-request)))))

(define-operation "break" (request)
  "Members: id, evaluation. Opens a debugger level where that evaluation is. The reply says whether it was running."
  (send "reply"
        "id" (member-of request "id")
        "done" (if (call-in-evaluation (member-of request "evaluation") #'hold-on-request) :true :false)))
