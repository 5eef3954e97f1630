;;;; ABOUTME: What an evaluation reads: lines from whoever asked for it, when that is somebody who types,
;;;; ABOUTME: and otherwise the end of the file at once, with a note. Reading never waits for nobody.

(in-package :lisp-harbor-agent)

(defvar *given-input* '() "Lines that came for the evaluation that runs, oldest first; :END for the end of the file.")
(defvar *input-lock* (make-mutex :name "lisp-harbor input"))
(defvar *input-came* (make-waitqueue :name "lisp-harbor input"))

(defclass caller-input (fundamental-character-input-stream)
  ((evaluation :initarg :evaluation :reader reading-evaluation)
   (line :initform "" :accessor line-of)
   (position :initform 0 :accessor position-of))
  (:documentation
   "The input of one EVALUATION. LINE is what was given last, POSITION counts what has been read of it."))

(defun give-input (id line)
  "Hands LINE to evaluation ID; a string, or NIL for the end of the file. What comes too late is nobody's."
  (with-mutex (*input-lock*)
    (when (eql id *current*)
      (setf *given-input* (append *given-input* (list (or line :end))))
      (condition-notify *input-came*))))

(defun take-given-input ()
  (with-mutex (*input-lock*)
    (loop until *given-input*
          do (condition-wait *input-came* *input-lock*))
    (pop *given-input*)))

(defun forget-given-input ()
  (with-mutex (*input-lock*)
    (setf *given-input* '())))

(defun ask-for-line (evaluation)
  "Asks the caller of EVALUATION for a line; NIL for the end of the file."
  (flush-output)
  (forget-given-input)
  (send "input-wanted" "id" (evaluation-id evaluation))
  (let ((line (take-given-input)))
    (if (eq line :end) nil line)))

(defun next-line (evaluation)
  (cond ((evaluation-answers-input evaluation) (ask-for-line evaluation))
        (t (note evaluation "The code read from its input, which is empty here. Give it text, for example ~
                             (with-input-from-string (*standard-input* \"…\") …); questions read *query-io*.")
           nil)))

(defun more-input-p (stream)
  "Whether STREAM has a character; asks for the next line when it has none. False at the end of the file."
  (or (< (position-of stream) (length (line-of stream)))
      (let ((line (next-line (reading-evaluation stream))))
        (setf (line-of stream) (if line (format nil "~A~%" line) "")
              (position-of stream) 0)
        line)))

(defmethod stream-read-char ((stream caller-input))
  (if (more-input-p stream)
      (prog1 (char (line-of stream) (position-of stream))
        (incf (position-of stream)))
      :eof))

(defmethod stream-unread-char ((stream caller-input) char)
  (declare (ignore char))
  (decf (position-of stream))
  nil)

(defmethod stream-listen ((stream caller-input))
  (< (position-of stream) (length (line-of stream))))

(defmethod stream-read-char-no-hang ((stream caller-input))
  (if (listen stream) (read-char stream) nil))

(defmethod stream-clear-input ((stream caller-input))
  (setf (position-of stream) (length (line-of stream)))
  nil)

;; A two-way stream asks both of its streams.
(defmethod stream-line-column ((stream caller-input))
  nil)

(defmethod print-object ((stream caller-input) out)
  (print-unreadable-object (stream out)
    (write-string "the input of the evaluation" out)))
