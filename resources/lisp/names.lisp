;;;; The queries that search all names: apropos and completion. Names without a definition are left
;;;; out. Names accessible in the session's package come first.

(in-package :lisp-harbor-agent)

(defconstant +summary-characters+ 160 "Maximum number of characters of a documentation string's first line in a list.")

;;; Entries of a list.

(defun first-line (text)
  (let ((line (subseq text 0 (position #\Newline text))))
    (subseq line 0 (min +summary-characters+ (length line)))))

(defun summary-of (symbol kinds)
  "Returns the first line of the documentation of the first of KINDS that has any."
  (loop for (kind . name) in kinds
        for documentation = (documentation-of name kind)
        when (and (stringp documentation) (eq name symbol)) return (first-line documentation)))

(defun kinds-text (symbol kinds)
  "Returns KINDS, a result of DEFINITION-KINDS, as text: function, setf function, variable."
  (if (keywordp symbol)
      "keyword"
      (format nil "~{~A~^, ~}" (loop for (kind . name) in kinds
                                     collect (format nil "~:[~;setf ~]~A" (consp name) (kind-text kind))))))

(defun own-arglist (kinds)
  "Returns the lambda list of the first of KINDS that has one, functions before (SETF function)."
  (loop for (kind . name) in kinds
        thereis (and (symbolp name) (arglist-text name kind))))

(defun name-finding (symbol &optional (text (source-text-of symbol)))
  (let ((kinds (definition-kinds symbol)))
    (optional-members "kind" (kinds-text symbol kinds)
                      "text" text
                      "arglist" (own-arglist kinds)
                      "documentation" (summary-of symbol kinds))))

;;; Apropos.

(defun accessible-p (symbol)
  (multiple-value-bind (found status) (find-symbol (symbol-name symbol) *package*)
    (and status (eq found symbol))))

(defun external-p (symbol)
  (let ((home (symbol-package symbol)))
    (and home (eq :external (nth-value 1 (find-symbol (symbol-name symbol) home))))))

(defun own-symbol-p (symbol)
  "Reports whether SYMBOL belongs to the agent. Such symbols are left out."
  (eq (symbol-package symbol) (load-time-value (find-package "LISP-HARBOR-AGENT"))))

(defun map-candidates (function package external)
  (cond ((null package) (do-all-symbols (symbol) (funcall function symbol)))
        (external (do-external-symbols (symbol package) (funcall function symbol)))
        (t (do-symbols (symbol package) (funcall function symbol)))))

(defun matching-symbols (text package external kinds)
  "Returns the symbols whose names contain TEXT and that have a definition: one of KINDS if given."
  (let ((found (make-hash-table :test 'eq)))
    (map-candidates
     (lambda (symbol)
       (when (and (search text (symbol-name symbol) :test #'char-equal)
                  (or package (not external) (external-p symbol))
                  (not (own-symbol-p symbol))
                  (loop for (kind) in (definition-kinds symbol)
                        thereis (or (null kinds) (member (kind-text kind) kinds :test #'string=))))
         (setf (gethash symbol found) t)))
     package external)
    (loop for symbol being the hash-keys of found collect symbol)))

(defun project-place-p (place)
  "Reports whether PLACE, a location as a JSON object or NIL, is an evaluation, unknown, or a file of the project."
  (let ((file (and place (member-of place "file"))))
    (or (null file) (in-project-p file))))

(defun origin-of (symbol known)
  "Returns 0 for a symbol of the project, 1 for one of a library, and 2 for one of the Lisp. KNOWN maps packages
to the origins of their symbols, because a package is rarely in two places."
  (let ((home (symbol-package symbol)))
    (cond ((eq home (cl-user-package)) 0)
          ((package-of-image-p home) 2)
          ((gethash home known))
          (t (destructuring-bind (&optional (kind nil) &rest name) (first (definition-kinds symbol))
               (setf (gethash home known)
                     (if (project-place-p (and kind (ignore-errors (definition-location name kind)))) 0 1)))))))

(defun rank (symbol text known)
  "Returns the sort key of a symbol. Smaller is better: defined by the project, defined by a library, accessible
in the session's package, exported, exact match, prefix match. KNOWN is as for ORIGIN-OF."
  (+ (* 16 (origin-of symbol known))
     (if (accessible-p symbol) 0 8)
     (if (external-p symbol) 0 4)
     (let ((found (search text (symbol-name symbol) :test #'char-equal)))
       (cond ((and (eql found 0) (= (length text) (length (symbol-name symbol)))) 0)
             ((eql found 0) 1)
             (t 2)))))

(defun ranked (symbols text)
  (let ((known (make-hash-table :test #'eq)))
    (mapcar #'second
            (sort (mapcar (lambda (symbol) (list (rank symbol text known) symbol)) symbols)
                  (lambda (one other)
                    (or (< (first one) (first other))
                        (and (= (first one) (first other))
                             (string< (symbol-name (second one)) (symbol-name (second other))))))))))

(define-query "apropos" (arguments)
  "Arguments: query, in?, external?, kinds?, limit. Returns the names that contain the text. IN is a package to
search."
  (let ((text (member-of arguments "query"))
        (in (member-of arguments "in")))
    (with-findings (arguments :data #'name-finding)
      (ranked (matching-symbols text (and in (existing-package in))
                                (member-of arguments "external") (member-of arguments "kinds"))
              text))))

;;; Completion.

(defun split-at-dashes (text)
  (loop for start = 0 then (1+ dash)
        for dash = (position #\- text :start start)
        collect (subseq text start dash)
        while dash))

(defun begins-p (beginning text)
  (and (<= (length beginning) (length text))
       (string-equal beginning text :end2 (length beginning))))

(defun compound-match-p (parts name)
  "Reports whether each of PARTS is a prefix of the hyphen-separated part of NAME at the same index: m-v-b
matches MULTIPLE-VALUE-BIND."
  (let ((own (split-at-dashes name)))
    (and (<= (length parts) (length own))
         (every #'begins-p parts own))))

(defun completing-symbols (text package external)
  (let ((parts (split-at-dashes text))
        (found '()))
    (flet ((consider (symbol)
             (when (compound-match-p parts (symbol-name symbol)) (pushnew symbol found))))
      (if external
          (do-external-symbols (symbol package) (consider symbol))
          (do-symbols (symbol package) (consider symbol))))
    (if (eq package (find-package "KEYWORD"))
        found
        (remove-if-not #'definition-kinds found))))

(defun completing-packages (text)
  (loop for package in (list-all-packages)
        append (remove-if-not (lambda (name) (begins-p text name))
                              (cons (package-name package) (package-nicknames package)))))

(defun best-first (symbols text)
  "Sorts names that begin with TEXT before those that match only in parts, and short names first."
  (flet ((key (symbol)
           (list (if (begins-p text (symbol-name symbol)) 0 1) (length (symbol-name symbol)) (symbol-name symbol))))
    (sort (copy-list symbols)
          (lambda (one other)
            (destructuring-bind ((class length name) (other-class other-length other-name))
                (list (key one) (key other))
              (or (< class other-class)
                  (and (= class other-class)
                       (or (< length other-length)
                           (and (= length other-length) (string< name other-name))))))))))

(defun written-like (typed name)
  "Returns NAME in the letter case of TYPED: lower case if that was begun in lower case, unless the result
would name a different symbol."
  (if (and (notany #'upper-case-p typed) (string= name (string-upcase name)))
      (string-downcase name)
      name))

(defun symbol-completion (typed prefix symbol)
  (let ((name (if (string= (symbol-name symbol) (string-upcase (symbol-name symbol)))
                  (written-like typed (symbol-name symbol))
                  (format nil "|~A|" (symbol-name symbol)))))
    (name-finding symbol (concatenate 'string prefix name))))

(defun package-completion (typed name)
  (object "kind" "package" "text" (format nil "~A:" (written-like typed name))))

(defun split-prefix (typed)
  "Returns the package prefix of TYPED with its colons, or an empty string, and the rest."
  (let ((colon (position #\: typed :from-end t)))
    (if colon
        (values (subseq typed 0 (1+ colon)) (subseq typed (1+ colon)))
        (values "" typed))))

(defun symbols-completing (prefix name)
  "Returns the symbols that PREFIX and NAME can be completed to, best first."
  (let ((package-name (string-right-trim ":" prefix)))
    (best-first (cond ((string= prefix "") (completing-symbols name *package* nil))
                      ((string= package-name "") (completing-symbols name (find-package "KEYWORD") nil))
                      (t (completing-symbols name (existing-package package-name)
                                             (= (length prefix) (1+ (length package-name))))))
                name)))

(defun completions (typed limit)
  "Returns the completions of TYPED, which may have a package prefix: symbols, then packages."
  (multiple-value-bind (prefix name) (split-prefix typed)
    (let ((symbols (symbols-completing prefix name))
          (packages (and (string= prefix "") (sort (completing-packages name) #'string<))))
      (object "results" (append (mapcar (lambda (symbol) (symbol-completion typed prefix symbol))
                                        (up-to limit symbols))
                                (mapcar (lambda (package) (package-completion typed package))
                                        (up-to (max 0 (- limit (length symbols))) packages)))
              "total" (+ (length symbols) (length packages))))))

(define-query "completions" (arguments)
  "Arguments: query, limit. Returns the symbols and packages that the text can be completed to."
  (completions (member-of arguments "query") (or (member-of arguments "limit") +usual-findings+)))
