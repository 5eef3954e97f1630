;;;; ABOUTME: The stack frames that belong to the user: what lies between the signalling call and the agent.
;;;; ABOUTME: Reads SBCL's own backtrace and cuts off both ends.

(in-package :lisp-harbor-agent)

(defconstant +reported-frames+ 20 "Frames in the report of a condition at most.")
(defconstant +walked-frames+ 500 "Frames looked at; the stack may be exhausted and hundred thousands deep.")

(defun call-user-code (function)
  "Calls FUNCTION, which runs what the user sent. The frame of this call marks where the user's stack ends."
  (declare (optimize (debug 3)))        ; anything less would merge this frame with the call
  (funcall function))

(defmacro as-user-code (&body body)
  `(call-user-code (lambda () ,@body)))

(defparameter +signalling+
  '(error cerror warn signal break invoke-debugger sb-int:%break sb-kernel:with-simple-condition-restarts
    sb-kernel:assert-error sb-kernel::control-stack-exhausted-error sb-kernel::heap-exhausted-error
    sb-kernel:internal-error sb-int:call-hooks)
  "Functions through which a condition is signalled; their frames say nothing about the user's code.")

(defparameter +evaluating+ '(eval sb-int:simple-eval-in-lexenv sb-impl::%simple-eval evaluate-form read-form
                               package-named)
  "Functions of EVAL itself and of ours that call it.")

(defun frame-name (frame)
  (ignore-errors (sb-di:debug-fun-name (sb-di:frame-debug-fun frame))))

(defun foreign-name-p (name)
  (and (stringp name) (search "foreign function" name)))

(defun toplevel-lambda-p (name)
  "Whether NAME is that of the function into which EVAL compiles a form."
  (and (consp name) (eq (first name) 'lambda) (null (second name))))

(defun interruption-name-p (name)
  (and (symbolp name)
       (member (symbol-name name) '("INVOKE-INTERRUPTION" "RUN-INTERRUPTION" "INTERRUPTION") :test #'string=)))

(defun signalling-name-p (name)
  (or (member name +signalling+) (foreign-name-p name) (interruption-name-p name)))

(defun evaluating-name-p (name)
  (or (member name +evaluating+) (toplevel-lambda-p name)))

(defun all-frames ()
  "Frames of this thread, innermost first, as far as they can be walked."
  (let ((frames '()))
    (ignore-errors
     (sb-debug::map-backtrace (lambda (frame) (push frame frames)) :count +walked-frames+))
    (nreverse frames)))

(defun after-call-to (name frames)
  "The callers of the function NAME; all FRAMES where it was not called."
  (let ((found (member name frames :key #'frame-name)))
    (if found (rest found) frames)))

(defun drop-while (predicate frames)
  (member-if-not predicate frames :key #'frame-name))

(defun user-frames ()
  "Frames from the call that signalled outwards to the user's outermost one; empty where EVAL itself signalled."
  (let* ((callers (after-call-to 'call-in-evaluation (after-call-to 'invoke-debugger (all-frames))))
         (frames (drop-while #'signalling-name-p callers))
         (own (ldiff frames (member 'call-user-code frames :key #'frame-name))))
    (reverse (drop-while #'evaluating-name-p (reverse own)))))

(defun call-with-call-syntax (function)
  "Calls FUNCTION with printer variables that keep a call on one line and its arguments short."
  (let ((*print-length* 6) (*print-level* 3) (*print-pretty* nil))
    (funcall function)))

(defun print-call (form stream)
  (call-with-call-syntax (lambda () (prin1 form stream))))

(defun print-frame (frame stream)
  (call-with-call-syntax (lambda () (sb-debug::print-frame-call frame stream :print-frame-source nil))))

(defun frame-text (frame)
  "The call of FRAME with its arguments, 400 characters at most."
  (values (print-bounded frame :limit 400 :printer #'print-frame)))
