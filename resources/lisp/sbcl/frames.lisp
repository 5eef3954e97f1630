;;;; The stack frames of the user, which are those between the signalling call and the agent. Uses
;;;; SBCL's backtrace and cuts off both ends.

(in-package :lisp-harbor-agent)

(defconstant +walked-frames+ 500
  "Maximum number of frames examined. An exhausted stack may have hundreds of thousands.")

(define-implementation call-user-code (function)
  (declare (optimize (debug 3)))        ; Any lower setting would merge this frame with the call.
  (funcall function))

(defparameter +signalling+
  '(error cerror warn signal break invoke-debugger sb-int:%break sb-kernel:with-simple-condition-restarts
    sb-kernel:assert-error sb-kernel::control-stack-exhausted-error sb-kernel::heap-exhausted-error
    sb-kernel:internal-error sb-int:call-hooks)
  "Functions through which a condition is signalled. Their frames are of no interest to the user.")

(defparameter +evaluating+ '(eval sb-di:eval-in-frame eval-in-frame sb-int:simple-eval-in-lexenv sb-impl::%simple-eval
                               evaluate-form read-form package-named)
  "Functions of EVAL, and functions of the agent that call it.")

(defun frame-name (frame)
  (ignore-errors (sb-di:debug-fun-name (sb-di:frame-debug-fun frame))))

(defun foreign-name-p (name)
  (and (stringp name) (search "foreign function" name)))

(defun toplevel-lambda-p (name)
  "Reports whether NAME names the function into which a form is compiled: by EVAL, or, with the frame as its
parameter, by EVAL-IN-FRAME."
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
  "Reports whether NAME names a function with which SBCL stops before a stepped call, or makes that call."
  (if (symbolp name)
      (member (symbol-name name) '("STOP-AT-STEP" "INVOKE-STEPPER" "STEP-FORM") :test #'string=)
      (and (consp name) (eq (first (last name)) 'sb-di::handle-single-step-around-trap))))

(defun signalling-name-p (name)
  (or (member name +signalling+) (foreign-name-p name) (internal-signalling-name-p name)))

(defun evaluating-name-p (name)
  (member name +evaluating+))

(defun form-frame-p (frame)
  "Reports whether FRAME is that of an evaluated form instead of a called function."
  (let ((name (frame-name frame)))
    (or (evaluating-name-p name) (toplevel-lambda-p name))))

(defun frames-from (start)
  "Returns the frames of this thread outwards from START, a function of SBCL's backtraces, as far as they can
be walked."
  (let ((frames '()))
    (ignore-errors
     (sb-debug::map-backtrace (lambda (frame) (push frame frames)) :from start :count +walked-frames+))
    (nreverse frames)))

(defun outside-p (frame other)
  "Reports whether FRAME is that of a caller of OTHER: the stack grows downwards."
  (sb-sys:sap> (sb-di::frame-pointer frame) (sb-di::frame-pointer other)))

(defun all-frames ()
  "Returns the frames of this thread, innermost first, starting from the code that a trap has interrupted, if
any. The trap of an evaluation suspended at an outer level does not count, because it has not interrupted
calls made since."
  (let* ((here (frames-from :current-frame))
         (interrupted (frames-from :debugger-frame))
         (outermost (find 'call-user-code here :key #'frame-name)))
    (if (and outermost interrupted (outside-p (first interrupted) outermost))
        here
        interrupted)))

(defun after-call-to (name frames)
  "Returns the callers of the function NAME, or all FRAMES if it was not called."
  (let ((found (member name frames :key #'frame-name)))
    (if found (rest found) frames)))

(defun drop-while (predicate frames)
  (member-if-not predicate frames :key #'frame-name))

(define-implementation user-frames ()
  "Returns the frames from the signalling call to the user's outermost one, without those that load. If EVAL
called nothing, returns the frame of EVAL."
  (let* ((frames (remove-if #'stepping-name-p (all-frames) :key #'frame-name))
         ;; Cut here first: outer levels may be suspended and have similar frames.
         (own (ldiff frames (member 'call-user-code frames :key #'frame-name)))
         (callers (drop-while #'signalling-name-p
                              (after-call-to 'call-in-evaluation (after-call-to 'invoke-debugger own)))))
    (or (remove-if #'loading-name-p (reverse (drop-while #'evaluating-name-p (reverse callers)))
                   :key #'frame-name)
        (last callers))))

(defun print-frame (frame stream)
  (call-with-call-syntax (lambda () (sb-debug::print-frame-call frame stream :print-frame-source nil))))

(defun frame-text (frame outermost form)
  "Returns the call of FRAME with its arguments, at most 400 characters. For the OUTERMOST frame, if it is not
a call, returns FORM."
  (values (if (and (eq frame outermost) (form-frame-p frame))
              (print-bounded `(eval ,form) :limit 400 :printer #'print-call)
              (print-bounded frame :limit 400 :printer #'print-frame))))

(define-implementation frame-texts (frames form)
  (loop with outermost = (first (last frames))
        for frame in frames
        repeat +reported-frames+
        collect (frame-text frame outermost form)))
