;;;; Finds the symbol that a text names without the reader: nothing is interned or evaluated. Supports
;;;; package prefixes, nicknames, |bars|, \escapes and the case of the session's readtable.

(in-package :lisp-harbor-agent)

(defconstant +near-names+ 8 "Maximum number of names suggested for one that does not exist.")

(defparameter +never-in-symbols+ (coerce '(#\Space #\Tab #\Newline #\Return #\Page #\( #\) #\" #\' #\; #\` #\,) 'string)
  "Characters that end a symbol unless they are escaped.")

(defun existing-package (name)
  "Returns the package that NAME, as written or in upper case, names in the current package. Otherwise ends the
query with an error."
  (or (find-package name)
      (find-package (string-upcase name))
      (refuse "unknown_package" "There is no package ~A. A system that defines it can be loaded.~@[ Near: ~{~A~^, ~}.~]"
              name (near-packages name))))

(defun bad-name (text)
  (refuse "bad_arguments" "~A is not the name of a symbol. Write it as foo, pkg:foo, pkg::foo, |odd Case| or (setf foo)."
          text))

;;; Parsing of names.

(defun cased (plain-parts)
  "Returns a function that gives characters that are not escaped the case that the reader would give them.
PLAIN-PARTS contains all such characters."
  (ecase (readtable-case *readtable*)
    (:upcase #'char-upcase)
    (:downcase #'char-downcase)
    (:preserve #'identity)
    (:invert (cond ((notany #'lower-case-p plain-parts) #'char-downcase)
                   ((notany #'upper-case-p plain-parts) #'char-upcase)
                   (t #'identity)))))

(defun symbol-characters (text)
  "Returns the characters of TEXT as a list of (character . escaped), without bars and backslashes."
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
  "Returns the package part, the number of colons and the name part. The package part is :NONE if there is no
colon."
  (let ((colon (position '(#\:) characters :test #'equal)))
    (if (null colon)
        (values :none 0 characters)
        (let* ((rest (nthcdr colon characters))
               (count (or (position '(#\:) rest :test-not #'equal) (length rest))))
          (values (subseq characters 0 colon) count (nthcdr count rest))))))

(defun parse-symbol-name (text)
  "Returns the package that TEXT names or :NONE, the number of colons, and the name of the symbol."
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

;;; Lookup of symbols.

(defun symbol-named (text)
  "Returns the symbol that TEXT names. If it does not exist, ends the query with an error that suggests similar
names."
  (multiple-value-bind (prefix colons name) (parse-symbol-name text)
    (declare (ignore colons))
    (let ((package (package-from-prefix prefix)))
      (multiple-value-bind (symbol status) (find-symbol name package)
        (if status
            symbol
            (refuse "unknown_symbol" "There is no symbol ~A in package ~A.~@[ Near: ~{~A~^, ~}.~]"
                    name (short-package-name package) (near-symbols name package)))))))

(defun setf-name-in (text)
  "Returns FOO if the text is (setf FOO), otherwise NIL."
  (let ((trimmed (string-trim " " text)))
    (when (and (> (length trimmed) 7)
               (string-equal (subseq trimmed 0 5) "(setf")
               (char= (char trimmed 5) #\Space)
               (char= (char trimmed (1- (length trimmed))) #\)))
      (string-trim " " (subseq trimmed 5 (1- (length trimmed)))))))

(defun without-quote (text)
  "Returns TEXT without surrounding whitespace and without ' or #' before it."
  (let ((trimmed (string-trim '(#\Space #\Tab #\Newline #\Return) text)))
    (loop for mark in '("#'" "'")
          when (and (> (length trimmed) (length mark)) (string= mark (subseq trimmed 0 (length mark))))
            do (return (subseq trimmed (length mark)))
          finally (return trimmed))))

(defun named (text)
  "Returns the name that TEXT denotes: a symbol or (SETF symbol)."
  (let* ((plain (without-quote text))
         (accessor (setf-name-in plain)))
    (if accessor
        (list 'setf (symbol-named accessor))
        (symbol-named plain))))

;;; Similar names.

(defun edit-distance-within (limit one other)
  "Reports whether ONE can be changed to OTHER by at most LIMIT insertions, deletions and replacements of a
character."
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
  "Returns the symbols of other packages that are called NAME, in any letter case, and have a definition."
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
  "Returns the texts of symbols similar to NAME in PACKAGE."
  (let ((symbols (remove-duplicates (append (named-elsewhere name package) (near-in-package name package))
                                    :from-end t)))
    (mapcar #'source-text-of (up-to +near-names+ symbols))))

(defun near-packages (name)
  (loop for package in (list-all-packages)
        for near = (find-if (lambda (candidate) (near-p name candidate))
                            (cons (package-name package) (package-nicknames package)))
        when near collect near into names
        finally (return (up-to +near-names+ names))))
