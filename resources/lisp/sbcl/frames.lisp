;;;; The stack frames that belong to the user: what lies between the signalling call and the agent.
;;;; Reads SBCL's own backtrace and cuts off both ends.

(in-package :lisp-harbor-agent)

(defconstant +walked-frames+ 500 "Frames looked at; the stack may be exhausted and hundred thousands deep.")

(define-implementation call-user-code (function)
  (declare (optimize (debug 3)))        ; anything less would merge this frame with the call
  (funcall function))

(defparameter +signalling+
  '(error cerror warn signal break invoke-debugger sb-int:%break sb-kernel:with-simple-condition-restarts
    sb-kernel:assert-error sb-kernel::control-stack-exhausted-error sb-kernel::heap-exhausted-error
    sb-kernel:internal-error sb-int:call-hooks)
  "Functions through which a condition is signalled; their frames say nothing about the user's code.")

(defparameter +evaluating+ '(eval sb-di:eval-in-frame eval-in-frame sb-int:simple-eval-in-lexenv sb-impl::%simple-eval
                               evaluate-form read-form package-named)
  "Functions of EVAL itself and of ours that call it.")

(defun frame-name (frame)
  (ignore-errors (sb-di:debug-fun-name (sb-di:frame-debug-fun frame))))

(defun foreign-name-p (name)
  (and (stringp name) (search "foreign function" name)))

(defun toplevel-lambda-p (name)
  "Whether NAME is that of the function into which a form is compiled: by EVAL, or, with the frame for its parameter,
by EVAL-IN-FRAME."
  (and (consp name)
       (eq (first name) 'lambda)
       (or (null (second name))
           (and (consp (second name)) (null (rest (second name))) (null (symbol-package (first (second name))))))))

(defparameter +internal-signalling+
  '("INVOKE-INTERRUPTION" "RUN-INTERRUPTION" "INTERRUPTION" "%COMPILE-TIME-TYPE-ERROR" "%SIGNAL")
  "Names of more such functions, which not every version of SBCL has.")

(defun internal-signalling-name-p (name)
  (and (symbolp name) (member (symbol-name name) +internal-signalling+ :test #'string=)))

(defun stepping-name-p (name)
  "Whether NAME is that of a function with which SBCL stops before a stepped call, or makes that call."
  (if (symbolp name)
      (member (symbol-name name) '("STOP-AT-STEP" "INVOKE-STEPPER" "STEP-FORM") :test #'string=)
      (and (consp name) (eq (first (last name)) 'sb-di::handle-single-step-around-trap))))

(defun signalling-name-p (name)
  (or (member name +signalling+) (foreign-name-p name) (internal-signalling-name-p name)))

(defun evaluating-name-p (name)
  (member name +evaluating+))

(defun form-frame-p (frame)
  "Whether FRAME is that of a form which was evaluated rather than of a function which was called."
  (let ((name (frame-name frame)))
    (or (evaluating-name-p name) (toplevel-lambda-p name))))

(defun frames-from (start)
  "Frames of this thread from START, as SBCL's backtraces call it, outwards, as far as they can be walked."
  (let ((frames '()))
    (ignore-errors
     (sb-debug::map-backtrace (lambda (frame) (push frame frames)) :from start :count +walked-frames+))
    (nreverse frames)))

(defun outside-p (frame other)
  "Whether FRAME is that of a caller of OTHER: the stack grows downwards."
  (sb-sys:sap> (sb-di::frame-pointer frame) (sb-di::frame-pointer other)))

(defun all-frames ()
  "Frames of this thread, innermost first: from the code that a trap has interrupted, where one has. That of an evaluation
which is held outside of this one is none: nothing has interrupted what was called since."
  (let* ((here (frames-from :current-frame))
         (interrupted (frames-from :debugger-frame))
         (outermost (find 'call-user-code here :key #'frame-name)))
    (if (and outermost interrupted (outside-p (first interrupted) outermost))
        here
        interrupted)))

(defun after-call-to (name frames)
  "The callers of the function NAME; all FRAMES where it was not called."
  (let ((found (member name frames :key #'frame-name)))
    (if found (rest found) frames)))

(defun drop-while (predicate frames)
  (member-if-not predicate frames :key #'frame-name))

(define-implementation user-frames ()
  "Frames from the call that signalled outwards to the user's outermost one, without those that load. Where EVAL called
nothing it is the frame of EVAL."
  (let* ((frames (remove-if #'stepping-name-p (all-frames) :key #'frame-name))
         ;; Cut here first: what is outside may be held, and its frames be much the same.
         (own (ldiff frames (member 'call-user-code frames :key #'frame-name)))
         (callers (drop-while #'signalling-name-p
                              (after-call-to 'call-in-evaluation (after-call-to 'invoke-debugger own)))))
    (or (remove-if #'loading-name-p (reverse (drop-while #'evaluating-name-p (reverse callers)))
                   :key #'frame-name)
        (last callers))))

(defun print-frame (frame stream)
  (call-with-call-syntax (lambda () (sb-debug::print-frame-call frame stream :print-frame-source nil))))

(defun frame-text (frame outermost form)
  "The call of FRAME with its arguments, 400 characters at most; for the OUTERMOST one, where it is no call, FORM."
  (values (if (and (eq frame outermost) (form-frame-p frame))
              (print-bounded `(eval ,form) :limit 400 :printer #'print-call)
              (print-bounded frame :limit 400 :printer #'print-frame))))

(define-implementation frame-texts (frames form)
  (loop with outermost = (first (last frames))
        for frame in frames
        repeat +reported-frames+
        collect (frame-text frame outermost form)))
