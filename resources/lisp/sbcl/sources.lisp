;;;; The source of a definition: a file and the line of its opening parenthesis, or an evaluation of
;;;; the history. SBCL records a top-level form and a form number; the line is computed from the text
;;;; of the file.

(in-package :lisp-harbor-agent)

(defconstant +longest-file+ 16000000 "Maximum size in bytes of a source file that is read.")

(define-implementation evaluated-source (evaluation position)
  "Returns a plist for SB-C::*SOURCE-PLIST*. With it each compiled definition records its evaluation, the
character position of its top-level form in the code, and the package in which that was read."
  (list :lisp-harbor-evaluation evaluation :position position :package (package-name *package*)))

(define-implementation call-with-source (source function)
  (let ((sb-c::*source-plist* source))
    (funcall function)))

(defun read-text (file)
  "Returns the text of FILE, a pathname or a native file name."
  (let ((file (if (stringp file) (sb-ext:parse-native-namestring file) file)))
    (with-open-file (in file :external-format (list (file-encoding file) :replacement #\?))
      (when (<= (file-length in) +longest-file+)
        (let* ((text (make-string (file-length in)))
               (end (read-sequence text in)))
          (subseq text 0 end))))))

(defun file-text (file)
  "Returns the text of FILE, or NIL if it cannot be read."
  (let ((known (assoc file *file-texts* :test #'string=)))
    (if known
        (cdr known)
        (let ((text (ignore-errors (read-text file))))
          (push (cons file text) *file-texts*)
          text))))

;;; Position of the opening parenthesis.

(defun bare-name (written)
  "Returns the name in WRITTEN, a piece of source such as pkg:foo, |foo|, #:foo or \"FOO\"."
  (let ((colon (position #\: written :from-end t)))
    (remove-if (lambda (char) (find char "|\"#")) (if colon (subseq written (1+ colon)) written))))

(defun same-written-name-p (name written)
  "Reports whether WRITTEN, the second element of a definition, is NAME: a symbol, possibly in a list with
options, or (setf symbol)."
  (let ((operator (if (begins-with-p "(" written 0) (operator-text written 0) written)))
    (if (symbolp name)
        (string-equal (symbol-name name) (bare-name operator))
        (and (string-equal operator "setf")
             (string-equal (symbol-name (second name)) (bare-name (second-text written 0)))))))

(defun defines-p (name text position)
  "Reports whether the form at POSITION looks like a definition of NAME."
  (and (eql (char-at text position) #\()
       (begins-with-p "def" (string-downcase (bare-name (operator-text text position))) 0)
       (same-written-name-p name (second-text text position))))

(defun definition-position (text top-level-form form-number name)
  "Returns the start of the definition of NAME: TOP-LEVEL-FORM, a position, or a position inside that form if
it wraps definitions. In a file loaded as source, form numbers restart in each of its parts, so FORM-NUMBER
is used only if its form defines NAME."
  (if (defines-p name text top-level-form)
      top-level-form
      (let* ((conses (cons-positions text top-level-form))
             (numbered (and form-number (< form-number (length conses)) (aref conses form-number))))
        (cond ((and numbered (defines-p name text numbered)) numbered)
              ((find-if (lambda (position) (defines-p name text position)) conses))
              (t top-level-form)))))

(defun use-position (text top-level-form form-number)
  "Returns the start of form FORM-NUMBER of TOP-LEVEL-FORM."
  (let ((conses (cons-positions text top-level-form)))
    (if (and form-number (< form-number (length conses)))
        (aref conses form-number)
        top-level-form)))

(defun position-in-file (source text name)
  "Returns the position that SOURCE denotes in TEXT: of the definition of NAME, or of a use if NAME is NIL."
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
  "Returns the evaluation, the position in its code and the package of SOURCE as a list, or NIL if it was not
an evaluation."
  (destructuring-bind (&key lisp-harbor-evaluation position package &allow-other-keys)
      (sb-introspect:definition-source-plist source)
    (and lisp-harbor-evaluation (list lisp-harbor-evaluation position package))))

(defun location (source &optional name)
  "Returns SOURCE as a JSON object, or NIL if it has no information. With NAME it is the source of a
definition, otherwise of a use."
  (let ((pathname (sb-introspect:definition-source-pathname source))
        (evaluation (evaluation-in source)))
    (cond (pathname (or (ignore-errors (file-location source pathname name)) nil))
          (evaluation (object "evaluation" (first evaluation) "position" (second evaluation)
                              "package" (third evaluation))))))
