;;;; Evaluates what the harbor sends, form by form, in the thread that Swank gave the request to.
;;;; Values and warnings are told as they come; errors, input and interrupts are Swank's own business.

(in-package #:lisp-harbor.swank)

(defun print-value (value limit)
  "VALUE as PRIN1 shows it, at most LIMIT characters; so a circular list ends as well."
  (handler-case
      (swank::call/truncated-output-to-string limit (lambda (stream) (prin1 value stream)) "")
    (serious-condition (condition)
      (format nil "#<~(~A~) that cannot be printed: ~A>" (type-of value) (type-of condition)))))

(defun error-stream ()
  "A stream whose text the harbor tells from other output."
  (let ((connection swank::*emacs-connection*))
    (swank/backend:make-output-stream
     (lambda (text)
       (swank::with-connection (connection)
         (swank::send-to-emacs (list :write-string text :lisp-harbor-stderr)))))))

(defun send-output (&optional (stream *standard-output*))
  "Sends what was written to STREAM. FINISH-OUTPUT leaves that to a thread of Swank's in SLIME since 2.30."
  (funcall (or (find-symbol "REALLY-FINISH-OUTPUT" '#:swank/backend) 'finish-output) stream))

(defun tell-warning (evaluation form condition)
  (tell :warning evaluation form
        (if (typep condition 'style-warning) "style-warning" "warning")
        (princ-to-string (type-of condition))
        (swank::safe-condition-message condition))
  (let ((muffle (find-restart 'muffle-warning condition)))
    (when muffle (invoke-restart muffle))))

(defconstant +answered-characters+ 500000 "Characters of values that go into one message, which has to stay below 16 MB.")

(defun blank-after-p (code start)
  (not (find-if-not (lambda (char) (member char '(#\Space #\Tab #\Newline #\Return #\Page))) code :start start)))

(defun tell-values (evaluation values text)
  "Each value in a message of its own."
  (dolist (value values)
    (tell :value evaluation value))
  (tell :form evaluation text (package-label *package*)))

(defun tell-or-answer (evaluation values text last)
  "The values of the LAST form are answered, for a second message would wait 40 ms behind the first where the server's
socket is not set to TCP_NODELAY; others are told at once, for the next form may run for ever."
  (cond ((and last (< (reduce #'+ values :key #'length) +answered-characters+))
         (list text values))
        (t (tell-values evaluation values text)
           '())))

(defun remember-values (form values)
  "As every listener does; CLHS 25.1.1."
  (setf *** ** ** * * (first values)
        /// // // / / values
        +++ ++ ++ + + form))

(defun evaluate-form (form frame)
  "The values of FORM; with FRAME, the number of one of the stack that is held, it sees the variables there."
  (multiple-value-list (if frame (swank/backend:eval-in-frame form frame) (eval form))))

(defun evaluate-forms (code evaluation &key frame limit keep)
  "The text and the values of the last form, where they have not been told."
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
  "Evaluates the forms of CODE in PACKAGE. Answers the label of the package after the last form, its text and its values
where they have not been told; or :INTERRUPTED. SAFE refuses #. in them."
  (let ((*package* (or (find-package package) (error "There is no package ~A." package)))
        (*read-eval* (and *read-eval* (not safe)))
        (*error-output* (error-stream)))
    (call-as-evaluation
     evaluation
     (lambda ()
       (let ((answer (unwind-protect (evaluate-forms code evaluation :frame frame :limit limit :keep keep)
                       (send-output *error-output*))))
         (cons (package-label *package*) answer))))))

;;; A thread that Swank holds in the debugger, beyond what Swank answers there.

(defconstant +frames+ 10000 "Frames that are counted.")

(defun frame-count ()
  "How many frames the held stack has."
  (length (swank/backend:compute-backtrace 0 +frames+)))

(defun take-restart (index forms package)
  "Invokes restart INDEX with the values of FORMS, strings that are read in PACKAGE."
  (let ((*package* (or (find-package package) *package*)))
    (apply #'invoke-restart
           (swank::nth-restart index)
           (loop for form in forms collect (eval (read-from-string form))))))
