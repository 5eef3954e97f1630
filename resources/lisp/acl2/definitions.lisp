;;;; The definition of a name in the logical world, as JSON objects: its event, formula, rules and
;;;; marks. The members are those of the harbor's definitions; which ones are present depends on the
;;;; kind.

(in-package "LISP-HARBOR-ACL2")

(defconstant +properties-told+ 120 "Maximum characters of the value of a property.")
(defconstant +rules-told+ 6000 "Maximum characters of the output of :PR.")

(defun property (symbol key) (acl2::getpropc symbol key nil (world)))

(defun function-name-p (symbol) (acl2::function-symbolp symbol (world)))
(defun macro-name-p (symbol) (and (property symbol 'acl2::macro-body) t))

(defun kind (symbol)
  "The kind of SYMBOL in a word; NIL for nothing."
  (cond ((function-name-p symbol) (if (property symbol 'acl2::constrainedp) "constrained function" "function"))
        ((macro-name-p symbol) "macro")
        ((property symbol 'acl2::theorem) "theorem")
        ((property symbol 'acl2::const) "constant")
        ((property symbol 'acl2::stobj) "stobj")
        ((property symbol 'acl2::theory) "theory")
        ((property symbol 'acl2::label) "label")
        ((logical-name-p symbol) "event")))

;;; Origin.

(defun event-tail (symbol)
  "The tail of the world that starts with the event that introduced SYMBOL."
  (acl2::lookup-world-index 'acl2::event (property symbol 'acl2::absolute-event-number) (world)))

(defun full-book-name (name)
  (if (consp name)
      (concatenate 'string (state-global 'acl2::system-books-dir) (cdr name))
      name))

(defun book-of (tail)
  "The file of the book with the event at TAIL; NIL for none."
  (let ((books (acl2::global-val 'acl2::include-book-path tail)))
    (and books (full-book-name (first books)))))

(defun place-of (tail)
  "The place of the command with the event at TAIL; 0 or less for ACL2's own."
  (multiple-value-bind (failed command) (acl2::superior-command-world tail (world) 'acl2::harbor (state))
    (declare (ignore failed))
    (- (acl2::access-command-tuple-number (cddr (car command))) (baseline :original))))

(defun origin (symbol)
  "The members of a definition that describe its origin."
  (let* ((tail (event-tail symbol))
         (place (place-of tail))
         (added (> place 0))
         (file (or (book-of tail)
                   (and added (gethash (place-command place) *files*)))))
    (list "command" (and added (place-number place))
          "builtIn" (and (not added) :true)
          "source" (and file (object "file" file)))))

;;; Properties.

(defun primitive-p (symbol)
  "Whether no event introduced it separately, so that queries about its event refer to ACL2's initial world."
  (eql (property symbol 'acl2::absolute-event-number) 0))

(defun event-form (symbol)
  (and (not (primitive-p symbol))
       (or (or-else nil (acl2::get-defun-event symbol (world)))
           (acl2::get-event symbol (world)))))

(defun definition-in (form symbol)
  "The DEFUN of SYMBOL in FORM, which may be a MUTUAL-RECURSION."
  (cond ((atom form) nil)
        ((eq (car form) 'acl2::mutual-recursion)
         (find symbol (cdr form) :key #'second))
        (t form)))

(defun documentation-string (symbol)
  "The documentation string between parameters and body."
  (let ((form (definition-in (event-form symbol) symbol)))
    (and (consp (ignore-errors (cddddr form)))
         (member (car form) '(defun defmacro acl2::defund acl2::defun-nx acl2::defconst))
         (stringp (fourth form))
         (fourth form))))

(defun documentation-members (symbol)
  (let ((own (documentation-string symbol)))
    (if own
        (list "documentation" own)
        (topic-members symbol))))

(defun signature-text (symbol)
  "The signature in ENCAPSULATE's syntax, (APP * *) => *."
  (flet ((stars (stobjs) (mapcar (lambda (stobj) (or stobj '*)) stobjs)))
    (unless (member symbol acl2::*stobjs-out-invalid*)
      (let ((results (stars (acl2::stobjs-out symbol (world)))))
        (format nil "~a => ~a"
                (shown (cons symbol (stars (acl2::stobjs-in symbol (world)))))
                (shown (if (cdr results) (cons 'acl2::mv results) (car results))))))))

(defun guard-text (symbol)
  (let ((guard (acl2::guard symbol nil (world))))
    (and (not (equal guard acl2::*t*))
         (term-text guard))))

(defun type-text (symbol)
  "The type that ACL2 has computed for a function's value."
  (let ((rule (acl2::find-runed-type-prescription (list :type-prescription symbol)
                                                  (property symbol 'acl2::type-prescriptions))))
    (and rule (term-text (acl2::access acl2::type-prescription rule :corollary)))))

(defun rule-objects (symbol)
  (let ((enabled (state-global 'acl2::global-enabled-structure)))
    (mapcar (lambda (pair)
              (object "rune" (shown (cdr pair))
                      "enabled" (truth (acl2::enabled-numep (car pair) enabled))))
            (property symbol 'acl2::runic-mapping-pairs))))

(defun rules-text (symbol)
  "The output of :PR; NIL if there are no rules."
  (and (property symbol 'acl2::runic-mapping-pairs)
       (not (primitive-p symbol))
       (cut-to +rules-told+
               (string-trim '(#\Newline)
                            (with-printed-to-string (or-else nil (acl2::pr-fn symbol (state))))))))

(defun properties-text (symbol)
  "As :PROPS prints them, one per line."
  (mapcar (lambda (pair)
            (format nil "~a ~a" (shown (car pair)) (shown (cdr pair) +properties-told+)))
          (or-else nil (acl2::getprops symbol 'acl2::current-acl2-world (world)))))

(defun function-members (symbol)
  (list "arglist" (shown (acl2::formals symbol (world)))
        "signature" (signature-text symbol)
        "guard" (guard-text symbol)
        "type" (type-text symbol)
        "mode" (if (eq (acl2::symbol-class symbol (world)) :program) "program" "logic")))

(defun own-members (symbol)
  "Members for its kind only."
  (cond ((function-name-p symbol) (function-members symbol))
        ((macro-name-p symbol) (list "arglist" (shown (property symbol 'acl2::macro-args))))
        ((property symbol 'acl2::theorem) (list "formula" (term-text (property symbol 'acl2::theorem))))
        ((property symbol 'acl2::const)
         (list "value" (shown (second (property symbol 'acl2::const)) 2000)))))

(defun common-members (symbol)
  (let ((form (event-form symbol)))
    (list "event" (and (consp form) (formula-text form))
          "guardsVerified" (and (or (function-name-p symbol) (property symbol 'acl2::theorem))
                                (truth (eq (acl2::symbol-class symbol (world)) :common-lisp-compliant)))
          "rules" (array-of (rule-objects symbol))
          "rulesText" (rules-text symbol)
          "properties" (array-of (properties-text symbol)))))

(defun without-nulls (members)
  "Optional members are omitted, not null."
  (cond ((endp members) '())
        ((member (second members) '(nil (:array)) :test #'equal) (without-nulls (cddr members)))
        (t (list* (first members) (second members) (without-nulls (cddr members))))))

(defun definition-object (symbol)
  (cons :object (without-nulls (append (list "kind" (kind-with-remark symbol) "name" (shown symbol))
                                       (own-members symbol)
                                       (origin symbol)
                                       (documentation-members symbol)
                                       (common-members symbol)))))
