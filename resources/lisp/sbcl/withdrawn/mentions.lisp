;;;; Names that the text of a file mentions. A definition that a load did not make stays if its file still
;;;; mentions it, because the form may be conditional, for example on the name having no definition yet.

(in-package :lisp-harbor-agent)

(defun never-present-p (text position)
  "Reports whether no image has the feature expression of the #+ or #- at POSITION, as people write to disable a
form."
  (let* ((start (form-start text (+ position 2)))
         (written (and start (remove-if (lambda (char) (find char +blanks+)) (subseq text start (form-end text start))))))
    (member written (if (char= (char text (1+ position)) #\+) '("nil" ":nil" "(or)" "ignore" "(and nil)") '("(and)" "t" "sbcl" ":sbcl"))
            :test #'equalp)))

(defun after-disabled-form (text position)
  (form-end text (or (form-start text (form-end text (form-start text (+ position 2)))) (length text))))

(defun form-mentions (text start end)
  "Returns a table of the names in TEXT from START to END, in upper case without package. The value is
:DEFINITION for a name that is quoted, that follows an operator whose name begins with DEF, or that is the first
argument of the whole form; otherwise :USE."
  (loop with names = (make-hash-table :test #'equal)
        with depth = 0 and before = nil   ; BEFORE is the token before, if it was an operator: its name
        with position = start
        while (< position end)
        do (let ((char (char text position)))
             (cond ((char= char #\;) (setf position (after-line text position)))
                   ((begins-with-p "#|" text position) (setf position (after-block-comment text position)))
                   ((begins-with-p "#\\" text position) (setf position (max (+ position 3) (after-token text (+ position 2)))))
                   ((char= char #\") (setf position (after-string text position)))
                   ((and (or (begins-with-p "#+" text position) (begins-with-p "#-" text position))
                         (never-present-p text position))
                    (setf position (after-disabled-form text position)))
                   ((char= char #\() (incf depth) (incf position) (setf before :open))
                   ((char= char #\)) (decf depth) (incf position) (setf before nil))
                   ((find char +token-ends+)
                    (incf position)
                    (when (char= char #\') (setf before :quote)))
                   (t (let* ((token-end (max (1+ position) (after-token text position)))
                             (name (string-upcase (bare-name (subseq text position token-end)))))
                        (setf (gethash name names)
                              (if (or (eq (gethash name names) :definition)
                                      (eq before :quote)
                                      (and (stringp before)
                                           (or (= depth 1) (begins-with-p "DEF" before 0))))
                                  :definition
                                  :use)
                              before (and (eq before :open) name)
                              position token-end)))))
        finally (return names)))

(defun mentions-in (text)
  "Returns the FORM-MENTIONS of each top-level form of TEXT, with what follows it. Nothing is left out, since the
reader may have skipped a form for a feature that the file itself has added."
  (loop for (start next) on (cons 0 (rest (top-level-forms text)))
        collect (form-mentions text start (or next (length text)))))

(defun symbol-of (definition)
  (let ((name (defined-name definition)))
    (if (consp name) (second name) name)))

(defun method-mentioned-p (method mentions)
  "Reports whether one form defines something with the name of the function of METHOD and names its classes."
  (let ((name (generic-function-name (method-generic-function method)))
        (classes (loop for specializer in (method-specializers method)
                       when (and (typep specializer 'class) (not (eq specializer (find-class t))))
                         collect (symbol-name (class-name specializer)))))
    (some (lambda (form)
            (and (eq (gethash (symbol-name (named-symbol name)) form) :definition)
                 (every (lambda (class) (gethash class form)) classes)))
          mentions)))

(defun name-mentions (name mentions)
  (loop for form in mentions
        for mention = (gethash (string-upcase (symbol-name (named-symbol name))) form)
        when mention collect mention))

(defun mention-of (definition mentions record)
  "Returns :DEFINITION if what mentions DEFINITION may define it in a fresh image, :USE if it looks like a use,
NIL if nothing mentions it. RECORD is that of the load: its symbols count, because a macro may have made the
name, and so do definitions of other kinds that it has made under the name, one for each form."
  (with-accessors ((name defined-name) (kind defined-kind)) definition
    (case kind
      (:method (and (ignore-errors (method-mentioned-p name mentions)) :definition))
      (:package nil)
      (t (let* ((found (name-mentions name mentions))
                (defining (count :definition found))
                (made (count name (file-record-definitions record) :key #'defined-name :test #'equal)))
           (cond ((plusp made) (and (> defining made) :use))
                 ((plusp defining) :definition)
                 (found :use)
                 ((gethash (symbol-of definition) (file-record-symbols record)) :definition)))))))
