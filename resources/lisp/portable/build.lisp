;;;; ABOUTME: Compiles the agent for a Lisp other than SBCL into one file: load this, then (cl-user::build SOURCES TARGET).
;;;; ABOUTME: SOURCES is the folder of the agent's files. They become one text, for one compiled file loads fastest.

(in-package :cl-user)

(defparameter *agent-files*
  '("package"
    #+ecl "portable/ecl" #+abcl "portable/abcl" #+ccl "portable/ccl"
    "json" "portable/wire" "output-limit" "output" "portable/output-thread" #-abcl "gray-streams" #+abcl "portable/abcl-streams" "streams"
    "packages" "printing" "portable/printing-clock" "portable/session-values" "printer-variables"
    "portable/frames" "conditions" "interrupts" "portable/debugger" "handles" "source-text"
    "portable/metering" "evaluation" "portable/evaluations" "warnings" "input" "portable/levels" "evaluator"
    "loaded-systems" "portable/systems"
    "queries" "previews" "definitions" "symbol-names" "portable/introspection" "descriptions" "findings" "names"
    "portable/main"))

(defun copy-characters (file out)
  (with-open-file (in file :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line do (write-line line out))))

(defun fail (condition)
  (format *error-output* "~&~A: ~A~%" (type-of condition) condition)
  (finish-output *error-output*)
  (end 1))

(defun end (code)
  #+ecl (ext:quit code)
  #+abcl (ext:quit :status code)
  #+ccl (ccl:quit code))

(defun build (sources target)
  "Compiles the agent in the folder SOURCES into the file TARGET and ends the process."
  (let ((text (merge-pathnames "agent.lisp" *default-pathname-defaults*)))
    (handler-bind ((error #'fail))
      (with-open-file (out text :direction :output :if-exists :supersede :external-format :utf-8)
        (dolist (name *agent-files*)
          (copy-characters (concatenate 'string sources name ".lisp") out)))
      (multiple-value-bind (compiled warnings failure) (compile-file text :output-file target)
        (declare (ignore warnings))
        (end (if (and compiled (not failure)) 0 1))))))
