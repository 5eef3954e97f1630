;;;; The full description of one stack frame: its locals (frame-locals.lisp), source location, catch
;;;; tags and available actions. A frame may be read only in its own thread, while that is suspended.

(in-package :lisp-harbor-agent)

(defconstant +source-characters+ 20000 "Maximum number of characters reported of the definition that contains a frame.")

;;; Source location.

(defun current-form-of (location)
  "Returns the form that runs at LOCATION as text, or NIL. SBCL reads it from the file, which may have changed
since."
  (let ((form (ignore-errors
               (handler-bind ((warning (lambda (warning)
                                         (declare (ignore warning))
                                         (return-from current-form-of nil))))
                 (let ((*error-output* (make-broadcast-stream)))
                   (sb-debug::code-location-source-form location 0 nil))))))
    (and form (values (print-bounded form :limit 1000)))))

(defun source-file-of (location)
  "Returns the file that the code at LOCATION was loaded from, or NIL. Evaluated code has none."
  (let ((file (ignore-errors (sb-di:debug-source-namestring (sb-di:code-location-debug-source location)))))
    (and file
         (let ((found (ignore-errors (probe-file (translate-logical-pathname file)))))
           (and found (sb-ext:native-namestring found))))))

(defun name-of-enclosing (name)
  "Returns the name of the definition that contains the function NAME, or NIL. Names of local functions contain
it."
  (cond ((atom name) name)
        ((member :in name) (name-of-enclosing (second (member :in name))))
        ((sb-int:legal-fun-name-p name) name)
        ((find (first name) '("FAST-METHOD" "SLOW-METHOD") :test #'string-equal) (second name))))

(defun definition-members (frame location file)
  "Returns the text of the definition in FILE that contains FRAME, at most 20000 characters, and its line. NIL
if the file has changed since or cannot be read."
  (let* ((*file-texts* '())
         (text (file-text file))
         (start (and text (top-level-form-start text (sb-di:code-location-toplevel-form-offset location))))
         (name (name-of-enclosing (frame-name frame)))
         (position (and start (if name
                                  (definition-position text start (sb-di:code-location-form-number location) name)
                                  start))))
    (and position
         (list "line" (line-number text position)
               "text" (subseq text position (min (form-end text position) (+ position +source-characters+)))))))

(defun evaluation-members (location)
  "Returns the evaluation that the code at LOCATION came from, and the position of the top-level form in its
code."
  (destructuring-bind (&key lisp-harbor-evaluation position &allow-other-keys)
      (sb-c::debug-source-plist (sb-di:code-location-debug-source location))
    (and lisp-harbor-evaluation (list "evaluation" lisp-harbor-evaluation "position" position))))

(defun source-data (frame)
  "Returns the form that runs in FRAME and its source location. The number is the compiler's form number in the
definition."
  (let* ((location (sb-di:frame-code-location frame))
         (file (source-file-of location))
         (form (current-form-of location)))
    (apply #'object
           "file" (or file :null)
           "form" (or form :null)
           (append (and form (ignore-errors (list "number" (sb-di:code-location-form-number location))))
                   (ignore-errors (if file
                                      (definition-members frame location file)
                                      (evaluation-members location)))))))

(defun catch-tags (frame)
  (mapcar (lambda (catch) (values (print-bounded (first catch) :limit 400)))
          (ignore-errors (sb-di:frame-catches frame))))

;;; Actions.

(defun returnable-p (frame)
  "Reports whether the stack can be unwound to FRAME, which requires code compiled with DEBUG 3."
  (and (not (evaluating-name-p (frame-name frame)))
       (ignore-errors (sb-debug::frame-has-debug-tag-p frame))
       t))

(defun return-from-frame (frame values)
  "Returns VALUES from the call of FRAME. Does not return."
  (sb-debug:unwind-to-frame-and-call frame (lambda () (values-list values))))

(defun restartable-p (frame)
  (and (returnable-p frame)
       (let ((name (frame-name frame)))
         (and (or (symbolp name) (sb-int:legal-fun-name-p name))
              (fboundp name)))))

(defun restart-frame (frame)
  "Calls the current definition of FRAME's function again with the same arguments. Does not return."
  (multiple-value-bind (name arguments) (sb-debug::frame-call frame)
    (sb-debug:unwind-to-frame-and-call frame (lambda () (apply (fdefinition name) arguments)))))

(defun frame-restarts (frame)
  (append (and (returnable-p frame) '("RETURN-FROM-FRAME"))
          (and (restartable-p frame) '("RESTART-FRAME"))))

(defun frame-contents (frame index)
  "Returns the full description of FRAME. If it is a frame of EVAL, only the evaluated form."
  (let ((own (evaluating-name-p (frame-name frame))))
    (apply #'object
           "index" index
           "call" (held-frame-text frame index)
           "source" (if own (object "file" :null "form" :null) (source-data frame))
           "catches" (unless own (catch-tags frame))
           "restarts" (frame-restarts frame)
           (if own '("locals" ()) (locals-members frame)))))
