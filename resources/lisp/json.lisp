;;;; JSON (RFC 8259) for the wire: objects, arrays, strings, integers, booleans, null. Any JSON parser
;;;; can read every written string. A written value contains no raw newline.

(in-package :lisp-harbor-agent)

;;; Lisp representation of JSON: a JSON-OBJECT, a list for an array, a string, an integer, :TRUE,
;;; :FALSE, :NULL.

(defstruct (json-object (:constructor make-json-object (members)))
  "MEMBERS is an alist from strings to values, in the order of output."
  (members '() :type list))

(defun object (&rest keys-and-values)
  "Returns a JSON object of alternating string keys and values."
  (make-json-object (loop for (key value) on keys-and-values by #'cddr collect (cons key value))))

(defun member-of (object key)
  "Returns the value of KEY in OBJECT, or NIL if it is absent, null or false."
  (let ((value (cdr (assoc key (json-object-members object) :test #'string=))))
    (if (member value '(:null :false)) nil value)))

(define-condition malformed-json (error) ()
  (:report "The text is not JSON as the wire knows it."))

;;; Writing. Digits are written by own code because user code may have set any printer variable.

(defun surrogate-p (char)
  "Reports whether CHAR is a UTF-16 surrogate, which is invalid where strings consist of whole characters.
Where they do not, as in ABCL, a surrogate pair is written unchanged."
  (and (> char-code-limit #x10000)
       (<= #xD800 (char-code char) #xDFFF)))

(declaim (inline plain-character-p))
(defun plain-character-p (char)
  (let ((code (char-code char)))
    (not (or (< code 32) (<= 127 code 159) (char= char #\") (char= char #\\) (<= #xD800 code #xDFFF)))))

(defun write-code (code out)
  "Writes four hexadecimal digits."
  (loop for shift in '(12 8 4 0)
        do (write-char (char "0123456789abcdef" (ldb (byte 4 shift) code)) out)))

(defun write-escape (char out)
  (case char
    (#\" (write-string "\\\"" out))
    (#\\ (write-string "\\\\" out))
    (#\Newline (write-string "\\n" out))
    ;; JSON cannot represent this character. A visible escape is written instead; two escapes never
    ;; combine to one character.
    (t (write-string (if (surrogate-p char) "\\\\u" "\\u") out)
       (write-code (char-code char) out))))

(defun special-character (string start)
  "Returns the position of the first character from START on that needs an escape, or NIL. A loop with a declared type,
because a value may have millions of characters."
  (declare (type fixnum start))
  (macrolet ((look () '(loop for at of-type fixnum from start below (length string)
                             unless (plain-character-p (char string at)) return at)))
    (typecase string
      ((simple-array character (*)) (look))
      (simple-base-string (look))
      (t (look)))))

(defun write-json-string (string out)
  (write-char #\" out)
  (loop with end = (length string)
        for start = 0 then (1+ special)
        for special = (special-character string start)
        do (write-string string out :start start :end (or special end))
        while special
        do (write-escape (char string special) out))
  (write-char #\" out))

(defun write-digits (natural out)
  (multiple-value-bind (rest digit) (floor natural 10)
    (when (plusp rest) (write-digits rest out))
    (write-char (char "0123456789" digit) out)))

(defun write-members (items write-item open close out)
  (write-char open out)
  (loop for (item . more) on items
        do (funcall write-item item)
        when more do (write-char #\, out))
  (write-char close out))

(defun write-json (value out)
  "Writes VALUE as JSON without newlines."
  (etypecase value
    (string (write-json-string value out))
    (integer (when (minusp value) (write-char #\- out))
     (write-digits (abs value) out))
    (list (write-members value (lambda (item) (write-json item out)) #\[ #\] out))
    (json-object (write-members (json-object-members value)
                                (lambda (member)
                                  (write-json-string (car member) out)
                                  (write-char #\: out)
                                  (write-json (cdr member) out))
                                #\{ #\} out))
    ((member :true) (write-string "true" out))
    ((member :false) (write-string "false" out))
    ((member :null) (write-string "null" out))))

;;; Reading.

(defun read-json (text)
  "Returns the value that the string TEXT represents. Signals MALFORMED-JSON."
  (with-input-from-string (in text)
    (let ((value (read-value in)))
      (if (next-token-character in) (error 'malformed-json) value))))

(defun next-token-character (in)
  "Returns the next character that is not whitespace without consuming it, or NIL at the end."
  (loop for char = (peek-char nil in nil)
        while (member char '(#\Space #\Tab #\Newline #\Return))
        do (read-char in)
        finally (return char)))

(defun next-character (in)
  (or (read-char in nil) (error 'malformed-json)))

(defun expect (word value in)
  (loop for char across word
        unless (char= char (next-character in)) do (error 'malformed-json))
  value)

(defun read-value (in)
  (let ((char (next-token-character in)))
    (case char
      (#\{ (make-json-object (read-members #'read-member #\} in)))
      (#\[ (read-members #'read-value #\] in))
      (#\" (read-json-string in))
      (#\t (expect "true" :true in))
      (#\f (expect "false" :false in))
      (#\n (expect "null" :null in))
      (t (read-json-integer in)))))

(defun read-members (read-item close in)
  (read-char in)
  (if (eql (next-token-character in) close)
      (progn (read-char in) '())
      (loop collect (funcall read-item in)
            until (let ((char (next-token-character in)))
                    (unless (member char `(#\, ,close)) (error 'malformed-json))
                    (char= (read-char in) close)))))

(defun read-member (in)
  (unless (eql (next-token-character in) #\") (error 'malformed-json))
  (let ((key (read-json-string in)))
    (next-token-character in)
    (expect ":" t in)
    (cons key (read-value in))))

(defun read-json-integer (in)
  (let ((sign (if (eql (peek-char nil in nil) #\-) (progn (read-char in) -1) 1))
        (digits (loop for char = (peek-char nil in nil)
                      while (and char (digit-char-p char))
                      collect (digit-char-p (read-char in)))))
    (if digits
        (* sign (reduce (lambda (sum digit) (+ (* 10 sum) digit)) digits))
        (error 'malformed-json))))

(defun read-json-string (in)
  (read-char in)
  (with-output-to-string (out)
    (loop for char = (next-character in)
          until (char= char #\")
          do (if (char= char #\\) (read-escape in out) (write-char char out)))))

(defun read-escape (in out)
  (let ((char (next-character in)))
    (if (char= char #\u)
        (read-code-unit (read-hexadecimal in) in out)
        (write-char (case char
                      (#\n #\Newline) (#\t #\Tab) (#\r #\Return) (#\b #\Backspace) (#\f #\Page)
                      (t char))
                    out))))

(defun read-hexadecimal (in)
  (loop with value = 0
        repeat 4
        do (setf value (+ (* 16 value) (or (digit-char-p (next-character in) 16) (error 'malformed-json))))
        finally (return value)))

(defun read-code-unit (unit in out)
  "Writes the character of the UTF-16 code UNIT, combined with the escape after it if they are a surrogate
pair."
  (if (and (<= #xD800 unit #xDBFF) (eql (peek-char nil in nil) #\\))
      (progn
        (read-char in)
        (unless (eql (peek-char nil in nil) #\u)
          (write-char (code-char unit) out)
          (unread-char #\\ in)
          (return-from read-code-unit))
        (read-char in)
        (let ((low (read-hexadecimal in)))
          (if (and (<= #xDC00 low #xDFFF) (> char-code-limit #x10000)) ; Strings of some Lisps contain the pair.
              (write-char (code-char (+ #x10000 (ash (- unit #xD800) 10) (- low #xDC00))) out)
              (progn (write-char (code-char unit) out)
                     (read-code-unit low in out)))))
      (write-char (code-char unit) out)))
