;;;; Source locations as line and column of the exact form that the compiler refers to. SBCL knows a
;;;; position in the file and a path into the form there; the text of the file gives the rest.

(in-package :lisp-harbor-agent)

(defun column-number (text position)
  (- position (or (position #\Newline text :end position :from-end t) -1)))

(defun place-members (file text position)
  "Returns keys and values for line and column of POSITION in FILE, counted from 1."
  `("file" ,(sb-ext:native-namestring file)
    ,@(when position
        `("line" ,(line-number text position) "column" ,(column-number text position)))))

(defun element-start (text position index)
  "Returns the start of element number INDEX of the form at POSITION, or NIL if that is not a list or is too
short."
  (case (char-at text position)
    (#\' (and (eql index 1) (form-start text (1+ position))))
    (#\( (loop for start = (form-start text (1+ position)) then (form-start text (form-end text start))
               repeat index
               while (listed-p text start)
               finally (return (and (listed-p text start) start))))))

(defun listed-p (text position)
  (not (find (char-at text position) '(nil #\)))))

(defun subform-start (text position path)
  "Follows PATH, a list of element numbers, from the form at POSITION as far as the text allows."
  (loop for index in path
        for next = (element-start text position index)
        while next do (setf position next)
        finally (return position)))

(defun character-at-octet (text octet)
  "Returns the character position in TEXT of octet number OCTET of its UTF-8 encoding."
  (loop for position from 0 below (length text)
        for code = (char-code (char text position))
        sum (cond ((< code #x80) 1) ((< code #x800) 2) ((< code #x10000) 3) (t 4)) into octets
        when (> octets octet) return position
        finally (return (length text))))

(defun place-in-file (file octet path)
  "Returns the location in FILE of the form that PATH leads to from the first form after OCTET."
  (let* ((text (ignore-errors (read-text file)))
         (start (and text (form-start text (character-at-octet text octet)))))
    (place-members file text (and start (subform-start text start path)))))
