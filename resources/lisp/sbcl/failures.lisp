;;;; Causes of a failed load as data: errors of the compiler and the reader, each with its file, line
;;;; and form, and the top-level form whose loading signalled an unhandled error.

(in-package :lisp-harbor-agent)

(defconstant +reported-failures+ 200 "Maximum number of failures of one load that are sent.")

(defvar *failures* nil "Number of failures of the running load. NIL outside of a load.")

(defun send-failure (condition place &optional (message (message-of condition)))
  "Sends CONDITION as a failure of the running load. PLACE is keys and values."
  (when (and *evaluation* (<= (incf *failures*) +reported-failures+))
    (flush-output)                      ; Keeps the order of earlier output.
    (apply #'send "failure"
           "id" (evaluation-id *evaluation*)
           "type" (name-text (type-of condition))
           "message" message
           place)))

;;; The compiler and its reader.

(defun form-begun (condition)
  "Returns line and column, from 1, of the form that the compiled file leaves open, or NIL."
  (let ((line/col (sb-c::input-error-in-compile-file-line/col condition)))
    (and line/col (list (car line/col) (1+ (cdr line/col))))))

(defun last-read (stream)
  "Returns line and column, from 1, of the last character that the reader took from STREAM."
  (let ((info (ignore-errors (sb-kernel::stream-error-position-info stream))))
    (mapcar #'second (list (assoc :line info) (assoc :column info)))))

(defun read-error-text (condition)
  "Returns the report of CONDITION without the position and the stream that readers add to it."
  (typecase condition
    (end-of-file "The file ends inside the form that begins here.")
    (simple-condition (values (print-bounded condition :limit 20000 :printer #'print-simple-condition)))
    (t (message-of condition))))

(defun print-simple-condition (condition stream)
  (apply #'format stream (simple-condition-format-control condition) (simple-condition-format-arguments condition)))

(defun send-read-error (wrapped)
  "Sends a condition of the reader. WRAPPED is the condition into which COMPILE-FILE wraps it."
  (let ((condition (sb-int:encapsulated-condition wrapped)))
    (destructuring-bind (&optional line column)
        (or (form-begun wrapped) (last-read (stream-error-stream condition)))
      (send-failure condition
                    `("file" ,(sb-ext:native-namestring *compile-file-truename*)
                      ,@(when (and line column) `("line" ,line "column" ,column)))
                    (read-error-text condition)))))

(defun send-compiler-error (condition)
  "Sends CONDITION, with which the compiler reports that it continues without the form."
  (let ((cause (sb-int:encapsulated-condition condition)))
    (if (typep cause 'sb-c::input-error-in-compile-file)
        (send-read-error cause)
        (send-failure cause (compiler-position)))))

;;; Interception of calls of functions outside of the agent, such as those of the compiler or a test
;;; framework. Their behavior does not change.

(defun call-around (name wrapper function)
  "Calls FUNCTION. Meanwhile each call of the function NAME goes to WRAPPER, with the original function before
its arguments."
  (sb-int:encapsulate name wrapper wrapper)
  (unwind-protect (funcall function)
    (sb-int:unencapsulate name wrapper)))

(defun call-observed (name observer function)
  "Calls FUNCTION. Meanwhile OBSERVER is called with the arguments of each call of the function NAME before the
call."
  (call-around name
               (lambda (observed &rest arguments)
                 (funcall observer arguments)
                 (apply observed arguments))
               function))

;;; Errors at load time.

(defun top-level-form-frame-p (frame)
  (top-level-form-name-p (frame-name frame)))

(defun frame-place (frame)
  "Returns keys and values of the location in a source file that FRAME has reached, and the text of the form
there."
  (let* ((location (sb-di:frame-code-location frame))
         (file (pathname (sb-c::debug-source-namestring (sb-di:code-location-debug-source location))))
         (text (ignore-errors (read-text file)))
         (start (and text (top-level-form-start text (sb-di:code-location-toplevel-form-offset location))))
         (use (and start (use-position text start (sb-di:code-location-form-number location)))))
    `(,@(place-members file text use)
      ,@(when use `("source" ,(subseq text use (min (form-end text use) (+ use 1000))))))))

(defun loading-place ()
  "Returns keys and values of the top-level form being loaded. Empty if there is none."
  (let ((frame (find-if #'top-level-form-frame-p (all-frames))))
    (and frame (ignore-errors (frame-place frame)))))

(defun call-reporting-failures (function)
  "Calls FUNCTION, which loads. Sends the causes of a failure: errors of the compiler immediately, other errors
when they reach the debugger. Handles no condition. A nested load counts as a part of the outer one."
  (if *failures*
      (funcall function)
      (let ((*failures* 0)
            (*compilations* '())
            (*compile-verbose* nil)
            (sb-ext:*invoke-debugger-hook* (reporting-debugger sb-ext:*invoke-debugger-hook*)))
        (handler-bind ((sb-c:compiler-error #'send-compiler-error))
          (unwind-protect
               (call-observed 'compile-file
                              (lambda (arguments) (note-compilation (first arguments)))
                              (lambda () (call-withdrawing function)))
            (note-lost-failures)
            (date-compiled-files))))))

(defun note-lost-failures ()
  (when (and *evaluation* (> *failures* +reported-failures+))
    (note *evaluation* "~D more failures were not recorded." (- *failures* +reported-failures+))))

(defun note-compilation (file)
  "Prints what is compiled in one line. SBCL prints four."
  (push (cons file (get-universal-time)) *compilations*)
  (format t "~&; compiling ~A~%" (sb-ext:native-namestring file)))

(defun reporting-debugger (debugger)
  "Returns a replacement for DEBUGGER, a hook: it sends the top-level form that the condition comes from, then
calls DEBUGGER."
  (lambda (condition hook)
    (let ((place (loading-place)))
      (when place (send-failure condition place)))
    (funcall debugger condition hook)))

(defmacro reporting-failures (&body body)
  `(call-reporting-failures (lambda () ,@body)))
