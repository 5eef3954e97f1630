;;;; ABOUTME: One evaluation: reads and evaluates every top-level form of the code, and prints the values of each.
;;;; ABOUTME: The session's variables are the global ones, as at SBCL's own prompt, and so outlive the evaluation.

(in-package :lisp-harbor-agent)

(defconstant +value-characters+ 65536 "Longest printed value when the request names none.")
(defconstant +all-values-characters+ 4000000 "Longest text of all values of one evaluation together.")
(defconstant +recorded-warnings+ 200)

(defstruct evaluation
  (id 0 :type integer)
  (code "" :type string)
  (package nil :type (or null string))
  (safe-read nil)
  (keep-values nil)
  (value-characters +value-characters+ :type integer)
  (characters-left +all-values-characters+ :type integer)
  (form-count 0 :type integer)
  (warning-count 0 :type integer)
  (notes '() :type list))

(defvar *evaluation* nil "The evaluation whose code runs in this thread; never bound globally.")

(defun note (evaluation control &rest arguments)
  "Adds a sentence about EVALUATION that its caller must know."
  (push (apply #'format nil control arguments) (evaluation-notes evaluation)))

;;; Warnings.

(defun send-warning (evaluation warning)
  (flush-output)                        ; what was printed before it comes before it
  (apply #'send "warning"
         "id" (evaluation-id evaluation)
         "severity" (if (typep warning 'style-warning) "style-warning" "warning")
         "type" (name-text (type-of warning))
         "message" (values (print-bounded warning :limit 4000 :printer #'princ))
         "form" (evaluation-form-count evaluation)
         (compiler-position)))

(defun count-for-compiler (warning)
  "Keeps the second and third value of COMPILE and COMPILE-FILE true: the compiler itself counts what nobody muffles."
  (when (and (typep warning 'warning) (boundp 'sb-c::*failure-p*))
    (setf sb-c::*warnings-p* t)
    (unless (typep warning 'style-warning) (setf sb-c::*failure-p* t))))

(defun uninteresting-p (warning)
  "Whether SBCL signals WARNING but means nobody to see it: a macro that was compiled is loaded, and so defined again."
  (ignore-errors (typep warning sb-ext:*muffled-warnings*)))

(defun record-warning (evaluation warning)
  "Sends WARNING as data and keeps it from being printed."
  (let ((muffle (and (not (uninteresting-p warning)) (find-restart 'muffle-warning warning))))
    (when muffle
      (count-for-compiler warning)
      (when (<= (incf (evaluation-warning-count evaluation)) +recorded-warnings+)
        (send-warning evaluation warning))
      (invoke-restart muffle))))

(defmacro with-recorded-warnings ((evaluation) &body body)
  `(handler-bind ((sb-ext:compiler-note #'muffle-warning)
                  (warning (lambda (warning) (record-warning ,evaluation warning))))
     ,@body))

;;; Reading.

(defun position-in (stream)
  (or (file-position stream) 0))

(defun read-form (evaluation stream end)
  "The next form of STREAM, and where it begins; END when there is none."
  (let ((next (peek-char t stream nil end))
        (start (position-in stream)))
    (values (if (eq next end)
                end
                (handler-bind ((end-of-file
                                 (lambda (condition)
                                   (when (eq (stream-error-stream condition) stream)
                                     (note evaluation "The code ends inside the form that begins at character ~D." start)))))
                  (progv (if (evaluation-safe-read evaluation) '(*read-eval*) '()) '(nil)
                    (read-preserving-whitespace stream nil end))))
            start)))

;;; Evaluating.

(defun evaluate-form (form)
  "All values of FORM, evaluated as the REPL would, with its variables - + * / kept."
  (setf - form)
  (let ((values (multiple-value-list
                 ;; Only DEBUG 3 keeps all frames and locals; libraries that the form loads are not touched.
                 (eval `(locally (declare (optimize (debug 3))) ,form)))))
    (setf /// // // / / values
          *** ** ** * * (first values)
          +++ ++ ++ + + form)
    values))

(defun value-text (evaluation value)
  (multiple-value-bind (text missing)
      (print-bounded value :limit (min (evaluation-value-characters evaluation)
                                       (evaluation-characters-left evaluation)))
    (when missing
      (note evaluation "A value of form ~D ~A." (1+ (evaluation-form-count evaluation)) missing))
    (decf (evaluation-characters-left evaluation) (length text))
    text))

(defun send-form (evaluation start end values)
  (send "form"
        "id" (evaluation-id evaluation)
        "code" (string-right-trim '(#\Space #\Tab #\Newline #\Return #\Page)
                                  (subseq (evaluation-code evaluation) start end))
        "values" (mapcar (lambda (value) (value-text evaluation value)) values))
  (incf (evaluation-form-count evaluation)))

(defun source-of-form (evaluation start)
  "What the compiler is told of the form at START: definitions then know where they come from."
  (evaluated-source (evaluation-id evaluation) (or (form-start (evaluation-code evaluation) start) start)))

(defun evaluate-all-forms (evaluation)
  "Evaluates form after form: a form is read when the ones before it have run, for they may define packages."
  (loop with stream = (make-string-input-stream (evaluation-code evaluation))
        with end = stream
        do (multiple-value-bind (form start) (as-user-code (read-form evaluation stream end))
             (when (eq form end) (return))
             (setf *current-form* form)
             (let ((values (let ((sb-c::*source-plist* (source-of-form evaluation start)))
                             (as-user-code (evaluate-form form)))))
               (when (evaluation-keep-values evaluation)
                 (keep-values (evaluation-id evaluation) values))
               (usable-package)
               (send-form evaluation start (position-in stream) values)))))

(defun evaluate-in-package (evaluation)
  (if (evaluation-package evaluation)
      (let ((*package* (as-user-code (package-named (evaluation-package evaluation)))))
        (evaluate-all-forms evaluation))
      (evaluate-all-forms evaluation)))

(defun call-to-top-level (evaluation)
  "Runs EVALUATION with a restart that returns here. Answers its outcome."
  (restart-case
      (let ((*top-level-restart* (find-restart 'abort)))
        (with-recorded-warnings (evaluation)
          (evaluate-in-package evaluation))
        (list "ok"))
    (abort ()
      :report "Return to the top level."
      (note evaluation "The code returned to the top level by the ABORT restart.")
      (list "interrupted"))))

(defun run-evaluation (evaluation)
  "Answers the outcome of EVALUATION and the data of the condition that ended it, as a cons. Interrupts can reach it
inside the CATCH only: outside, *CURRENT* is NIL whenever they are allowed."
  (let ((*current-form* (evaluation-code evaluation)))
    (sb-sys:without-interrupts
      (prog1 (catch 'evaluation-ended
               (sb-sys:with-local-interrupts
                 (setf *current* (evaluation-id evaluation))
                 (let ((*evaluating-here* t)
                       (*evaluation* evaluation))
                   (call-to-top-level evaluation))))
        (flush-output)
        (setf *current* nil)))))

(defun note-lost-warnings (evaluation)
  (let ((lost (- (evaluation-warning-count evaluation) +recorded-warnings+)))
    (when (plusp lost) (note evaluation "~D more warnings were not recorded." lost))))

(defun evaluate (evaluation)
  "Runs EVALUATION and sends what became of it."
  (destructuring-bind (outcome . condition)
      (with-standard-streams
        (let ((sb-ext:*invoke-debugger-hook* #'enter-debugger)
              (*debugger-hook* nil))
          (run-evaluation evaluation)))
    (note-lost-warnings evaluation)
    (tell-loaded-systems evaluation)
    (send "done"
          "id" (evaluation-id evaluation)
          "outcome" outcome
          "package" (short-package-name (usable-package))
          "condition" (or condition :null)
          "notes" (reverse (evaluation-notes evaluation)))
    (reclaim-heap)))
