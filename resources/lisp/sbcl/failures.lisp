;;;; What made a load fail, as data: errors that the compiler and the reader met, each with its file, line and form,
;;;; and the top-level form whose loading signalled an error that nobody handled.

(in-package :lisp-harbor-agent)

(defconstant +reported-failures+ 200 "Failures of one load that are sent.")

(defvar *failures* nil "How many failures this load has had; NIL outside of a load.")

(defun send-failure (condition place &optional (message (message-of condition)))
  "Sends CONDITION as a failure of the load that runs. PLACE is keys and values."
  (when (and *evaluation* (<= (incf *failures*) +reported-failures+))
    (flush-output)                      ; what was printed before it comes before it
    (apply #'send "failure"
           "id" (evaluation-id *evaluation*)
           "type" (name-text (type-of condition))
           "message" message
           place)))

;;; The compiler and its reader.

(defun form-begun (condition)
  "Line and column, from 1, where the form begins that the compiled file leaves open; or NIL."
  (let ((line/col (sb-c::input-error-in-compile-file-line/col condition)))
    (and line/col (list (car line/col) (1+ (cdr line/col))))))

(defun last-read (stream)
  "Line and column, from 1, of the last character that the reader took from STREAM."
  (let ((info (ignore-errors (sb-kernel::stream-error-position-info stream))))
    (mapcar #'second (list (assoc :line info) (assoc :column info)))))

(defun read-error-text (condition)
  "What CONDITION reports, without the place and the stream that readers add to it."
  (typecase condition
    (end-of-file "The file ends inside the form that begins here.")
    (simple-condition (values (print-bounded condition :limit 20000 :printer #'print-simple-condition)))
    (t (message-of condition))))

(defun print-simple-condition (condition stream)
  (apply #'format stream (simple-condition-format-control condition) (simple-condition-format-arguments condition)))

(defun send-read-error (wrapped)
  "Sends what the reader signalled; WRAPPED is what COMPILE-FILE makes of it."
  (let ((condition (sb-int:encapsulated-condition wrapped)))
    (destructuring-bind (&optional line column)
        (or (form-begun wrapped) (last-read (stream-error-stream condition)))
      (send-failure condition
                    `("file" ,(sb-ext:native-namestring *compile-file-truename*)
                      ,@(when (and line column) `("line" ,line "column" ,column)))
                    (read-error-text condition)))))

(defun send-compiler-error (condition)
  "Sends CONDITION, with which the compiler says that it goes on without the form."
  (let ((cause (sb-int:encapsulated-condition condition)))
    (if (typep cause 'sb-c::input-error-in-compile-file)
        (send-read-error cause)
        (send-failure cause (compiler-position)))))

;;; Calls of functions that are not ours, such as the compiler's or a test framework's. They go on as if nobody looked.

(defun call-around (name wrapper function)
  "Calls FUNCTION. Each call of the function NAME meanwhile goes to WRAPPER, with that function before its arguments."
  (sb-int:encapsulate name wrapper wrapper)
  (unwind-protect (funcall function)
    (sb-int:unencapsulate name wrapper)))

(defun call-observed (name observer function)
  "Calls FUNCTION. OBSERVER is called with the arguments of each call of the function NAME before that goes on."
  (call-around name
               (lambda (observed &rest arguments)
                 (funcall observer arguments)
                 (apply observed arguments))
               function))

;;; Errors at load time.

(defun top-level-form-frame-p (frame)
  (top-level-form-name-p (frame-name frame)))

(defun frame-place (frame)
  "Keys and values of the place in a source file that FRAME has reached, and the text of the form there."
  (let* ((location (sb-di:frame-code-location frame))
         (file (pathname (sb-c::debug-source-namestring (sb-di:code-location-debug-source location))))
         (text (ignore-errors (read-text file)))
         (start (and text (top-level-form-start text (sb-di:code-location-toplevel-form-offset location))))
         (use (and start (use-position text start (sb-di:code-location-form-number location)))))
    `(,@(place-members file text use)
      ,@(when use `("source" ,(subseq text use (min (form-end text use) (+ use 1000))))))))

(defun loading-place ()
  "Keys and values of the top-level form that is being loaded; empty when none is."
  (let ((frame (find-if #'top-level-form-frame-p (all-frames))))
    (and frame (ignore-errors (frame-place frame)))))

(defun call-reporting-failures (function)
  "Calls FUNCTION, which loads. What it fails of is sent: what the compiler says at once, an error that reaches the
debugger once it does. Nothing is handled here. A load inside of a load is a part of that."
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
  "Says what is compiled, in one line where SBCL takes four."
  (push (cons file (get-universal-time)) *compilations*)
  (format t "~&; compiling ~A~%" (sb-ext:native-namestring file)))

(defun reporting-debugger (debugger)
  "What to have in place of DEBUGGER, a hook: it sends which top-level form the condition comes from, then goes there."
  (lambda (condition hook)
    (let ((place (loading-place)))
      (when place (send-failure condition place)))
    (funcall debugger condition hook)))

(defmacro reporting-failures (&body body)
  `(call-reporting-failures (lambda () ,@body)))
