;;;; Conditions as data: type, message, restarts and frames in the form of the wire. The data is
;;;; collected in the dynamic context of the signalling call, before the stack unwinds.

(in-package :lisp-harbor-agent)

(defconstant +reported-restarts+ 50 "Maximum number of restarts in the report of a condition.")
(defconstant +reported-frames+ 20 "Maximum number of frames in the report of a condition.")
(defconstant +own-frames+ 4 "Maximum number of calls in the text of a place.")

(defvar *unhandled* nil
  "Handler of an unhandled condition in code that runs for the harbor: a function of the condition that does
not return. Bound in threads of the agent, never globally.")

(defvar *top-level-restart* nil
  "The restart that returns to the top level. Restarts outside of it belong to the thread, not to the user.")

(defvar *current-form* nil "The top-level form being evaluated. Shown if no frame belongs to the user.")

(defun user-restarts (condition)
  "Returns the restarts for CONDITION, innermost first, up to the one that returns to the top level, without
those that only apply to conditions of outer debugger levels. The second value is the number of restarts
left out, or NIL."
  (let* ((restarts (compute-restarts condition))
         (last (member *top-level-restart* restarts))
         (own (if last (append (ldiff restarts last) (list (first last))) restarts))
         (all (remove-duplicates (append own (outer-restarts)) :from-end t)))
    (values (up-to +reported-restarts+ all)
            (left-out +reported-restarts+ all))))

(defun restart-data (restart index)
  (object "index" index
          "name" (name-text (restart-name restart))
          "description" (values (print-bounded restart :limit 2000 :printer #'princ))
          "arguments" (asked-arguments restart)))

(defun frame-data (text index &optional locals)
  (apply #'object "index" index "call" text (and locals (list "locals" locals))))

(defvar *frames-with-locals* 0 "Maximum number of frames of a condition that are reported with their locals.")

(defun frames-data (frames)
  (loop with left = *frames-with-locals*
        for text in (frame-texts frames *current-form*)
        for frame in frames
        for index from 0
        for locals = (and (plusp left) (frame-locals frame))
        when locals do (decf left)
        collect (frame-data text index locals)))

(defun call-with-call-syntax (function)
  "Calls FUNCTION with printer variables that keep a call on one line and its arguments short."
  (let ((*print-length* 6) (*print-level* 3) (*print-pretty* nil))
    (funcall function)))

(defun print-call (form stream)
  (call-with-call-syntax (lambda () (prin1 form stream))))

(defun place-texts (frames)
  "Returns the texts of the first of FRAMES, those of the user, innermost first; of the current form if there are none."
  (if frames
      (frame-texts (up-to +own-frames+ frames) nil)
      (list (values (print-bounded *current-form* :limit 400 :printer #'print-call)))))

(defun indexed (function items)
  (loop for item in items
        for index from 0
        collect (funcall function item index)))

(defun omitted-members (&rest keys-and-counts)
  "Returns a member that gives the number of elements omitted from each list, by key. None if the counts are
NIL."
  (and (some #'integerp keys-and-counts)
       (list "omitted" (apply #'optional-members keys-and-counts))))

(defun condition-data (condition frames)
  "Returns CONDITION as a JSON object with its FRAMES and the currently active restarts. LEVEL is the number of
debugger levels."
  (multiple-value-bind (restarts more-restarts) (user-restarts condition)
    (apply #'object
           "type" (name-text (type-of condition))
           "message" (message-of condition)
           "level" (1+ (current-level))
           "restarts" (indexed #'restart-data restarts)
           "frames" (frames-data frames)
           (omitted-members "restarts" more-restarts "frames" (left-out +reported-frames+ frames)))))
