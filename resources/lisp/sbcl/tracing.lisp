;;;; Traces of evaluations: the calls of the project's functions, in order, with depth, arguments, values and time.
;;;; The functions are encapsulated while the code runs, and as before afterwards.

(in-package :lisp-harbor-agent)

(defconstant +recorded-calls+ 2000 "Maximum number of calls of a trace with arguments and values. The others are counted.")
(defconstant +recorded-traces+ 4 "Maximum number of evaluations whose traces are saved.")
(defconstant +call-text+ 200 "Maximum length of the printed arguments or values of a call.")

(defstruct traced-call
  name
  (depth 0 :type integer)
  (arguments '() :type list)
  (values '() :type list)
  (arguments-text "" :type string)      ; printed at the call: the arguments may be modified later
  (values-text nil)                     ; NIL before it returns, and if it was left
  (left nil)                            ; true if it was left without values
  (microseconds nil))

(defstruct (call-trace (:conc-name trace-))
  (lock (make-mutex :name "lisp-harbor trace"))
  (calls (make-array 64 :adjustable t :fill-pointer 0))
  (function-count 0 :type integer)
  (others 0 :type integer))

(defvar *traces* '() "An alist from evaluation ids to their traces, newest first.")
(defvar *trace-depth* 0 "Number of traced calls in progress. Bound in each of them.")
(defvar *recording-call* nil "True while a call is recorded, so that printing its arguments is not traced.")

;;; The functions of the project.

(defun compiled-here-p (function)
  "Reports whether FUNCTION was compiled from a file of the project, or evaluated."
  (let ((info (sb-kernel:%code-debug-info (sb-kernel:fun-code-header (sb-kernel:%fun-fun function)))))
    (and (typep info 'sb-c::debug-info)
         (let ((file (sb-c::debug-source-namestring (sb-c::debug-info-source info))))
           (or (null file) (in-project-p file))))))

(defun method-defined-here-p (function)
  "Reports whether the newest method of the generic FUNCTION was defined by a file of the project, or evaluated."
  (let* ((method (first (sb-mop:generic-function-methods function)))
         (source (and method (sb-introspect:find-definition-source method)))
         (file (and source (sb-introspect:definition-source-pathname source))))
    (cond (file (in-project-p (sb-ext:native-namestring file)))
          (source (sb-introspect:definition-source-plist source)))))

(defun project-function-p (name)
  "Reports whether the project's files or evaluations define the function NAME."
  (when (and (fboundp name) (not (macro-function name)) (not (special-operator-p name)))
    (let ((function (fdefinition name)))
      (ignore-errors
       (if (typep function 'generic-function)
           (method-defined-here-p function)
           (compiled-here-p function))))))

(defun traceable-package-p (package)
  (not (or (package-locked-p package)
           (begins-with-p "LISP-HARBOR" (package-name package) 0)
           (member (package-name package) '("COMMON-LISP" "KEYWORD") :test #'string=))))

(defun project-functions ()
  "Returns the names of the functions of the project."
  (let ((names '()))
    (dolist (package (remove-if-not #'traceable-package-p (list-all-packages)) names)
      (do-symbols (symbol package)
        (when (and (eq (symbol-package symbol) package) (project-function-p symbol))
          (pushnew symbol names))))))

;;; Recording.

(defun call-text (values)
  (let ((*print-length* (or *print-length* 20)) (*print-level* (or *print-level* 5)) (*print-pretty* nil))
    (format nil "~{~A~^ ~}" (mapcar (lambda (value) (print-bounded value :limit +call-text+)) values))))

(defun record-call (trace name arguments)
  "Returns the record of a call; NIL if the trace is full."
  (let ((call (with-mutex ((trace-lock trace))
                (if (< (fill-pointer (trace-calls trace)) +recorded-calls+)
                    (let ((call (make-traced-call :name name :depth *trace-depth* :arguments arguments)))
                      (vector-push-extend call (trace-calls trace))
                      call)
                    (progn (incf (trace-others trace)) nil)))))
    (when call
      (let ((*recording-call* t))
        (setf (traced-call-arguments-text call) (call-text arguments))))
    call))

(defun call-recorded (call function arguments)
  "Calls FUNCTION and records its values and time in CALL."
  (let ((began (real-microseconds))
        (values '())
        (returned nil))
    (unwind-protect
         (let ((*trace-depth* (1+ *trace-depth*)))
           (setf values (multiple-value-list (apply function arguments))
                 returned t))
      (setf (traced-call-microseconds call) (max 0 (- (real-microseconds) began))
            (traced-call-left call) (not returned)))
    (let ((*recording-call* t))
      (setf (traced-call-values call) values
            (traced-call-values-text call) (call-text values)))
    (values-list values)))

(defun tracer (trace name)
  "Returns the function that is called instead of the function NAME."
  (lambda (function &rest arguments)
    (let ((call (and (not *recording-call*) (record-call trace name arguments))))
      (if call
          (call-recorded call function arguments)
          (apply function arguments)))))

(defun save-trace (id trace)
  (let ((others (remove id *traces* :key #'car)))
    (setf *traces* (acons id trace (subseq others 0 (min (1- +recorded-traces+) (length others)))))))

(define-implementation call-traced (evaluation function)
  (if (evaluation-traced evaluation)
      (let* ((names (project-functions))
             (trace (make-call-trace :function-count (length names))))
        (save-trace (evaluation-id evaluation) trace)
        (unwind-protect
             (progn (dolist (name names)
                      (ignore-errors (sb-int:encapsulate name 'lisp-harbor-trace (tracer trace name))))
                    (funcall function))
          (dolist (name names)
            (ignore-errors (sb-int:unencapsulate name 'lisp-harbor-trace)))))
      (funcall function)))

;;; Queries.

(defun trace-of (arguments)
  (let ((id (member-of arguments "evaluation")))
    (or (cdr (assoc id *traces*))
        (refuse "unknown_evaluation" "The trace of evaluation ~D is gone: the image keeps those of the last ~D traced ~
                                      evaluations." id +recorded-traces+))))

(define-query "trace" (arguments)
  "Members: evaluation."
  (let ((trace (trace-of arguments)))
    (with-mutex ((trace-lock trace))
      (object "functions" (trace-function-count trace)
              "others" (trace-others trace)
              "calls" (map 'list
                           (lambda (call)
                             (object "name" (name-text (traced-call-name call))
                                     "depth" (traced-call-depth call)
                                     "arguments" (traced-call-arguments-text call)
                                     "values" (or (traced-call-values-text call) :null)
                                     "left" (if (traced-call-left call) :true :false)
                                     "microseconds" (or (traced-call-microseconds call) :null)))
                           (trace-calls trace))))))

(define-query "traced-call" (arguments)
  "Members: evaluation, place. Returns the handle of a list of the call's function, arguments and values."
  (let ((calls (trace-calls (trace-of arguments)))
        (place (member-of arguments "place")))
    (unless (< -1 place (fill-pointer calls)) (refuse "unknown_part" "The trace has no call ~D." place))
    (let ((call (aref calls place)))
      (handle-of (list :call (cons (traced-call-name call) (traced-call-arguments call))
                       :values (traced-call-values call))))))
