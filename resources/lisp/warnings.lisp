;;;; Warnings of the compiler and of WARN during an evaluation. They are sent as data instead of being
;;;; printed. Each is a note, a style warning or a warning, with the form that it refers to.

(in-package :lisp-harbor-agent)

(defconstant +recorded-warnings+ 200 "Maximum number of warnings sent for one evaluation.")
(defconstant +recorded-compiler-notes+ 100
  "Maximum number of compiler notes sent in addition. A library may cause thousands.")

(defun severity-of (warning)
  (etypecase warning
    (compiler-note "note")
    (style-warning "style-warning")
    (warning "warning")))

(defun one-more (evaluation warning)
  "Counts WARNING. Returns true if it is to be sent."
  (if (typep warning 'compiler-note)
      (<= (incf (evaluation-compiler-note-count evaluation)) +recorded-compiler-notes+)
      (<= (incf (evaluation-warning-count evaluation)) +recorded-warnings+)))

(defun form-text (form)
  (let ((*print-length* nil) (*print-level* nil) (*print-lines* nil))
    (values (print-bounded form :limit 1000))))

(defun send-warning (evaluation warning)
  (flush-output)                        ; Keeps the order of earlier output.
  (apply #'send "warning"
         "id" (evaluation-id evaluation)
         "severity" (severity-of warning)
         "type" (name-text (type-of warning))
         "message" (values (print-bounded warning :limit 4000 :printer #'princ))
         "form" (evaluation-form-count evaluation)
         (compiler-position)))

(defun record-warning (evaluation warning)
  "Sends WARNING as data and muffles it."
  (let ((muffle (find-restart 'muffle-warning warning)))
    (when muffle
      (unless (uninteresting-p warning)
        (count-for-compiler warning)
        (when (one-more evaluation warning) (send-warning evaluation warning)))
      (invoke-restart muffle))))

(defun call-with-recorded-warnings (evaluation function)
  (flet ((record (warning) (record-warning evaluation warning))
         (note-fault (fault)
           (declare (ignore fault))
           (note evaluation "A memory fault happened: what this image holds may be damaged. Open a new session when ~
                             in doubt.")))
    (handler-bind ((compiler-note #'record)
                   (warning #'record)
                   (memory-fault-error #'note-fault))
      (funcall function))))

(defun note-lost-warnings (evaluation)
  (let ((warnings (- (evaluation-warning-count evaluation) +recorded-warnings+))
        (notes (- (evaluation-compiler-note-count evaluation) +recorded-compiler-notes+)))
    (when (plusp warnings) (note evaluation "~D more warnings were not recorded." warnings))
    (when (plusp notes) (note evaluation "~D more compiler notes were not recorded." notes))))
