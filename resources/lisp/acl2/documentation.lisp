;;;; Documentation of a name: ACL2's own text, or the topic that books have added to the XDOC table of
;;;; the world. Events may put anything into that table, so all parts of a topic are checked, and none
;;;; replaces ACL2's own text.

(in-package "LISP-HARBOR-ACL2")

(defconstant +documentation-told+ 8000 "Maximum characters of a topic of ACL2's documentation.")
(defconstant +markup-told+ 24000 "Maximum characters of a topic of the XDOC table.")

(defun own-topic (symbol)
  "The entry of ACL2's own documentation, (name parents text)."
  (assoc symbol acl2::*acl2-system-documentation*))

(defun topic-text (symbol)
  "The text of ACL2's own documentation."
  (let ((topic (own-topic symbol)))
    (and topic (cut-to +documentation-told+ (string-trim '(#\Newline) (third topic))))))

(defun proper (list)
  "The proper part of LIST."
  (do ((rest list (cdr rest)) (items '() (cons (car rest) items)))
      ((atom rest) (nreverse items))))

(defun xdoc-topics ()
  "The topics of books and of the session, newest first, as alists. The package XDOC exists only if a book has defined it."
  (let* ((package (find-package "XDOC"))
         (table (and package (find-symbol "XDOC" package)))
         (key (and package (find-symbol "DOC" package)))
         (entries (and table key (assoc key (acl2::table-alist table (world))))))
    (remove-if-not #'consp (proper (cdr entries)))))

(defun topic-part (topic key)
  (cdr (find-if (lambda (pair) (and (consp pair) (eq (car pair) key))) (proper topic))))

(defun topic-string (topic key)
  (let ((value (topic-part topic key)))
    (and (stringp value) value)))

(defun topic-name (topic)
  (let ((name (topic-part topic :name)))
    (and (symbolp name) name)))

(defun xdoc-topic (symbol)
  (find symbol (xdoc-topics) :key #'topic-name))

(defun markup-members (topic)
  (list "markup" (array-of (mapcar (lambda (text) (cut-to +markup-told+ text))
                                   (remove nil (list (topic-string topic :short) (topic-string topic :long)))))
        "from" (topic-string topic :from)))

(defun topic-members (symbol)
  "The topic SYMBOL: text of ACL2's own, otherwise markup that the harbor converts to text."
  (let ((text (topic-text symbol))
        (topic (and symbol (xdoc-topic symbol))))
    (cond (text (list "documentation" text))
          (topic (markup-members topic)))))

;;; With XDOC loaded, :DOC is a macro of that book. It includes more books, which need a trust tag, and so
;;; changes the world; the harbor shows the same topic instead.

(defun macro-of-xdoc-p (operator)
  "Whether OPERATOR is the macro XDOC of the book, whose package may import its name."
  (and operator
       (symbolp operator)
       (find-package "XDOC")
       (eq operator (find-symbol "XDOC" "XDOC"))
       (macro-name-p operator)))

(defun topic-asked-for (form)
  "The symbol that FORM, a call of the macro XDOC, names; NIL for other forms."
  (let ((name (and (consp form)
                   (macro-of-xdoc-p (car form))
                   (consp (cdr form))
                   (second form))))
    (if (and (consp name) (eq (car name) 'quote))
        (second name)
        (and (symbolp name) name))))

(define-harbor-form acl2::harbor-doc ((name symbol))
  "The topic NAME as details, which the harbor shows as the value."
  (let ((members (topic-members name)))
    (if members
        (values (make-success :values (list (shown name)))
                (object "topic" (cons :object (without-nulls members))))
        (refuse 'doc "There is no documentation of ~a in this world." (shown name)))))

;;; Search.

(defun mentions-word-p (word text)
  (and (stringp text) (search word text :test #'char-equal)))

(defun word-rank (word name short text)
  "0 if the name is WORD, larger the later WORD occurs; NIL if it does not occur."
  (cond ((string-equal word name) 0)
        ((mentions-word-p word name) 1)
        ((mentions-word-p word short) 3)
        ((mentions-word-p word text) 9)))

(defun rank (words name short text)
  "The sum over WORDS, all of which must occur."
  (let ((sum 0))
    (dolist (word words sum)
      (let ((rank (word-rank word name short text)))
        (unless rank (return nil))
        (incf sum rank)))))

(defun first-line (text)
  (let ((text (string-left-trim '(#\Newline) text)))
    (subseq text 0 (or (position #\Newline text) (length text)))))

(defun ranked-own-topics (words)
  (let ((found '()))
    (dolist (topic acl2::*acl2-system-documentation* found)
      (let* ((short (first-line (third topic)))
             (rank (rank words (symbol-name (first topic)) short (third topic))))
        (when rank
          (push (list rank (first topic) (list "documentation" short)) found))))))

(defun ranked-xdoc-topics (words)
  (let ((found '()))
    (dolist (topic (xdoc-topics) found)
      (let* ((name (topic-name topic))
             (short (topic-string topic :short))
             (rank (and name
                        (not (own-topic name))
                        (rank words (symbol-name name) short (topic-string topic :long)))))
        (when rank
          (push (list rank name (list "markup" (array-of (and short (list short)))
                                      "from" (topic-string topic :from)))
                found))))))

(defun ranked-before-p (one other)
  "Nearer topics first, then shorter names."
  (if (eql (first one) (first other))
      (< (length (symbol-name (second one))) (length (symbol-name (second other))))
      (< (first one) (first other))))

(defun ranked-topic-object (ranked)
  (cons :object (without-nulls (list* "kind" "topic" "text" (shown (second ranked)) (third ranked)))))

(define-query :documentation (request text)
  (let ((words (getf request :words)))
    (findings-object (sort (append (ranked-own-topics words) (ranked-xdoc-topics words)) #'ranked-before-p)
                     #'ranked-topic-object
                     (getf request :limit))))
