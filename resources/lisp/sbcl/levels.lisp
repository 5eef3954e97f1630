;;;; Debugger levels. A suspended evaluation stays in the dynamic context of its condition. Its thread
;;;; serves requests from there: evaluations at that level, which may be suspended in turn, and
;;;; debugger requests.

(in-package :lisp-harbor-agent)

(defstruct level
  "A debugger level: a suspended evaluation and the data that the debugger shows."
  (number 1 :type integer)
  evaluation
  condition
  data                                  ; the condition as reported
  (restarts '() :type list)
  (frames '() :type list)
  form                                  ; the top-level form being evaluated
  (departure nil))                      ; :ABANDONED, or a note that says how the evaluation continues

(defvar *levels* '()
  "The levels of this thread, innermost first. Bound in the evaluation thread, never globally.")

(define-implementation current-level ()
  (length *levels*))

(defun all-held-frames ()
  "Returns the frames of all levels, innermost first. The frames of an outer level follow those of the inner
one."
  (mapcan (lambda (level) (copy-list (level-frames level))) *levels*))

(defun level-of-frame (index)
  "Returns the level that contains frame INDEX, an index into the frames of all levels."
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
  "Returns the symbol in the name of a function, such as (SETF X), or in the name of the function that encloses
a local function. NIL if there is none."
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

;;; Exit from a level.

(defun abandon-levels (number)
  "Marks the evaluations suspended at level NUMBER and inside it as aborted. They end with their conditions."
  (dolist (level *levels*)
    (when (>= (level-number level) number)
      (setf (level-departure level) :abandoned))))

(defun forget-departures ()
  "Cancels the exit from a level."
  (dolist (level *levels*)
    (setf (level-departure level) nil)))

(defun level-numbered (number)
  (find number *levels* :key #'level-number))

(defun depart (level)
  "Carries out the decision about the evaluation suspended at LEVEL, from which control exits."
  (let ((departure (level-departure level))
        (evaluation (level-evaluation level)))
    (cond ((stringp departure) (note evaluation "~A" departure))
          (departure (setf (evaluation-abandoned evaluation) (level-data level))))
    (send "left" "id" (evaluation-id evaluation) "level" (level-number level))))

(define-implementation abandonment (evaluation)
  (let ((data (evaluation-abandoned evaluation)))
    (and data (cons "error" data))))

;;; Suspension.

(defmacro outside-of-held-code (&body body)
  "Runs BODY, which is called from inside suspended code, without the handlers and deadlines of that code and
outside of any printing in progress, because these do not apply to the debugger."
  `(let ((sb-kernel:*handler-clusters* *handlers-outside*)
         (sb-impl::*deadline* nil)
         (sb-kernel::*current-error-depth* 0)
         (sb-debug:*stack-top-hint* nil))
     (call-printing-anew (lambda () ,@body))))

(defun serve-level ()
  "Serves requests until one of them exits from the level. Interrupts are allowed only where they cannot lose a
request."
  (let ((*unhandled* (lambda (condition) (throw 'level-fault (message-of condition)))))
    (outside-of-held-code
      (sb-sys:without-interrupts
        (sb-sys:allow-with-interrupts
          (loop (let ((fault (catch 'level-fault (serve-next) nil)))
                  (when fault (send "fault" "message" fault)))))))))

(defun hold (condition)
  "Suspends *EVALUATION* at CONDITION until a restart exits from the level. Does not return."
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
  "Reports whether the stack or the heap is exhausted, so that there is no room for the debugger."
  (typep condition 'storage-condition))

(define-implementation end-or-hold (condition)
  (when (evaluation-holds *evaluation*)
    (if (no-room-to-hold-p condition)
        (note *evaluation* "The debugger level was not held: after ~A there is no room to go on."
              (name-text (type-of condition)))
        (hold condition)))
  (throw 'evaluation-ended (cons "error" (condition-data condition (user-frames)))))

;;; Stepping. SBCL's own stepper requires a terminal.

(defun show-stepped-values (condition)
  (format *trace-output* "~&; ~A => ~{~A~^, ~}~%"
          (print-bounded (sb-ext:step-condition-form condition) :limit 400 :printer #'princ) ; SBCL keeps it as text.
          (mapcar (lambda (value) (values (print-bounded value :limit 400)))
                  (sb-ext:step-condition-result condition))))

(defun stop-at-step (condition)
  "The stepper: suspends the evaluation before each call and reports the values after a call that was stepped
into. Evaluations that do not open debugger levels are not stepped."
  (typecase condition
    (sb-ext:step-values-condition (show-stepped-values condition))
    (sb-ext:step-form-condition
     (if (and *evaluation* (evaluation-holds *evaluation*))
         (invoke-debugger condition)
         (invoke-restart 'sb-ext:step-continue)))))

(define-implementation call-with-stepper (function)
  (let ((sb-ext:*stepper-hook* #'stop-at-step))
    (funcall function)))
