;;;; Evaluation of one request: reads and evaluates every top-level form of the code and prints the
;;;; values of each form. The session's variables are the global ones, as at the prompt of SBCL, so
;;;; they outlive the evaluation.

(in-package :lisp-harbor-agent)

(defconstant +all-values-characters+ 4194304
  "Maximum length of the text of one value, and of all values of one evaluation together.")

(defstruct evaluation
  (id 0 :type integer)
  (code "" :type string)
  (package nil :type (or null string))
  (safe-read nil)
  (keep-values nil)                     ; true if an inspector will request the values of the last form
  (answers-input nil)                   ; true if the caller supplies input that the code reads
  (holds nil)                           ; true if an unhandled condition opens a debugger level
  (profile nil)                         ; :CPU or :ALLOC to profile the code
  (traced nil)                          ; true to record the calls of the project's functions
  (meter (make-meter))
  (level 0 :type integer)               ; the debugger level of the evaluation; 0 is the top level
  (frame nil :type (or null integer))   ; the frame of that level whose locals the code can use
  (abort-restart nil)
  (abandoned nil)                       ; the condition at which the evaluation was suspended when it was aborted
  (cpu-seconds nil :type (or null integer)) ; limit of processor time
  (allowance (make-allowance))          ; limit of printed output
  (value-characters +all-values-characters+ :type integer)
  (print-level nil :type (or null integer)) ; for its values; NIL means the session's variables apply
  (print-length nil :type (or null integer))
  (frames-with-locals 0 :type integer)  ; for the condition that it may end with
  (characters-left +all-values-characters+ :type integer)
  (form-count 0 :type integer)
  (unsent "" :type string)              ; the event of its last form, which is sent with its end
  (warning-count 0 :type integer)
  (compiler-note-count 0 :type integer)
  (changed-expanders '())               ; names of the macros and inline functions that it changed
  (place-noted nil)                     ; true if a note says where it was interrupted
  (notes '() :type list))

(defvar *evaluation* nil "The evaluation whose code runs in this thread. Never bound globally.")
(defvar *handlers-outside* '() "The condition handlers outside of all evaluations. Bound in the evaluation thread.")

(defmacro as-user-code (&body body)
  `(call-user-code (lambda () ,@body)))

(defun level-name (number)
  "Returns the description of debugger level NUMBER."
  (if (zerop number) "the top level" (format nil "debugger level ~D" number)))

(defun note-of-kind (kind evaluation control &rest arguments)
  "Adds a note to EVALUATION for its caller, unless the evaluation has it already. The harbor knows how a caller
continues after a note of KIND, or KIND is NIL."
  (pushnew (cons kind (apply #'format nil control arguments)) (evaluation-notes evaluation) :test #'equal))

(defun note (evaluation control &rest arguments)
  (apply #'note-of-kind nil evaluation control arguments))

(defun notes-data (evaluation)
  "Returns the notes of EVALUATION for the harbor, oldest first: a string, or an object with kind and text."
  (loop for (kind . text) in (reverse (evaluation-notes evaluation))
        collect (if kind (object "kind" kind "text" text) text)))

(defun note-place ()
  "Adds a note about the place that the evaluation has reached, at the first of several interrupts."
  (let ((calls (and *evaluation* (not (evaluation-place-noted *evaluation*)) (ignore-errors (calls-in-progress)))))
    (when calls
      (setf (evaluation-place-noted *evaluation*) t)
      (note *evaluation* "It was interrupted in ~{~A~^ < ~}." calls))))

;;; Reading.

(defun position-in (stream)
  (or (file-position stream) 0))

(defun refused-evaluation-p (condition)
  "Reports whether the reader signalled CONDITION because *READ-EVAL* is false. Each Lisp words that message
differently."
  (let ((message (message-of condition)))
    (or (search "*READ-EVAL*" message)
        (search "evaluate the form #." message))))

(defun note-read-error (evaluation condition start)
  "Adds an explanation to a reader error that is unclear without it."
  (cond ((typep condition 'end-of-file)
         (note evaluation "The code ends inside the form that begins at character ~D." start))
        ((and (evaluation-safe-read evaluation) (refused-evaluation-p condition))
         (note evaluation "Reader evaluation (#.) is refused because safe_read was asked for."))
        ((and (typep condition 'package-error)
              (member (package-error-package condition) '("QL" "QUICKLISP" "QUICKLISP-CLIENT") :test #'equal))
         (multiple-value-bind (text kind) (quicklisp-text)
           (note-of-kind kind evaluation
                         "Quicklisp is not loaded in this image. ~A ASDF is always here: (asdf:load-system …)."
                         text)))))

(defun read-form (evaluation stream end)
  "Returns the next form of STREAM and its start position. The form is END if there is none."
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

;;; Evaluation.

(defparameter +eval+ #'eval
  "The function EVAL. Kept here because user code may redefine or remove EVAL, which must not break the
session.")

(defun with-all-frames (form)
  "Wraps FORM so that all frames and locals are kept, which requires DEBUG 3. Libraries that it loads are not
affected. The form is inside PROGN so that it is not parsed as a declaration."
  `(locally (declare (optimize (debug 3))) (progn ,form)))

(defun evaluate-form (form frame)
  "Returns all values of FORM, evaluated as the REPL does, and updates the variables - + * /. Evaluates in
FRAME unless that is NIL."
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

(defun code-between (evaluation start end)
  (string-right-trim '(#\Space #\Tab #\Newline #\Return #\Page) (subseq (evaluation-code evaluation) start end)))

(defconstant +unsent-characters+ 4096 "Maximum length of an event that waits for the end of its evaluation.")

(defun send-form (evaluation text values state made last)
  "Sends the form TEXT with its VALUES. STATE is its READER-STATE, MADE the texts of the definitions it made. The event
of the LAST form waits for the end, so that one write sends both."
  (let ((line (apply #'event-line "form"
                     "id" (evaluation-id evaluation)
                     "code" text
                     "values" (mapcar (lambda (value) (value-text evaluation value)) values)
                     (append (and state (list "read" state))
                             (and made (list "made" made))))))
    (if (and last (<= (length line) +unsent-characters+))
        (setf (evaluation-unsent evaluation) line)
        (write-to-wire line)))
  (incf (evaluation-form-count evaluation)))

(defun send-done (evaluation outcome condition notes)
  (write-to-wire
   (concatenate 'string
                (shiftf (evaluation-unsent evaluation) "")
                (event-line "done"
                            "id" (evaluation-id evaluation)
                            "outcome" outcome
                            "package" (short-package-name (usable-package))
                            "ownSyntax" (if (own-syntax-p) :true :false)
                            "condition" condition
                            "cost" (cost-data (evaluation-meter evaluation))
                            "notes" notes))))

(defun source-of-form (evaluation start)
  "Returns the source information that the compiler records for the form at START, so that definitions know
their origin."
  (evaluated-source (evaluation-id evaluation) (or (form-start (evaluation-code evaluation) start) start)))

(defun evaluate-next-form (evaluation stream frame)
  "Reads and evaluates the next form of STREAM. Returns false if there is none."
  (call-watched
   (lambda (made)
     (multiple-value-bind (form start) (as-user-code (read-form evaluation stream stream))
       (unless (eq form stream)
         (setf *current-form* form)
         (let* ((text (code-between evaluation start (position-in stream)))
                (last (eq (peek-char t stream nil stream) stream))
                (state (reader-state text))
                (values (call-with-source (source-of-form evaluation start)
                                          (lambda ()
                                            (call-metered
                                             (evaluation-meter evaluation)
                                             (lambda () (as-user-code (evaluate-form form frame))))))))
           (when (evaluation-keep-values evaluation)
             (keep-values (evaluation-id evaluation) values))
           (usable-package)
           (send-form evaluation text values state (funcall made text) last)
           t))))))

(defun evaluate-all-forms (evaluation)
  "Evaluates one form after the other. A form is read after the previous ones have run, because they may define
packages."
  (loop with stream = (make-string-input-stream (evaluation-code evaluation))
        with frame = (frame-of evaluation)
        while (evaluate-next-form evaluation stream frame)))

(defun package-of (evaluation)
  "Returns the package that EVALUATION names, or the package of the frame in which it runs, so that names of
locals are read correctly. NIL selects the session's package."
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
  "Runs EVALUATION with a restart that returns here. Returns its outcome."
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
  "Returns the outcome of EVALUATION and, as a cons, the data of the condition that ended it, or a function
that creates the data."
  (destructuring-bind (outcome . condition) (run-to-its-end evaluation)
    (cons outcome (if (functionp condition) (funcall condition) condition))))

(defun run-to-its-end (evaluation)
  "Does the same as RUN-EVALUATION, but a condition may still have to be described. Interrupts apply only
inside the CATCH: outside, *CURRENT* is a different evaluation or NIL whenever interrupts are allowed."
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
  "Adds a note if symbols no longer print as their names. After that no reported value can be trusted."
  (unless (equal (ignore-errors (name-text 'car)) "CAR")
    (note evaluation "Printing does not work any more: the code has changed functions on which SBCL itself rests. ~
                      Values may be missing or wrong; open a new session.")))

(defun evaluate (evaluation)
  "Runs EVALUATION and sends its result."
  (install-heap-limit)                  ; User code may have emptied *AFTER-GC-HOOKS*.
  (destructuring-bind (outcome . condition)
      (with-standard-streams ((make-caller-input evaluation)
                              (evaluation-answers-input evaluation))
        (with-printer-variables
          (let ((*invoke-debugger-hook* #'enter-debugger)
                (*debugger-hook* #'enter-debugger)
                (*printing-seconds* +printing-seconds+))
            (prog1 (call-traced evaluation
                                (lambda ()
                                  (call-profiled evaluation (lambda () (run-evaluation evaluation)))))
              (note-changed-printer-variables evaluation)))))
    (note-lost-warnings evaluation)
    (note-stale-callers evaluation)
    (note-dropped-output evaluation)
    (report-loaded-systems evaluation)
    (note-broken-printer evaluation)
    (send-done evaluation outcome (or condition :null) (notes-data evaluation))
    (reclaim-heap)))
