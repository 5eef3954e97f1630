;;;; Theorems as they stand in the logic, whatever the session has set for printing: the translated term, and how ACL2's own
;;;; UNTRANSLATE writes it, which no table of the user's changes. With them the functions that they are about.

(in-package "LISP-HARBOR-ACL2")

(defconstant +theorems-told+ 200 "Where none is named.")
(defconstant +functions-told+ 500 "That the theorems of one answer are about.")

(defvar *own-untranslation* (acl2::table-alist 'acl2::untrans-table (world))
  "How ACL2 itself writes binary functions.")

(defun plain-text (term boolean)
  "TERM as people write it, in package ACL2. BOOLEAN is whether it stands for a truth value."
  (pretty-source (acl2::untranslate1 term boolean *own-untranslation* nil nil)))

(defun theorem-object (symbol)
  (let ((term (property symbol 'acl2::theorem)))
    (object "name" (one-line symbol)
            "formula" (plain-text term t)
            "term" (one-line term most-positive-fixnum))))

(defun axiom-of (symbol)
  "What the logic knows of a function: its defining equation, or the constraint of one that has none; NIL where ACL2 cannot
say it."
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
  "Those that the formula or body of SYMBOL is about, or what is known of it where it has none."
  (let ((axiom (and (function-name-p symbol) (or-else nil (axiom-of symbol)))))
    (union (mentioned-functions symbol) (and axiom (acl2::all-fnnames axiom)))))

(defun own-functions (symbols)
  "The functions that SYMBOLS are about, and theirs; ACL2's own are left out."
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

(defun own-names (property wanted-p)
  "The WANTED-P names with PROPERTY that neither ACL2 nor the system's books bring, oldest first. One walk through the world
tells which book each is in: to ask that of an old world is a linear search."
  (let ((found '()) (books '()))
    (dolist (triple (reverse (ldiff (world) (place-tail 0 (world)))) (nreverse found))
      (let ((name (car triple)))
        (cond ((eq (cadr triple) 'acl2::global-value)
               (when (eq name 'acl2::include-book-path) (setq books (cddr triple))))
              ((and (eq (cadr triple) property)
                    (funcall wanted-p name)
                    (or (endp books) (not (system-book (first books)))))
               (pushnew name found)))))))

(defun all-theorems ()
  (own-names 'acl2::theorem (lambda (name) (and (theorem-p name) (not (package-axiom-p name))))))

(defun all-functions ()
  "Those that are part of the logic."
  (own-names 'acl2::formals (lambda (name) (and (function-name-p name) (acl2::logicp name (world))))))

(defun named-theorem (request text)
  (let ((symbol (present-name request text)))
    (if (theorem-p symbol)
        symbol
        (fail "bad_arguments" "~a is no theorem: it is a ~a." text (or (kind symbol) "name of nothing")))))

(defun first-of (count objects)
  (subseq objects 0 (min count (length objects))))

(defun asked-theorems (request text)
  "That of the name TEXT, or all."
  (if (string= text "") (all-theorems) (list (named-theorem request text))))

(define-query :theorems (request text)
  ;; With all that the world rests on.
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
  "What the logic has under the name SYMBOL, which is a theorem or a function."
  (let ((term (or (property symbol 'acl2::theorem) (or-else nil (axiom-of symbol)))))
    (object "name" (one-line symbol)
            "term" (one-line term most-positive-fixnum))))

(define-query :statements (request text)
  ;; The theorem of the name TEXT and the functions that it is about, or all theorems and functions, to be compared with those of
  ;; another world.
  (let* ((theorems (asked-theorems request text))
         (functions (if (string= text "") (all-functions) (own-functions theorems)))
         (names (append theorems functions)))
    (object "statements" (array-of (mapcar #'statement-object (first-of +statements-told+ names)))
            "count" (length names)
            "issues" (array-of (trust-issues)))))
