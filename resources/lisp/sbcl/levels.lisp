;;;; Debugger levels. An evaluation that is held stays inside its condition's dynamic context, and its thread
;;;; serves requests from there: evaluations at that level, which may be held in turn, and questions.

(in-package :lisp-harbor-agent)

(defstruct level
  "A place where an evaluation is held, with what the debugger shows of it."
  (number 1 :type integer)
  evaluation
  condition
  data                                  ; the condition as it was told
  (restarts '() :type list)
  (frames '() :type list)
  form                                  ; the top-level form that is being evaluated
  (departure nil))                      ; :ABANDONED, or a note that says how the evaluation goes on

(defvar *levels* '()
  "The levels held in this thread, innermost first. Bound in the evaluation thread, never globally.")

(define-implementation current-level ()
  (length *levels*))

(defun all-held-frames ()
  "The frames of all levels, innermost first: those of an outer level go on where an inner one's end."
  (mapcan (lambda (level) (copy-list (level-frames level))) *levels*))

(defun level-of-frame (index)
  "The level to which frame INDEX of all held frames belongs."
  (loop for level in *levels*
        for count = (length (level-frames level))
        when (< index count) return level
        do (decf index count)))

(defun held-frame-text (frame index)
  (let ((level (level-of-frame index)))
    (frame-text frame (first (last (level-frames level))) (level-form level))))

(define-implementation outer-restarts ()
  (and *levels* (level-restarts (first *levels*))))

(define-implementation frame-of (evaluation)
  (let ((index (evaluation-frame evaluation)))
    (and index (nth index (all-held-frames)))))

(defun named-symbol (name)
  "The symbol in the name of a function, as (SETF X), or of the one that a local function is in; NIL where there is none."
  (cond ((symbolp name) name)
        ((consp name)
         (let ((in (getf (member :in name) :in)))
           (if in
               (named-symbol in)
               (and (consp (rest name)) (symbolp (second name)) (second name)))))))

(define-implementation frame-package (frame)
  (let* ((symbol (named-symbol (frame-name frame)))
         (package (and symbol (symbol-package symbol))))
    (and package (not (sb-ext:package-locked-p package)) package)))

(define-implementation misplacement (evaluation)
  (let ((level (evaluation-level evaluation)))
    (cond ((/= level (current-level))
           (format nil "This was meant for ~A, but the session is at ~A now."
                   (level-name level) (level-name (current-level))))
          ((and (evaluation-frame evaluation) (null (frame-of evaluation)))
           (format nil "There is no frame ~D at this level." (evaluation-frame evaluation))))))

;;; Leaving a level.

(defun abandon-levels (number)
  "Marks the evaluations held at level NUMBER and at those inside it to be given up: they end with their conditions."
  (dolist (level *levels*)
    (when (>= (level-number level) number)
      (setf (level-departure level) :abandoned))))

(defun forget-departures ()
  "No level is left after all."
  (dolist (level *levels*)
    (setf (level-departure level) nil)))

(defun level-numbered (number)
  (find number *levels* :key #'level-number))

(defun depart (level)
  "Does what was decided about the evaluation held at LEVEL, which is being left."
  (let ((departure (level-departure level))
        (evaluation (level-evaluation level)))
    (cond ((stringp departure) (note evaluation "~A" departure))
          (departure (setf (evaluation-abandoned evaluation) (level-data level))))
    (send "left" "id" (evaluation-id evaluation) "level" (level-number level))))

(define-implementation abandonment (evaluation)
  (let ((data (evaluation-abandoned evaluation)))
    (and data (cons "error" data))))

;;; Holding one.

(defmacro outside-of-held-code (&body body)
  "Runs BODY, which is called from inside the held code, without that code's handlers and deadlines, and as if it were not
printing: that is not meant for those who look at it."
  `(let ((sb-kernel:*handler-clusters* *handlers-outside*)
         (sb-impl::*deadline* nil)
         (sb-kernel::*current-error-depth* 0)
         (sb-debug:*stack-top-hint* nil))
     (call-printing-anew (lambda () ,@body))))

(defun serve-level ()
  "Serves requests until one of them leaves the level. Interrupts are possible only where nothing can be lost by one."
  (let ((*unhandled* (lambda (condition) (throw 'level-fault (message-of condition)))))
    (outside-of-held-code
      (sb-sys:without-interrupts
        (sb-sys:allow-with-interrupts
          (loop (let ((fault (catch 'level-fault (serve-next) nil)))
                  (when fault (send "fault" "message" fault)))))))))

(defun hold (condition)
  "Holds *EVALUATION* at CONDITION until a restart leaves the level. Does not return."
  (let* ((frames (user-frames))
         (data (condition-data condition frames))
         (level (make-level :number (1+ (current-level))
                            :evaluation *evaluation* :condition condition :data data
                            :restarts (user-restarts condition) :frames frames :form *current-form*)))
    (setf (evaluation-abandoned *evaluation*) nil)
    (deliver-output)
    (send "held" "id" (evaluation-id *evaluation*) "package" (short-package-name (usable-package)) "condition" data)
    (unwind-protect
         (let ((*levels* (cons level *levels*)))
           (at-rest (*evaluation*)
             (without-cpu-watch (serve-level))))
      (depart level))))

(defun no-room-to-hold-p (condition)
  "Whether the stack or the heap is full: there is no room to look around in then."
  (typep condition 'storage-condition))

(define-implementation end-or-hold (condition)
  (when (evaluation-holds *evaluation*)
    (if (no-room-to-hold-p condition)
        (note *evaluation* "The debugger level was not held: after ~A there is no room to go on."
              (name-text (type-of condition)))
        (hold condition)))
  (throw 'evaluation-ended (cons "error" (condition-data condition (user-frames)))))

;;; Stepping. SBCL's own stepper talks to a terminal.

(defun show-stepped-values (condition)
  (format *trace-output* "~&; ~A => ~{~A~^, ~}~%"
          (print-bounded (sb-ext:step-condition-form condition) :limit 400 :printer #'princ) ; SBCL keeps it as text
          (mapcar (lambda (value) (values (print-bounded value :limit 400)))
                  (sb-ext:step-condition-result condition))))

(defun stop-at-step (condition)
  "The stepper: holds the evaluation before each call, and tells the values after what was stepped into. An evaluation
that does not hold is not stepped."
  (typecase condition
    (sb-ext:step-values-condition (show-stepped-values condition))
    (sb-ext:step-form-condition
     (if (and *evaluation* (evaluation-holds *evaluation*))
         (invoke-debugger condition)
         (invoke-restart 'sb-ext:step-continue)))))

(define-implementation call-with-stepper (function)
  (let ((sb-ext:*stepper-hook* #'stop-at-step))
    (funcall function)))
