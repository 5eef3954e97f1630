;;;; What the compiler and WARN say while an evaluation runs: sent as data, and kept from being printed.
;;;; Notes, style warnings and warnings are told apart, each with the form that the compiler meant.

(in-package :lisp-harbor-agent)

(defconstant +recorded-warnings+ 200 "Warnings of one evaluation that are sent.")
(defconstant +recorded-compiler-notes+ 100 "Compiler notes that are sent beside them: a library may have thousands.")

(defun severity-of (warning)
  (etypecase warning
    (compiler-note "note")
    (style-warning "style-warning")
    (warning "warning")))

(defun one-more (evaluation warning)
  "Counts WARNING. Whether it is among those that are sent."
  (if (typep warning 'compiler-note)
      (<= (incf (evaluation-compiler-note-count evaluation)) +recorded-compiler-notes+)
      (<= (incf (evaluation-warning-count evaluation)) +recorded-warnings+)))

(defun form-text (form)
  (let ((*print-length* nil) (*print-level* nil) (*print-lines* nil))
    (values (print-bounded form :limit 1000))))

(defun send-warning (evaluation warning)
  (flush-output)                        ; what was printed before it comes before it
  (apply #'send "warning"
         "id" (evaluation-id evaluation)
         "severity" (severity-of warning)
         "type" (name-text (type-of warning))
         "message" (values (print-bounded warning :limit 4000 :printer #'princ))
         "form" (evaluation-form-count evaluation)
         (compiler-position)))

(defun record-warning (evaluation warning)
  "Sends WARNING as data and keeps it from being printed."
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
