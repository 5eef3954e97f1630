;;;; Finds forms in the text of a source file by looking at its characters: nothing is read, interned or evaluated.
;;;; Comments, strings, escapes and feature expressions are understood; reader macros of users are taken for tokens.

(in-package :lisp-harbor-agent)

(defparameter +blanks+ (coerce '(#\Space #\Tab #\Newline #\Return #\Page) 'string))
(defparameter +token-ends+ (concatenate 'string +blanks+ "()\"';`,"))

(defvar *file-texts* '() "Texts of the files that this query has opened, by native name.")

(defvar *conses-found* nil
  "A function that is called with the position of each cons which the reader would make, in SBCL's order of form
numbers: outer before inner, left before right. NIL where nothing counts them.")

(defun char-at (text position)
  (and position (< position (length text)) (char text position)))

(defun begins-with-p (prefix text position)
  (let ((end (+ position (length prefix))))
    (and (<= end (length text)) (string= prefix text :start2 position :end2 end))))

;;; What is no form.

(defun after-line (text position)
  (let ((newline (position #\Newline text :start position)))
    (if newline (1+ newline) (length text))))

(defun after-block-comment (text position)
  "Where the #| |# that begins at POSITION ends; they nest."
  (loop with depth = 0
        while (< position (length text))
        do (cond ((begins-with-p "#|" text position) (incf depth) (incf position 2))
                 ((begins-with-p "|#" text position) (decf depth) (incf position 2))
                 (t (incf position)))
        when (zerop depth) return position
        finally (return position)))

(defun form-start (text position)
  "Where the next form begins at or after POSITION, a closing parenthesis included; NIL at the end of the text."
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
  "Where reading goes on after the #+ or #- at POSITION: before the guarded form, or behind one that is left out."
  (let* ((*conses-found* nil)
         (start (form-start text (+ position 2)))
         (end (form-end text start))
         (present (feature-present-p text start)))
    (if (eq present (char= (char text (1+ position)) #\+))
        end
        (form-end text (form-start text end)))))

(defun feature-operands (text position)
  "Where the forms of the list at POSITION begin, its operator excepted."
  (rest (loop for start = (form-start text (1+ position)) then (form-start text (form-end text start))
              until (or (null start) (char= (char text start) #\)))
              collect start)))

(defun token-text (text position)
  (string-left-trim ":" (subseq text position (form-end text position))))

(defun feature-present-p (text position)
  "Whether the feature expression at POSITION holds in this image."
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
  "Where the string whose first quote is at POSITION ends."
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
  "Where the list whose parenthesis is at POSITION ends."
  (loop for start = (form-start text (1+ position)) then (form-start text (form-end text start))
        do (cond ((null start) (return (length text)))
                 ((char= (char text start) #\)) (return (1+ start))))))

(defun empty-list-p (text position)
  (eql (char-at text (form-start text (1+ position))) #\)))

(defun after-prefix (text position length)
  "Where the form ends that follows a prefix of LENGTH characters at POSITION."
  (let ((start (form-start text (+ position length))))
    (if start (form-end text start) (length text))))

(defun after-quote (text position)
  "Where the form ends whose ' is at POSITION. The compiler does not look into quoted constants."
  (let ((*conses-found* nil)) (after-prefix text position 1)))

(defun after-dispatch (text position)
  "Where the form ends whose # is at POSITION."
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
  "Where the form ends that has a # before the character at POSITION: #P\"…\", #S(…), #2A(…), #x1F, #:name, #*1010."
  (let* ((end (if (find (char text position) +token-ends+) (1+ position) (after-token text position)))
         (next (char-at text end)))
    (if (and (eql end (1+ position)) next (find next "(\""))
        (form-end text end)
        end)))

(defun form-end (text position)
  "The position behind the form that begins at POSITION."
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

;;; Looking into forms.

(defun operator-text (text position)
  "The first element of the list at POSITION, when that is a token; else an empty string."
  (let ((start (form-start text (1+ position))))
    (if (or (null start) (find (char text start) "()\"#'`,"))
        ""
        (token-text text start))))

(defun second-text (text position)
  "The second element of the list at POSITION as it is written; empty when there is none."
  (let* ((first (form-start text (1+ position)))
         (second (and first (char/= (char text first) #\)) (form-start text (form-end text first)))))
    (if (or (null second) (char= (char text second) #\)))
        ""
        (subseq text second (form-end text second)))))

;;; What the compiler remembers of a form.

(defun top-level-form-start (text index)
  "Where top-level form number INDEX, counted from 0, begins; NIL when there are fewer."
  (loop for start = (form-start text 0) then (form-start text (form-end text start))
        repeat index
        while start
        finally (return start)))

(defun top-level-forms (text)
  "Where the top-level forms of TEXT begin."
  (loop for start = (form-start text 0) then (form-start text (form-end text start))
        while start
        collect start))

(defun cons-positions (text position)
  "The positions of all conses of the form at POSITION, by form number."
  (let* ((positions '())
         (*conses-found* (lambda (found) (push found positions))))
    (form-end text position)
    (coerce (nreverse positions) 'vector)))

(defun line-number (text position)
  (1+ (count #\Newline text :end position)))
