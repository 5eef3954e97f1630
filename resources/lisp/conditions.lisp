;;;; A condition as data: its type, message, restarts and frames, ready for the wire.
;;;; Taken in the dynamic context of the signalling call, before anything unwinds.

(in-package :lisp-harbor-agent)

(defconstant +reported-restarts+ 50 "Restarts in the report of a condition at most.")
(defconstant +reported-frames+ 20 "Frames in it at most.")

(defvar *unhandled* nil
  "What becomes of an unhandled condition where code runs on behalf of the harbor: a function of the condition that
does not return. Bound in threads of the agent, never globally.")

(defvar *top-level-restart* nil
  "The restart that returns to the top level; the ones beyond it belong to the thread, not to the user.")

(defvar *current-form* nil "The top-level form being evaluated, shown where no frame is the user's.")

(defun user-restarts (condition)
  "Restarts for CONDITION, innermost first, down to the one that returns to the top level; then those which are only for
the conditions of outer debugger levels. Second value: NIL, or how many there are beside those."
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

(defvar *frames-with-locals* 0 "How many frames of a condition, of those that have locals, are told with them.")

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

(defun indexed (function items)
  (loop for item in items
        for index from 0
        collect (funcall function item index)))

(defun omitted-members (&rest keys-and-counts)
  "A member that tells of what lists leave out, by their keys; none where the counts are NIL."
  (and (some #'integerp keys-and-counts)
       (list "omitted" (apply #'optional-members keys-and-counts))))

(defun condition-data (condition frames)
  "CONDITION as a JSON object, with the restarts of this moment, and FRAMES. LEVEL counts debugger levels."
  (multiple-value-bind (restarts more-restarts) (user-restarts condition)
    (apply #'object
           "type" (name-text (type-of condition))
           "message" (message-of condition)
           "level" (1+ (current-level))
           "restarts" (indexed #'restart-data restarts)
           "frames" (frames-data frames)
           (omitted-members "restarts" more-restarts "frames" (left-out +reported-frames+ frames)))))
