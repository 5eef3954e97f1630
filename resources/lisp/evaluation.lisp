;;;; One evaluation: reads and evaluates every top-level form of the code, and prints the values of each.
;;;; The session's variables are the global ones, as at SBCL's own prompt, and so outlive the evaluation.

(in-package :lisp-harbor-agent)

(defconstant +all-values-characters+ 4194304 "Longest text of a value, and of all values of one evaluation together.")

(defstruct evaluation
  (id 0 :type integer)
  (code "" :type string)
  (package nil :type (or null string))
  (safe-read nil)
  (keep-values nil)                     ; whether an inspector will ask for the values of the last form
  (answers-input nil)                   ; whether the caller answers when the code reads
  (holds nil)                           ; whether an unhandled condition opens a debugger level
  (profile nil)                         ; :CPU or :ALLOC where its code is to be profiled
  (meter (make-meter))
  (level 0 :type integer)               ; the debugger level it is evaluated at; 0 is the top level
  (frame nil :type (or null integer))   ; the frame of that level whose locals the code sees
  (abort-restart nil)
  (abandoned nil)                       ; the condition it was held at when it was given up
  (cpu-seconds nil :type (or null integer)) ; the processor time that it may use
  (allowance (make-allowance))          ; what it may print
  (value-characters +all-values-characters+ :type integer)
  (print-level nil :type (or null integer)) ; of its values; NIL: as the session's variables say
  (print-length nil :type (or null integer))
  (frames-with-locals 0 :type integer)  ; of the condition that it may end with
  (characters-left +all-values-characters+ :type integer)
  (form-count 0 :type integer)
  (warning-count 0 :type integer)
  (compiler-note-count 0 :type integer)
  (notes '() :type list))

(defvar *evaluation* nil "The evaluation whose code runs in this thread; never bound globally.")
(defvar *handlers-outside* '() "The condition handlers outside of all evaluations; bound in the evaluation thread.")

(defmacro as-user-code (&body body)
  `(call-user-code (lambda () ,@body)))

(defun level-name (number)
  "What debugger level NUMBER is called."
  (if (zerop number) "the top level" (format nil "debugger level ~D" number)))

(defun note (evaluation control &rest arguments)
  "Adds a sentence about EVALUATION that its caller must know; once, however often it is true."
  (pushnew (apply #'format nil control arguments) (evaluation-notes evaluation) :test #'string=))

;;; Reading.

(defun position-in (stream)
  (or (file-position stream) 0))

(defun refused-evaluation-p (condition)
  "Whether the reader signalled CONDITION because *READ-EVAL* is false; each Lisp says so in words of its own."
  (let ((message (message-of condition)))
    (or (search "*READ-EVAL*" message)
        (search "evaluate the form #." message))))

(defun note-read-error (evaluation condition start)
  "Says what the reader's own words leave open."
  (cond ((typep condition 'end-of-file)
         (note evaluation "The code ends inside the form that begins at character ~D." start))
        ((and (evaluation-safe-read evaluation) (refused-evaluation-p condition))
         (note evaluation "Reader evaluation (#.) is refused because safe_read was asked for."))
        ((and (typep condition 'package-error)
              (member (package-error-package condition) '("QL" "QUICKLISP" "QUICKLISP-CLIENT") :test #'equal))
         (note evaluation "Quicklisp is not loaded in this image. ~A ASDF is always here: (asdf:load-system …)."
               (quicklisp-text)))))

(defun read-form (evaluation stream end)
  "The next form of STREAM, and where it begins; END when there is none."
  (let ((next (peek-char t stream nil end))
        (start (position-in stream)))
    (values (if (eq next end)
                end
                (handler-bind ((stream-error
                                 (lambda (condition)
                                   (when (eq (stream-error-stream condition) stream)
                                     (note-read-error evaluation condition start)))))
                  (progv (if (evaluation-safe-read evaluation) '(*read-eval*) '()) '(nil)
                    (read-preserving-whitespace stream nil end))))
            start)))

;;; Evaluating.

(defparameter +eval+ #'eval "EVAL itself: code that redefines or removes it must not take the session with it.")

(defun with-all-frames (form)
  "FORM, such that all frames and locals are kept, which only DEBUG 3 does; libraries that it loads are not touched. Behind
PROGN it is no candidate for a declaration."
  `(locally (declare (optimize (debug 3))) (progn ,form)))

(defun evaluate-form (form frame)
  "All values of FORM, evaluated as the REPL would, with its variables - + * / kept; in FRAME unless that is NIL."
  (setf - form)
  (let ((values (multiple-value-list
                 (if frame
                     (eval-in-frame frame form)
                     (funcall +eval+ (with-all-frames form))))))
    (setf /// // // / / values
          *** ** ** * * (first values)
          +++ ++ ++ + + form)
    (keep-printer-variables form)
    values))

(defun value-text (evaluation value)
  (multiple-value-bind (text missing)
      (let ((*print-level* (or (evaluation-print-level evaluation) *print-level*))
            (*print-length* (or (evaluation-print-length evaluation) *print-length*)))
        (print-bounded value :limit (min (evaluation-value-characters evaluation)
                                         (evaluation-characters-left evaluation))))
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
        with frame = (frame-of evaluation)
        do (multiple-value-bind (form start) (as-user-code (read-form evaluation stream end))
             (when (eq form end) (return))
             (setf *current-form* form)
             (let ((values (call-with-source (source-of-form evaluation start)
                                             (lambda ()
                                               (call-metered
                                                (evaluation-meter evaluation)
                                                (lambda () (as-user-code (evaluate-form form frame))))))))
               (when (evaluation-keep-values evaluation)
                 (keep-values (evaluation-id evaluation) values))
               (usable-package)
               (send-form evaluation start (position-in stream) values)))))

(defun package-of (evaluation)
  "The package that EVALUATION names, or that of the frame in which it runs, where names of locals are read as they were
written; NIL for the session's."
  (let ((frame (frame-of evaluation)))
    (cond ((evaluation-package evaluation) (as-user-code (package-named (evaluation-package evaluation))))
          (frame (frame-package frame)))))

(defun evaluate-in-package (evaluation)
  (let ((package (package-of evaluation)))
    (if package
        (let ((*package* package))
          (evaluate-all-forms evaluation))
        (evaluate-all-forms evaluation))))

(defun call-to-top-level (evaluation)
  "Runs EVALUATION with a restart that returns here. Answers its outcome."
  (restart-case
      (let* ((own (find-restart 'abort))
             (*top-level-restart* (or *top-level-restart* own)))
        (setf (evaluation-abort-restart evaluation) own)
        (call-with-recorded-warnings evaluation (lambda () (evaluate-in-package evaluation)))
        (list "ok"))
    (abort ()
      :report (lambda (stream) (format stream "Return to ~A." (level-name (evaluation-level evaluation))))
      (or (abandonment evaluation)
          (progn (note evaluation "The code returned to ~A by the ABORT restart."
                       (level-name (evaluation-level evaluation)))
                 (list "interrupted"))))))

(defun run-evaluation (evaluation)
  "Answers the outcome of EVALUATION and, as a cons, the data of the condition that ended it, or a function that makes them."
  (destructuring-bind (outcome . condition) (run-to-its-end evaluation)
    (cons outcome (if (functionp condition) (funcall condition) condition))))

(defun run-to-its-end (evaluation)
  "As RUN-EVALUATION, but a condition may still have to be described. Interrupts can reach it
inside the CATCH only: outside, *CURRENT* is another one, or NIL, whenever they are allowed."
  (let ((*current-form* (evaluation-code evaluation))
        (*frames-with-locals* (evaluation-frames-with-locals evaluation))
        (outer *current*))
    (without-interrupts
      (let ((outer-allowance (use-allowance (evaluation-allowance evaluation))))
        (unwind-protect
             (call-with-cpu-watch
              evaluation
              (lambda ()
                (catch 'evaluation-ended
                  (with-local-interrupts
                    (setf *current* (evaluation-id evaluation))
                    (let ((*evaluation* evaluation)
                          (*unhandled* #'end-or-hold))
                      (call-with-stepper (lambda () (call-to-top-level evaluation))))))))
          (stop-meter (evaluation-meter evaluation))
          (deliver-output)
          (setf *current* outer)
          (when outer (use-allowance outer-allowance)))))))

(defun note-dropped-output (evaluation)
  (let ((allowance (evaluation-allowance evaluation)))
    (when (plusp (allowance-dropped allowance))
      (note evaluation "It printed more than the ~D characters that the limit of this session allows: the beginning ~
                        and the end are kept, and ~D characters between them are not."
            (allowance-limit allowance) (allowance-dropped allowance)))))

(defun note-broken-printer (evaluation)
  "Where names print as something else, no value told from now on can be trusted."
  (unless (equal (ignore-errors (name-text 'car)) "CAR")
    (note evaluation "Printing does not work any more: the code has changed functions on which SBCL itself rests. ~
                      Values may be missing or wrong; open a new session.")))

(defun evaluate (evaluation)
  "Runs EVALUATION and sends what became of it."
  (install-heap-limit)                  ; user code may have emptied *AFTER-GC-HOOKS*
  (destructuring-bind (outcome . condition)
      (with-standard-streams ((make-caller-input evaluation)
                              (evaluation-answers-input evaluation))
        (with-printer-variables
          (let ((*invoke-debugger-hook* #'enter-debugger)
                (*debugger-hook* #'enter-debugger)
                (*printing-seconds* +printing-seconds+))
            (prog1 (call-profiled evaluation (lambda () (run-evaluation evaluation)))
              (note-changed-printer-variables evaluation)))))
    (note-lost-warnings evaluation)
    (note-dropped-output evaluation)
    (tell-loaded-systems evaluation)
    (note-broken-printer evaluation)
    (send "done"
          "id" (evaluation-id evaluation)
          "outcome" outcome
          "package" (short-package-name (usable-package))
          "ownSyntax" (if (own-syntax-p) :true :false)
          "condition" (or condition :null)
          "cost" (cost-data (evaluation-meter evaluation))
          "notes" (reverse (evaluation-notes evaluation)))
    (reclaim-heap)))
