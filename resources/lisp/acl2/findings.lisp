;;;; Searches names: by a part of the name, by callers or mentions, and those without a file. ACL2
;;;; stores bodies with macros expanded, so calls of a macro are found only in the forms of commands.

(in-package "LISP-HARBOR-ACL2")

(defun finding-object (symbol &optional (kind (kind-with-remark symbol)))
  (cons :object (without-nulls (append (list "kind" kind
                                             "text" (shown symbol)
                                             "arglist" (and (function-name-p symbol)
                                                            (shown (acl2::formals symbol (world))))
                                             "documentation" (documentation-string symbol))
                                       (origin symbol)))))

(defun findings-object (items to-object limit)
  "TO-OBJECT returns the JSON object for each of the first LIMIT items."
  (object "results" (array-of (mapcar to-object (subseq items 0 (min limit (length items)))))
          "total" (length items)))

(defun of-kinds (kinds symbols)
  "Those SYMBOLS that are of one of KINDS; all for NIL."
  (if kinds
      (remove-if-not (lambda (symbol) (member (kind symbol) kinds :test #'equal)) symbols)
      symbols))

(defun apropos-symbols (part package)
  (let ((part (written-name part)))
    (symbols-that (lambda (name) (search part name :test #'char-equal))
                  (if package (list (check-package (written-name package))) (known-packages)))))

(defun completions (text package)
  "Names that start with TEXT, as written in the session."
  (multiple-value-bind (package-name part)
      (split-name text (or package (acl2::current-package (state))))
    (let ((names '()) (end (length part)) (written (subseq text 0 (- (length text) (length part)))))
      (do-symbols (symbol (find-package (check-package package-name)))
        (let ((name (symbol-name symbol)))
          (when (and (eql (or (mismatch part name :test #'char-equal) end) end)
                     (logical-name-p symbol))
            (pushnew (concatenate 'string written (string-downcase name)) names :test #'string=))))
      (sort names #'string<))))

(defun callable (symbol)
  "The function that SYMBOL is a macro alias of; otherwise SYMBOL."
  (acl2::deref-macro-name symbol (acl2::macro-aliases (world))))

(defun callers-of (function)
  "Functions and theorems whose bodies call FUNCTION, in order."
  (let ((callers '()))
    (dolist (triple (world))
      (when (and (member (cadr triple) '(acl2::unnormalized-body acl2::theorem))
                 (consp (cddr triple))
                 (acl2::ffnnamep function (cddr triple)))
        (push (car triple) callers)))
    (sort (remove-if-not #'logical-name-p (remove-duplicates callers)) #'symbol-before-p)))

(defun mentions-p (symbol tree)
  (cond ((eq tree symbol))
        ((consp tree) (or (mentions-p symbol (car tree))
                          (mentions-p symbol (cdr tree))))))

(defun introduces-p (symbol place)
  (and (logical-name-p symbol)
       (eql (place-of (event-tail symbol)) place)))

(defun mentioning-places (symbol)
  "Commands that mention SYMBOL and did not introduce it."
  (let ((places '()))
    (do ((place (last-place (world)) (1- place)))
        ((< place 1) places)
      (when (and (mentions-p symbol (acl2::access-command-tuple-form (place-command place)))
                 (not (introduces-p symbol place)))
        (push place places)))))

(defun mention-object (place)
  (object "kind" "mentions"
          "text" (shown (acl2::access-command-tuple-form (place-command place)) 200)
          "command" (place-number place)))

(defun reference-object (reference)
  "REFERENCE is a calling symbol, or the place of a command that mentions it."
  (if (symbolp reference)
      (finding-object reference "calls")
      (mention-object reference)))

(defun references-to (symbol)
  (let ((callers (callers-of (callable symbol))))
    (append callers
            (remove-if (lambda (place)
                         (some (lambda (caller) (introduces-p caller place)) callers))
                       (mentioning-places symbol)))))

(defun names-of-command (place)
  "Symbols that the command at PLACE introduced and that are in no file."
  (let ((command (place-command place)))
    (unless (gethash command *files*)
      (remove-if-not #'symbolp (apply #'append (mapcar #'event-names (outer-events place)))))))

(defun outer-events (place)
  "Events of the command at PLACE outside of any ENCAPSULATE or book, except books themselves."
  (remove-if (lambda (event) (eq (acl2::access-event-tuple-type event) 'acl2::include-book))
             (remove-if-not (lambda (event)
                              (null (acl2::global-val 'acl2::include-book-path
                                                      (acl2::lookup-world-index
                                                       'acl2::event (acl2::access-event-tuple-number event) (world)))))
                            (command-events place))))

(defun unsaved-names (part)
  "Names introduced by commands without a file, oldest first."
  (let ((names '()) (part (written-name part)))
    (do ((place (last-place (world)) (1- place)))
        ((< place 1))
      (dolist (name (reverse (names-of-command place)))
        (when (and (logical-name-p name) (search part (symbol-name name) :test #'char-equal))
          (pushnew name names))))
    names))
