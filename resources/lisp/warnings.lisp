;;;; ABOUTME: What the compiler and WARN say while an evaluation runs: sent as data, and kept from being printed.
;;;; ABOUTME: Notes, style warnings and warnings are told apart, each with the form that the compiler meant.

(in-package :lisp-harbor-agent)

(defconstant +recorded-warnings+ 200 "Warnings of one evaluation that are sent.")
(defconstant +recorded-compiler-notes+ 100 "Compiler notes that are sent beside them: a library may have thousands.")

(defun severity-of (warning)
  (etypecase warning
    (sb-ext:compiler-note "note")
    (style-warning "style-warning")
    (warning "warning")))

(defun one-more (evaluation warning)
  "Counts WARNING. Whether it is among those that are sent."
  (if (typep warning 'sb-ext:compiler-note)
      (<= (incf (evaluation-compiler-note-count evaluation)) +recorded-compiler-notes+)
      (<= (incf (evaluation-warning-count evaluation)) +recorded-warnings+)))

(defun form-text (form)
  (let ((*print-length* nil) (*print-level* nil) (*print-lines* nil))
    (values (print-bounded form :limit 1000))))

(defun definition-text (definition)
  "(DEFUN F) reads DEFUN F."
  (if (consp definition)
      (format nil "~{~A~^ ~}" (mapcar #'form-text definition))
      (form-text definition)))

(defun definition-of (form)
  "What FORM defines, as the compiler would say it: (DEFUN F); NIL when it is no definition."
  (when (and (consp form) (symbolp (first form)) (consp (rest form))
             (eql 0 (search "DEF" (symbol-name (first form)))))
    (list (first form) (second form))))

(defun around-evaluated-form-p (definition)
  "Whether DEFINITION is the LOCALLY that EVALUATE-FORM puts around each form."
  (and (consp definition) (eq (first definition) 'locally)))

(defun enclosing-definitions (context)
  "Definitions around the form that the compiler is at, outermost first."
  (loop for definition in (sb-c::compiler-error-context-context context)
        for own = (if (around-evaluated-form-p definition) (definition-of *current-form*) definition)
        when own collect own))

(defun compiler-position ()
  "Keys and values about the form that is being compiled: itself, the definitions around it, its place; empty outside
of the compiler. The undocumented context is SBCL's own (2.2.9: ir1report.lisp), read as its error messages read it."
  (let ((context (ignore-errors (sb-c::find-error-context nil))))
    (when context
      (let ((definitions (enclosing-definitions context))
            (file (sb-c::compiler-error-context-file-name context)))
        `("source" ,(form-text (sb-c::compiler-error-context-original-form context))
          ,@(when definitions `("context" ,(format nil "~{~A~^, ~}" (mapcar #'definition-text definitions))))
          ,@(when (typep file '(or string pathname))
              (place-in-file file
                             (or (sb-c::compiler-error-context-file-position context) 0)
                             (rest (reverse (sb-c::compiler-error-context-original-source-path context))))))))))

(defun send-warning (evaluation warning)
  (flush-output)                        ; what was printed before it comes before it
  (apply #'send "warning"
         "id" (evaluation-id evaluation)
         "severity" (severity-of warning)
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
      (when (one-more evaluation warning) (send-warning evaluation warning))
      (invoke-restart muffle))))

(defun call-with-recorded-warnings (evaluation function)
  (flet ((record (warning) (record-warning evaluation warning))
         (note-fault (fault)
           (declare (ignore fault))
           (note evaluation "A memory fault happened: what this image holds may be damaged. Open a new session when ~
                             in doubt.")))
    (handler-bind ((sb-ext:compiler-note #'record)
                   (warning #'record)
                   (sb-sys:memory-fault-error #'note-fault))
      (funcall function))))

(defun note-lost-warnings (evaluation)
  (let ((warnings (- (evaluation-warning-count evaluation) +recorded-warnings+))
        (notes (- (evaluation-compiler-note-count evaluation) +recorded-compiler-notes+)))
    (when (plusp warnings) (note evaluation "~D more warnings were not recorded." warnings))
    (when (plusp notes) (note evaluation "~D more compiler notes were not recorded." notes))))

(defun compile-with-notes (compile &rest arguments)
  "EVAL muffles the compiler's notes just outside of this call; in here they are heard first."
  (let ((evaluation *evaluation*))
    (if evaluation
        (handler-bind ((sb-ext:compiler-note (lambda (note) (record-warning evaluation note))))
          (apply compile arguments))
        (apply compile arguments))))

(sb-int:encapsulate 'sb-c:compile-in-lexenv 'lisp-harbor 'compile-with-notes)
