;;;; Names as users write them, app or shop::price or |Odd one|, and their symbols. Nothing is
;;;; interned, and only packages known to ACL2 are searched.

(in-package "LISP-HARBOR-ACL2")

(defun written-name (text)
  "TEXT as the reader interprets it: unchanged between bars, otherwise in upper case."
  (let ((length (length text)))
    (if (and (> length 1) (eql (char text 0) #\|) (eql (char text (1- length)) #\|))
        (subseq text 1 (1- length))
        (string-upcase text))))

(defun package-end (text)
  "The position of the colon in TEXT that ends a package name; NIL for none."
  (let ((colon (position #\: text)) (bar (position #\| text)))
    (and colon
         (or (null bar) (< colon bar) (position #\: text :start (1+ (position #\| text :start (1+ bar)))))
         colon)))

(defun split-name (text package)
  "The package name in TEXT, or PACKAGE if there is none, and the symbol name."
  (let ((colon (package-end text)))
    (if colon
        (values (if (eql colon 0) "KEYWORD" (written-name (subseq text 0 colon)))
                (written-name (string-left-trim ":" (subseq text colon))))
        (values package (written-name text)))))

(defun check-package (name)
  (unless (known-package-p name)
    (fail "unknown_package" "ACL2 has no package ~a. Packages: ~{~a~^, ~}." name (known-packages)))
  name)

(defun find-name (text package)
  "The symbol that TEXT names in PACKAGE, NIL for the current one, and whether it exists."
  (multiple-value-bind (package-name name)
      (split-name (string-trim " '" text) (or package (acl2::current-package (state))))
    (multiple-value-bind (symbol status) (find-symbol name (check-package package-name))
      (values symbol (and status t)))))

(defun logical-name-p (symbol)
  "Whether an event has introduced it."
  (and (acl2::getpropc symbol 'acl2::absolute-event-number nil (world)) t))

(defun predefined-p (symbol)
  "Whether it is built into ACL2."
  (acl2::getpropc symbol 'acl2::predefined nil (world)))

(defun shown (object &optional (limit 20000))
  "OBJECT in one line, readable in the session's package."
  (cut-to limit (with-plain-printing
                  (let ((*package* (find-package (acl2::current-package (state)))))
                    (prin1-to-string object)))))

(defun symbol-before-p (one other)
  "Names added by the session first; then by name."
  (if (eq (null (predefined-p one)) (null (predefined-p other)))
      (string< (symbol-name one) (symbol-name other))
      (null (predefined-p one))))

(defun symbols-that (test packages)
  "The symbols of PACKAGES whose names satisfy TEST and that an event has introduced, in order. An imported symbol is found
in its home package."
  (let ((symbols '()))
    (dolist (name packages)
      (let ((package (find-package name)))
        (do-symbols (symbol package)
          (when (and (eq (symbol-package symbol) package)
                     (funcall test (symbol-name symbol))
                     (logical-name-p symbol))
            (push symbol symbols)))))
    (sort symbols #'symbol-before-p)))
