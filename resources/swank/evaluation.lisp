;;;; Evaluates code of the harbor form by form, in the thread to which Swank passed the request. Values
;;;; and warnings are sent as they occur. Swank itself handles errors, input and interrupts.

(in-package #:lisp-harbor.swank)

(defun print-value (value limit)
  "Returns VALUE as PRIN1 prints it, at most LIMIT characters. The limit also ends circular lists."
  (handler-case
      (swank::call/truncated-output-to-string limit (lambda (stream) (prin1 value stream)) "")
    (serious-condition (condition)
      (format nil "#<~(~A~) that cannot be printed: ~A>" (type-of value) (type-of condition)))))

(defun error-stream ()
  "Returns a stream whose text the harbor can distinguish from other output."
  (let ((connection swank::*emacs-connection*))
    (swank/backend:make-output-stream
     (lambda (text)
       (swank::with-connection (connection)
         (swank::send-to-emacs (list :write-string text :lisp-harbor-stderr)))))))

(defun send-output (&optional (stream *standard-output*))
  "Sends the text written to STREAM. Since SLIME 2.30 FINISH-OUTPUT leaves that to a thread of Swank."
  (funcall (or (find-symbol "REALLY-FINISH-OUTPUT" '#:swank/backend) 'finish-output) stream))

(defun tell-warning (evaluation form condition)
  (tell :warning evaluation form
        (if (typep condition 'style-warning) "style-warning" "warning")
        (princ-to-string (type-of condition))
        (swank::safe-condition-message condition))
  (let ((muffle (find-restart 'muffle-warning condition)))
    (when muffle (invoke-restart muffle))))

(defconstant +answered-characters+ 500000
  "Maximum number of characters of values in one message, which must be below 16 MB.")

(defun blank-after-p (code start)
  (not (find-if-not (lambda (char) (member char '(#\Space #\Tab #\Newline #\Return #\Page))) code :start start)))

(defun tell-values (evaluation values text)
  "Sends each value in a message of its own."
  (dolist (value values)
    (tell :value evaluation value))
  (tell :form evaluation text (package-label *package*)))

(defun tell-or-answer (evaluation values text last)
  "Returns the values of the LAST form as a part of the answer, because a second message would be delayed by 40
ms if the server's socket is not set to TCP_NODELAY. Values of other forms are sent immediately, because the
next form may run forever."
  (cond ((and last (< (reduce #'+ values :key #'length) +answered-characters+))
         (list text values))
        (t (tell-values evaluation values text)
           '())))

(defun remember-values (form values)
  "Sets the variables - + * /, as every listener does (CLHS 25.1.1)."
  (setf *** ** ** * * (first values)
        /// // // / / values
        +++ ++ ++ + + form))

(defun evaluate-form (form frame)
  "Returns the values of FORM. With FRAME, the number of a frame of the suspended stack, its variables are
visible."
  (multiple-value-list (if frame (swank/backend:eval-in-frame form frame) (eval form))))

(defun evaluate-forms (code evaluation &key frame limit keep)
  "Returns the text and the values of the last form, if they have not been sent."
  (loop with start = 0
        with answer = '()
        for index from 0
        do (multiple-value-bind (form end) (read-from-string code nil code :start start)
             (when (eq form code) (return answer))
             (setf - form)
             (let ((values (handler-bind ((warning (lambda (condition)
                                                     (tell-warning evaluation index condition))))
                             (evaluate-form form frame))))
               (send-output)
               (send-output *error-output*)
               (remember-values form values)
               (when keep (keep-value evaluation (first values)))
               (setf answer (tell-or-answer evaluation
                                            (loop for value in values collect (print-value value limit))
                                            (subseq code start end)
                                            (blank-after-p code end)))
               (setf start end)))))

(defun evaluate (code evaluation &key package frame (limit 65536) keep safe)
  "Evaluates the forms of CODE in PACKAGE. Returns the label of the package after the last form, and its text
and values if they have not been sent, or :INTERRUPTED. SAFE rejects #. in the forms."
  (flet ((evaluate ()
           (let ((*package* (or (find-package package) (error "There is no package ~A." package)))
                 (*read-eval* (and *read-eval* (not safe)))
                 (*error-output* (error-stream)))
             (call-as-evaluation
              evaluation
              (lambda ()
                (let ((answer (unwind-protect (evaluate-forms code evaluation :frame frame :limit limit :keep keep)
                                (send-output *error-output*))))
                  (cons (package-label *package*) answer)))))))
    (call-in-repl #'evaluate)))

;;; Threads suspended in Swank's debugger: requests that Swank does not support.

(defconstant +frames+ 10000 "Maximum number of frames counted.")

(defun frame-count ()
  "Returns the number of frames of the suspended stack."
  (length (swank/backend:compute-backtrace 0 +frames+)))

(defun take-restart (index forms package)
  "Invokes restart INDEX with the values of FORMS, strings that are read in PACKAGE."
  (let ((*package* (or (find-package package) *package*)))
    (apply #'invoke-restart
           (swank::nth-restart index)
           (loop for form in forms collect (eval (read-from-string form))))))
