;;;; Finding the symbol that a text names, without the reader: nothing is interned and nothing is evaluated.
;;;; Knows package prefixes, nicknames, |bars|, \escapes and the case of the session's readtable.

(in-package :lisp-harbor-agent)

(defconstant +near-names+ 8 "Names offered in place of one that does not exist, at most.")

(defparameter +never-in-symbols+ (coerce '(#\Space #\Tab #\Newline #\Return #\Page #\( #\) #\" #\' #\; #\` #\,) 'string)
  "Characters that end a symbol unless they are escaped.")

(defun existing-package (name)
  "The package that NAME, in the case as written or in upper case, names in the current one; else a refusal."
  (or (find-package name)
      (find-package (string-upcase name))
      (refuse "unknown_package" "There is no package ~A. A system that defines it can be loaded.~@[ Near: ~{~A~^, ~}.~]"
              name (near-packages name))))

(defun bad-name (text)
  (refuse "bad_arguments" "~A is not the name of a symbol. Write it as foo, pkg:foo, pkg::foo, |odd Case| or (setf foo)."
          text))

;;; From text to names.

(defun cased (plain-parts)
  "A function that gives characters which are not escaped the case that the reader would give them; PLAIN-PARTS holds
all of them."
  (ecase (readtable-case *readtable*)
    (:upcase #'char-upcase)
    (:downcase #'char-downcase)
    (:preserve #'identity)
    (:invert (cond ((notany #'lower-case-p plain-parts) #'char-downcase)
                   ((notany #'upper-case-p plain-parts) #'char-upcase)
                   (t #'identity)))))

(defun symbol-characters (text)
  "The characters of TEXT as a list of (character . escaped); bars and backslashes are gone."
  (loop with in-bars = nil
        with position = 0
        while (< position (length text))
        for char = (char text position)
        do (incf position)
        if (char= char #\|)
          do (setf in-bars (not in-bars))
        else if (and (char= char #\\) (< position (length text)))
          collect (cons (char text position) t)
          and do (incf position)
        else
          collect (cons char in-bars)))

(defun name-from (characters)
  (let ((case (cased (loop for (char . escaped) in characters unless escaped collect char))))
    (map 'string (lambda (entry) (if (cdr entry) (car entry) (funcall case (car entry)))) characters)))

(defun split-at-colon (characters)
  "Package part, colons and name part. The package part is :NONE where there is no colon."
  (let ((colon (position '(#\:) characters :test #'equal)))
    (if (null colon)
        (values :none 0 characters)
        (let* ((rest (nthcdr colon characters))
               (count (or (position '(#\:) rest :test-not #'equal) (length rest))))
          (values (subseq characters 0 colon) count (nthcdr count rest))))))

(defun parse-symbol-name (text)
  "The package that TEXT names, or :NONE; the number of colons; the name of the symbol."
  (let ((characters (symbol-characters text)))
    (when (or (null characters)
              (eql (char text 0) #\#)
              (loop for (char . escaped) in characters thereis (and (not escaped) (find char +never-in-symbols+))))
      (bad-name text))
    (multiple-value-bind (package colons name) (split-at-colon characters)
      (when (or (> colons 2) (find '(#\:) name :test #'equal)) (bad-name text))
      (values (if (eq package :none) :none (name-from package)) colons (name-from name)))))

(defun package-from-prefix (prefix)
  (cond ((eq prefix :none) *package*)
        ((string= prefix "") (find-package "KEYWORD"))
        (t (existing-package prefix))))

;;; From names to symbols.

(defun symbol-named (text)
  "The symbol that TEXT names. Refuses one that does not exist, and offers those that are near."
  (multiple-value-bind (prefix colons name) (parse-symbol-name text)
    (declare (ignore colons))
    (let ((package (package-from-prefix prefix)))
      (multiple-value-bind (symbol status) (find-symbol name package)
        (if status
            symbol
            (refuse "unknown_symbol" "There is no symbol ~A in package ~A.~@[ Near: ~{~A~^, ~}.~]"
                    name (short-package-name package) (near-symbols name package)))))))

(defun setf-name-in (text)
  "What FOO is in the text (setf FOO), or NIL."
  (let ((trimmed (string-trim " " text)))
    (when (and (> (length trimmed) 7)
               (string-equal (subseq trimmed 0 5) "(setf")
               (char= (char trimmed 5) #\Space)
               (char= (char trimmed (1- (length trimmed))) #\)))
      (string-trim " " (subseq trimmed 5 (1- (length trimmed)))))))

(defun without-quote (text)
  "TEXT without blanks around it and without ' or #' before it, as code would mention a symbol."
  (let ((trimmed (string-trim '(#\Space #\Tab #\Newline #\Return) text)))
    (loop for mark in '("#'" "'")
          when (and (> (length trimmed) (length mark)) (string= mark (subseq trimmed 0 (length mark))))
            do (return (subseq trimmed (length mark)))
          finally (return trimmed))))

(defun named (text)
  "The name that TEXT stands for: a symbol, or (SETF symbol)."
  (let* ((plain (without-quote text))
         (accessor (setf-name-in plain)))
    (if accessor
        (list 'setf (symbol-named accessor))
        (symbol-named plain))))

;;; Names that are near.

(defun edit-distance-within (limit one other)
  "Whether ONE becomes OTHER by at most LIMIT insertions, deletions and replacements of a character."
  (when (<= (abs (- (length one) (length other))) limit)
    (let ((row (loop for index from 0 to (length other) collect index)))
      (loop for char across one
            for index from 1
            do (setf row (loop with left = index
                               for other-char across other
                               for (diagonal above) on row
                               collect left into next
                               do (setf left (min (1+ left) (1+ above)
                                                  (if (char-equal char other-char) diagonal (1+ diagonal))))
                               finally (return (append next (list left)))))
            never (> (reduce #'min row) limit)
            finally (return (<= (first (last row)) limit))))))

(defun near-p (name candidate)
  (edit-distance-within (if (< (length name) 5) 1 2) name candidate))

(defun named-elsewhere (name package)
  "Symbols of other packages called NAME, in whatever case, that name something."
  (let ((symbols '()))
    (do-all-symbols (symbol symbols)
      (when (and (string-equal name (symbol-name symbol))
                 (not (eq (symbol-package symbol) package))
                 (definition-kinds symbol))
        (pushnew symbol symbols)))))

(defun near-in-package (name package)
  (let ((symbols '()))
    (do-symbols (symbol package symbols)
      (when (and (near-p name (symbol-name symbol)) (definition-kinds symbol))
        (pushnew symbol symbols)))))

(defun near-symbols (name package)
  "Texts of symbols that somebody who wrote NAME in PACKAGE may have meant."
  (let ((symbols (remove-duplicates (append (named-elsewhere name package) (near-in-package name package))
                                    :from-end t)))
    (mapcar #'source-text-of (up-to +near-names+ symbols))))

(defun near-packages (name)
  (loop for package in (list-all-packages)
        for near = (find-if (lambda (candidate) (near-p name candidate))
                            (cons (package-name package) (package-nicknames package)))
        when near collect near into names
        finally (return (up-to +near-names+ names))))
