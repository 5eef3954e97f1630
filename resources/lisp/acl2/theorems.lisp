;;;; Theorems as they are in the logic, independent of print settings of the session: the translated
;;;; term, and its form by ACL2's own UNTRANSLATE without user tables. Includes the functions that they
;;;; mention.

(in-package "LISP-HARBOR-ACL2")

(defconstant +theorems-told+ 200 "Maximum theorems if none is named.")
(defconstant +functions-told+ 500 "Maximum functions that the theorems of an answer mention.")

(defvar *own-untranslation* (acl2::table-alist 'acl2::untrans-table (world))
  "How ACL2 itself writes binary functions.")

(defun plain-text (term boolean)
  "TERM as users write it, in package ACL2. BOOLEAN says whether it represents a truth value."
  (pretty-source (acl2::untranslate1 term boolean *own-untranslation* nil nil)))

(defun theorem-object (symbol)
  (let ((term (property symbol 'acl2::theorem)))
    (object "name" (one-line symbol)
            "formula" (plain-text term t)
            "term" (one-line term most-positive-fixnum))))

(defun axiom-of (symbol)
  "The logical content of a function: its defining equation, or the constraint of one without; NIL if ACL2 cannot express
it."
  (multiple-value-bind (constrained axiom) (acl2::constraint-info symbol (world))
    (cond ((not constrained) axiom)
          ((acl2::unknown-constraints-p axiom) nil)
          (t (acl2::conjoin axiom)))))

(defun function-object (symbol)
  (let ((axiom (or-else nil (axiom-of symbol))))
    (object "name" (one-line symbol)
            "constrained" (truth (property symbol 'acl2::constrainedp))
            "axiom" (and axiom (plain-text axiom t)))))

(defun functions-about (symbol)
  "Functions in the formula or body of SYMBOL, or in its constraint if it has no body."
  (let ((axiom (and (function-name-p symbol) (or-else nil (axiom-of symbol)))))
    (union (mentioned-functions symbol) (and axiom (acl2::all-fnnames axiom)))))

(defun own-functions (symbols)
  "The functions that SYMBOLS mention, recursively, without those built into ACL2."
  (let ((found '()) (front symbols))
    (do () ((endp front) (reverse found))
      (dolist (function (functions-about (pop front)))
        (unless (or (predefined-p function) (member function found))
          (push function found)
          (setq front (append front (list function))))))))

(defun theorem-p (symbol)
  (and (symbolp symbol) (property symbol 'acl2::theorem) t))

(defun package-axiom-p (symbol)
  "Whether DEFPKG has added it, as it does for each package."
  (member (symbol-name symbol) (known-packages)
          :test (lambda (name package) (string= name (concatenate 'string package "-PACKAGE")))))

(defun own-books-p (books)
  "Whether BOOKS, the including books of an event, innermost first, do not begin with a system book."
  (or (endp books) (not (system-book (first books)))))

(defun own-names (property wanted-p &optional (in-p #'own-books-p))
  "Names that satisfy WANTED-P and have PROPERTY, of events whose books satisfy IN-P, except those of ACL2, oldest first. One
walk through the world finds the books of each, because a query in an old world is a linear search."
  (let ((found '()) (books '()))
    (dolist (triple (reverse (ldiff (world) (place-tail 0 (world)))) (nreverse found))
      (let ((name (car triple)))
        (cond ((eq (cadr triple) 'acl2::global-value)
               (when (eq name 'acl2::include-book-path) (setq books (cddr triple))))
              ((and (eq (cadr triple) property)
                    (funcall wanted-p name)
                    (funcall in-p books))
               (pushnew name found)))))))

(defun all-theorems ()
  (own-names 'acl2::theorem (lambda (name) (and (theorem-p name) (not (package-axiom-p name))))))

(defun all-functions ()
  "Functions that are part of the logic."
  (own-names 'acl2::formals (lambda (name) (and (function-name-p name) (acl2::logicp name (world))))))

(defun named-theorem (request text)
  (let ((symbol (present-name request text)))
    (if (theorem-p symbol)
        symbol
        (fail "bad_arguments" "~a is not a theorem: it is a ~a." text (or (kind symbol) "name without a definition")))))

(defun first-of (count objects)
  (subseq objects 0 (min count (length objects))))

(defun asked-theorems (request text)
  "The theorem named TEXT, or all."
  (if (string= text "") (all-theorems) (list (named-theorem request text))))

(define-query :theorems (request text)
  ;; With all that the world depends on.
  (let* ((theorems (asked-theorems request text))
         (told (first-of +theorems-told+ theorems))
         (functions (own-functions told)))
    (object "theorems" (array-of (mapcar #'theorem-object told))
            "theorem_count" (length theorems)
            "functions" (array-of (mapcar #'function-object (first-of +functions-told+ functions)))
            "function_count" (length functions)
            "books" (array-of (mapcar (lambda (entry) (full-book-name (first entry))) (books)))
            "issues" (array-of (trust-issues))
            "acl2" (state-global 'acl2::acl2-version)
            "lisp" (concatenate 'string (lisp-implementation-type) " " (lisp-implementation-version)))))

(defconstant +statements-told+ 5000)

(defun statement-object (symbol)
  "The logical content of SYMBOL, a theorem or function."
  (let ((term (or (property symbol 'acl2::theorem) (or-else nil (axiom-of symbol)))))
    (object "name" (one-line symbol)
            "term" (one-line term most-positive-fixnum))))

(define-query :statements (request text)
  ;; The theorem named TEXT and the functions that it mentions, or all theorems and functions, for
  ;; comparison with those of another world.
  (let* ((theorems (asked-theorems request text))
         (functions (if (string= text "") (all-functions) (own-functions theorems)))
         (names (append theorems functions)))
    (object "statements" (array-of (mapcar #'statement-object (first-of +statements-told+ names)))
            "count" (length names)
            "issues" (array-of (trust-issues)))))
