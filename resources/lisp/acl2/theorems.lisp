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

(defun own-functions (symbols)
  "The functions that the formulas and bodies of SYMBOLS are about, and theirs; ACL2's own are left out."
  (let ((found '()) (front symbols))
    (do () ((endp front) (reverse found))
      (dolist (function (mentioned-functions (pop front)))
        (unless (or (predefined-p function) (member function found))
          (push function found)
          (setq front (append front (list function))))))))

(defun theorem-p (symbol)
  (and (symbolp symbol) (property symbol 'acl2::theorem) t))

(defun package-axiom-p (symbol)
  "Whether DEFPKG has added it, as it does for each package."
  (member (symbol-name symbol) (known-packages)
          :test (lambda (name package) (string= name (concatenate 'string package "-PACKAGE")))))

(defun all-theorems ()
  "The theorems that neither ACL2 nor the system's books bring, oldest first. One walk through the world tells which book each
is in: to ask that of an old world is a linear search."
  (let ((found '()) (books '()))
    (dolist (triple (reverse (ldiff (world) (place-tail 0 (world)))) (nreverse found))
      (case (cadr triple)
        (acl2::global-value
         (when (eq (car triple) 'acl2::include-book-path) (setq books (cddr triple))))
        (acl2::theorem
         (when (and (theorem-p (car triple))
                    (not (package-axiom-p (car triple)))
                    (or (endp books) (not (system-book (first books)))))
           (pushnew (car triple) found)))))))

(defun named-theorem (request text)
  (let ((symbol (present-name request text)))
    (if (theorem-p symbol)
        symbol
        (fail "bad_arguments" "~a is no theorem: it is a ~a." text (or (kind symbol) "name of nothing")))))

(defun first-of (count objects)
  (subseq objects 0 (min count (length objects))))

(define-query :theorems (request text)
  ;; That of the name TEXT, or all; with all that the world rests on.
  (let* ((theorems (if (string= text "") (all-theorems) (list (named-theorem request text))))
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
