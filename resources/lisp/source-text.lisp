;;;; Finds forms in the text of a source file by its characters, without reading, interning or
;;;; evaluating. Understands comments, strings, escapes and feature expressions. User-defined reader
;;;; macros are treated as tokens.

(in-package :lisp-harbor-agent)

(defparameter +blanks+ (coerce '(#\Space #\Tab #\Newline #\Return #\Page) 'string))
(defparameter +token-ends+ (concatenate 'string +blanks+ "()\"';`,"))

(defvar *file-texts* '() "The texts of the files that this query has opened, by native file name.")

(defvar *conses-found* nil
  "A function that is called with the position of each cons that the reader would create, in SBCL's order of
form numbers: outer before inner, left before right. NIL to count nothing.")

(defun char-at (text position)
  (and position (< position (length text)) (char text position)))

(defun begins-with-p (prefix text position)
  (let ((end (+ position (length prefix))))
    (and (<= end (length text)) (string= prefix text :start2 position :end2 end))))

(defvar *project-folder* nil "The name of the session's project, ending in a slash. SBCL: its native name.")

(defun in-project-p (name)
  "Reports whether NAME, the name of a file in the form of *PROJECT-FOLDER*, is in the project."
  (and *project-folder* (begins-with-p *project-folder* name 0)))

;;; Whitespace, comments and feature expressions.

(defun after-line (text position)
  (let ((newline (position #\Newline text :start position)))
    (if newline (1+ newline) (length text))))

(defun after-block-comment (text position)
  "Returns the end of the #| |# comment at POSITION. Such comments nest."
  (loop with depth = 0
        while (< position (length text))
        do (cond ((begins-with-p "#|" text position) (incf depth) (incf position 2))
                 ((begins-with-p "|#" text position) (decf depth) (incf position 2))
                 (t (incf position)))
        when (zerop depth) return position
        finally (return position)))

(defun form-start (text position)
  "Returns the start of the next form at or after POSITION. A closing parenthesis counts as one. NIL at the end
of the text."
  (loop
    (let ((char (char-at text position)))
      (cond ((null char) (return nil))
            ((find char +blanks+) (incf position))
            ((char= char #\;) (setf position (after-line text position)))
            ((begins-with-p "#|" text position) (setf position (after-block-comment text position)))
            ((or (begins-with-p "#+" text position) (begins-with-p "#-" text position))
             (setf position (after-feature text position)))
            (t (return position))))))

(defun after-feature (text position)
  "Returns the position at which reading continues after the #+ or #- at POSITION: before the guarded form, or
after a form that is skipped."
  (let* ((*conses-found* nil)
         (start (form-start text (+ position 2)))
         (end (form-end text start))
         (present (feature-present-p text start)))
    (if (eq present (char= (char text (1+ position)) #\+))
        end
        (form-end text (form-start text end)))))

(defun feature-operands (text position)
  "Returns the start positions of the forms of the list at POSITION, without its operator."
  (rest (loop for start = (form-start text (1+ position)) then (form-start text (form-end text start))
              until (or (null start) (char= (char text start) #\)))
              collect start)))

(defun token-text (text position)
  (string-left-trim ":" (subseq text position (form-end text position))))

(defun feature-present-p (text position)
  "Reports whether the feature expression at POSITION is true in this image."
  (flet ((holds (start) (feature-present-p text start)))
    (cond ((null position) nil)
          ((char/= (char text position) #\()
           (and (member (token-text text position) *features* :test #'string-equal) t))
          (t (let ((operator (operator-text text position))
                   (operands (feature-operands text position)))
               (cond ((string-equal operator "or") (some #'holds operands))
                     ((string-equal operator "not") (notany #'holds operands))
                     (t (every #'holds operands))))))))

;;; Forms.

(defun note-cons (position)
  (when *conses-found* (funcall *conses-found* position)))

(defun after-string (text position)
  "Returns the end of the string whose opening quote is at POSITION."
  (loop with index = (1+ position)
        for char = (char-at text index)
        do (cond ((null char) (return (length text)))
                 ((char= char #\") (return (1+ index)))
                 (t (incf index (if (char= char #\\) 2 1))))))

(defun after-token (text position)
  (loop with in-bars = nil
        for char = (char-at text position)
        while (and char (or in-bars (not (find char +token-ends+))))
        do (cond ((char= char #\|) (setf in-bars (not in-bars)))
                 ((char= char #\\) (incf position)))
           (incf position)
        finally (return (min position (length text)))))

(defun after-list (text position)
  "Returns the end of the list whose opening parenthesis is at POSITION."
  (loop for start = (form-start text (1+ position)) then (form-start text (form-end text start))
        do (cond ((null start) (return (length text)))
                 ((char= (char text start) #\)) (return (1+ start))))))

(defun empty-list-p (text position)
  (eql (char-at text (form-start text (1+ position))) #\)))

(defun after-prefix (text position length)
  "Returns the end of the form that follows a prefix of LENGTH characters at POSITION."
  (let ((start (form-start text (+ position length))))
    (if start (form-end text start) (length text))))

(defun after-quote (text position)
  "Returns the end of the form whose ' is at POSITION. The compiler does not count the conses of quoted
constants."
  (let ((*conses-found* nil)) (after-prefix text position 1)))

(defun after-dispatch (text position)
  "Returns the end of the form whose # is at POSITION."
  (let* ((index (position-if-not #'digit-char-p text :start (1+ position)))
         (char (char-at text index)))
    (case char
      ((nil) (length text))
      (#\\ (after-token text (min (length text) (+ index 2))))
      (#\' (note-cons position) (after-prefix text index 1))
      ((#\. #\=) (after-prefix text index 1))
      (#\( (let ((*conses-found* nil)) (after-list text index)))
      (t (let ((*conses-found* nil)) (after-letter text index))))))

(defun after-letter (text position)
  "Returns the end of the form that has a # before the character at POSITION: #P\"…\", #S(…), #2A(…), #x1F,
#:name, #*1010."
  (let* ((end (if (find (char text position) +token-ends+) (1+ position) (after-token text position)))
         (next (char-at text end)))
    (if (and (eql end (1+ position)) next (find next "(\""))
        (form-end text end)
        end)))

(defun form-end (text position)
  "Returns the position after the form that begins at POSITION."
  (let ((char (char-at text position)))
    (case char
      ((nil) (length text))
      (#\( (unless (empty-list-p text position) (note-cons position))
       (after-list text position))
      (#\) (1+ position))
      (#\" (after-string text position))
      (#\` (note-cons position) (after-prefix text position 1))
      (#\' (note-cons position) (after-quote text position))
      (#\, (after-prefix text position (if (find (char-at text (1+ position)) "@.") 2 1)))
      (#\# (after-dispatch text position))
      (t (max (1+ position) (after-token text position))))))

;;; Elements of forms.

(defun operator-text (text position)
  "Returns the first element of the list at POSITION if that is a token, otherwise an empty string."
  (let ((start (form-start text (1+ position))))
    (if (or (null start) (find (char text start) "()\"#'`,"))
        ""
        (token-text text start))))

(defun second-text (text position)
  "Returns the second element of the list at POSITION as it is written, or an empty string if there is none."
  (let* ((first (form-start text (1+ position)))
         (second (and first (char/= (char text first) #\)) (form-start text (form-end text first)))))
    (if (or (null second) (char= (char text second) #\)))
        ""
        (subseq text second (form-end text second)))))

;;; Source paths that the compiler records.

(defun top-level-form-start (text index)
  "Returns the start of top-level form number INDEX, counted from 0, or NIL if there are fewer."
  (loop for start = (form-start text 0) then (form-start text (form-end text start))
        repeat index
        while start
        finally (return start)))

(defun top-level-forms (text)
  "Returns the start positions of the top-level forms of TEXT."
  (loop for start = (form-start text 0) then (form-start text (form-end text start))
        while start
        collect start))

(defun cons-positions (text position)
  "Returns the positions of all conses of the form at POSITION, by form number."
  (let* ((positions '())
         (*conses-found* (lambda (found) (push found positions))))
    (form-end text position)
    (coerce (nreverse positions) 'vector)))

(defun line-number (text position)
  (1+ (count #\Newline text :end position)))
