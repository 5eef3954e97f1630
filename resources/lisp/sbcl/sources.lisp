;;;; Where a definition was written: a file and the line of its opening parenthesis, or an evaluation of the history.
;;;; SBCL knows a top-level form and a form number; the line comes from the text of the file.

(in-package :lisp-harbor-agent)

(defconstant +longest-file+ 16000000 "Bytes of a source file that is looked at.")

(define-implementation evaluated-source (evaluation position)
  "A plist for SB-C::*SOURCE-PLIST*: it lets every definition that is compiled say which evaluation it came from, at
which character of the code its top-level form begins, and in which package that was read."
  (list :lisp-harbor-evaluation evaluation :position position :package (package-name *package*)))

(define-implementation call-with-source (source function)
  (let ((sb-c::*source-plist* source))
    (funcall function)))

(defun read-text (file)
  "The text of FILE, a pathname or what the host calls it."
  (with-open-file (in (if (stringp file) (sb-ext:parse-native-namestring file) file) :external-format '(:utf-8 :replacement #\?))
    (when (<= (file-length in) +longest-file+)
      (let* ((text (make-string (file-length in)))
             (end (read-sequence text in)))
        (subseq text 0 end)))))

(defun file-text (file)
  "The text of FILE, or NIL when it cannot be read."
  (let ((known (assoc file *file-texts* :test #'string=)))
    (if known
        (cdr known)
        (let ((text (ignore-errors (read-text file))))
          (push (cons file text) *file-texts*)
          text))))

;;; The opening parenthesis.

(defun bare-name (written)
  "The name in WRITTEN, a piece of source such as pkg:foo, |foo|, #:foo or \"FOO\"."
  (let ((colon (position #\: written :from-end t)))
    (remove-if (lambda (char) (find char "|\"#")) (if colon (subseq written (1+ colon)) written))))

(defun same-written-name-p (name written)
  "Whether WRITTEN, the second element of a definition, is NAME: a symbol, perhaps in a list with options, or
(setf symbol)."
  (let ((operator (if (begins-with-p "(" written 0) (operator-text written 0) written)))
    (if (symbolp name)
        (string-equal (symbol-name name) (bare-name operator))
        (and (string-equal operator "setf")
             (string-equal (symbol-name (second name)) (bare-name (second-text written 0)))))))

(defun defines-p (name text position)
  "Whether the form at POSITION looks like a definition of NAME."
  (and (eql (char-at text position) #\()
       (begins-with-p "def" (string-downcase (bare-name (operator-text text position))) 0)
       (same-written-name-p name (second-text text position))))

(defun definition-position (text top-level-form form-number name)
  "Where the definition of NAME begins: at TOP-LEVEL-FORM, a position, or inside of that form where it wraps definitions.
In a file that was loaded as source, form numbers begin anew in each of its parts, so FORM-NUMBER is believed only when
what it points at defines NAME."
  (if (defines-p name text top-level-form)
      top-level-form
      (let* ((conses (cons-positions text top-level-form))
             (numbered (and form-number (< form-number (length conses)) (aref conses form-number))))
        (cond ((and numbered (defines-p name text numbered)) numbered)
              ((find-if (lambda (position) (defines-p name text position)) conses))
              (t top-level-form)))))

(defun use-position (text top-level-form form-number)
  "Where form FORM-NUMBER of TOP-LEVEL-FORM begins."
  (let ((conses (cons-positions text top-level-form)))
    (if (and form-number (< form-number (length conses)))
        (aref conses form-number)
        top-level-form)))

(defun position-in-file (source text name)
  "The position that SOURCE means in TEXT: of the definition of NAME, or of a use where NAME is NIL."
  (let* ((index (first (sb-introspect:definition-source-form-path source)))
         (number (sb-introspect:definition-source-form-number source))
         (start (and index (top-level-form-start text index))))
    (cond ((null start) nil)
          (name (definition-position text start number name))
          (t (use-position text start number)))))

;;; Locations.

(defun changed-since-p (source file)
  (let ((then (sb-introspect:definition-source-file-write-date source)))
    (and then (/= then (or (ignore-errors (file-write-date file)) then)))))

(defun file-location (source pathname name)
  (let* ((file (sb-ext:native-namestring (translate-logical-pathname pathname)))
         (text (file-text file))
         (position (and text (position-in-file source text name))))
    (optional-members "file" file
                      "line" (and position (line-number text position))
                      "note" (cond ((null text) "the file cannot be read here")
                                   ((changed-since-p source file)
                                    "the file has changed since it was loaded; the line is that of the file now")))))

(defun evaluation-in (source)
  "The evaluation, the position in its code and the package that SOURCE names, as a list; NIL when it was none."
  (destructuring-bind (&key lisp-harbor-evaluation position package &allow-other-keys)
      (sb-introspect:definition-source-plist source)
    (and lisp-harbor-evaluation (list lisp-harbor-evaluation position package))))

(defun location (source &optional name)
  "SOURCE as a JSON object, or NIL when it says nothing. With NAME it is that of a definition, else of a use."
  (let ((pathname (sb-introspect:definition-source-pathname source))
        (evaluation (evaluation-in source)))
    (cond (pathname (or (ignore-errors (file-location source pathname name)) nil))
          (evaluation (object "evaluation" (first evaluation) "position" (second evaluation)
                              "package" (third evaluation))))))
