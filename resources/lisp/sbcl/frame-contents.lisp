;;;; One stack frame in full: its locals (frame-locals.lisp), its place in the source, what it catches, what can be done to it.
;;;; A frame may be read only in the thread that is held above it.

(in-package :lisp-harbor-agent)

(defconstant +source-characters+ 20000 "Characters told of the definition that a frame is in at most.")

;;; Where it is.

(defun current-form-of (location)
  "The form that runs at LOCATION, as text, or NIL. SBCL reads it from the file, which may have changed since."
  (let ((form (ignore-errors
               (handler-bind ((warning (lambda (warning)
                                         (declare (ignore warning))
                                         (return-from current-form-of nil))))
                 (let ((*error-output* (make-broadcast-stream)))
                   (sb-debug::code-location-source-form location 0 nil))))))
    (and form (values (print-bounded form :limit 1000)))))

(defun source-file-of (location)
  "The file that the code at LOCATION was loaded from, or NIL: code that was evaluated has none."
  (let ((file (ignore-errors (sb-di:debug-source-namestring (sb-di:code-location-debug-source location)))))
    (and file
         (let ((found (ignore-errors (probe-file (translate-logical-pathname file)))))
           (and found (sb-ext:native-namestring found))))))

(defun name-of-enclosing (name)
  "The name in the definition that the function called NAME is a part of, or NIL: local functions say what they are in."
  (cond ((atom name) name)
        ((member :in name) (name-of-enclosing (second (member :in name))))
        ((sb-int:legal-fun-name-p name) name)
        ((find (first name) '("FAST-METHOD" "SLOW-METHOD") :test #'string-equal) (second name))))

(defun definition-members (frame location file)
  "Of FILE: the text of the definition that FRAME is in, 20000 characters at most, and its line. NIL where the file has
changed since, or cannot be read."
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
  "The evaluation that the code at LOCATION came from, and where in its code the top-level form begins."
  (destructuring-bind (&key lisp-harbor-evaluation position &allow-other-keys)
      (sb-c::debug-source-plist (sb-di:code-location-debug-source location))
    (and lisp-harbor-evaluation (list "evaluation" lisp-harbor-evaluation "position" position))))

(defun source-data (frame)
  "What runs in FRAME and where it was written. The number is that of the form in its definition, as the compiler counts."
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

;;; What can be done to it.

(defun returnable-p (frame)
  "Whether FRAME can be unwound to: code compiled at DEBUG 3 can."
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
  "Calls the function of FRAME again, as it is defined now, with the arguments it has. Does not return."
  (multiple-value-bind (name arguments) (sb-debug::frame-call frame)
    (sb-debug:unwind-to-frame-and-call frame (lambda () (apply (fdefinition name) arguments)))))

(defun frame-restarts (frame)
  (append (and (returnable-p frame) '("RETURN-FROM-FRAME"))
          (and (restartable-p frame) '("RESTART-FRAME"))))

(defun frame-contents (frame index)
  "All that is told of FRAME; where it is EVAL's own, there is nothing to tell but what is evaluated."
  (let ((own (evaluating-name-p (frame-name frame))))
    (apply #'object
           "index" index
           "call" (held-frame-text frame index)
           "source" (if own (object "file" :null "form" :null) (source-data frame))
           "catches" (unless own (catch-tags frame))
           "restarts" (frame-restarts frame)
           (if own '("locals" ()) (locals-members frame)))))
