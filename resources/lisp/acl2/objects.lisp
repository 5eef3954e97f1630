;;;; ACL2 takes what it reads only if it is an object of its own, but looks at nothing while it includes a book, to save time. A
;;;; number such as 1.5 or a symbol of the host's would stay in the session when the book is gone, and of such things a falsehood
;;;; can be proved. So it looks there as well, but at the system's books.

(in-package "LISP-HARBOR-ACL2")

(defvar *own-read-object* (symbol-function 'acl2::read-object) "As ACL2 has it.")

(defun defined-package-p (name)
  "Whether ACL2 has defined a package NAME, now or earlier. The host's own is none: ACL2 has some of its symbols only."
  (and (not (equal name acl2::*main-lisp-package-name*))
       (assoc name acl2::*ever-known-package-alist* :test #'equal)))

(defun of-hidden-package-p (atom)
  "Certificates, and books that are certified, name symbols of packages that are local to books; ACL2 hides these packages, or has
undone them, and keeps what they import."
  (and (symbolp atom)
       (symbol-package atom)
       (defined-package-p (package-name (symbol-package atom)))
       (not (acl2::bad-lisp-stringp (symbol-name atom)))))

(defun own-conses-p (object)
  "Each cons is looked at once, however often it is part of others; none is part of itself."
  (let ((seen (make-hash-table :test #'eq)))
    (labels ((own-p (object)
               (do ((rest object (cdr rest)))
                   ((atom rest)
                    (and (or (not (acl2::bad-lisp-atomp rest)) (of-hidden-package-p rest))
                         (found-own object)))
                 (case (gethash rest seen)
                   (own (return (found-own object)))
                   (begun (return nil)))
                 (setf (gethash rest seen) 'begun)
                 (unless (own-p (car rest)) (return nil))))
             (found-own (object)
               (do ((rest object (cdr rest)))
                   ((or (atom rest) (eq (gethash rest seen) 'own)) t)
                 (setf (gethash rest seen) 'own))))
      (own-p object))))

(defun own-object-p (object)
  "Whether OBJECT is one of ACL2's. It is told fast where nothing in it is of a hidden package."
  (or (not (acl2::bad-lisp-objectp object))
      (own-conses-p object)))

(defun check-object (object)
  (unless (or (raw-lisp-allowed-p) (own-object-p object))
    (let ((acl2::*inside-include-book-fn* nil))
      (acl2::chk-bad-lisp-object object) ; which says what is wrong, but while a provisional certificate is converted
      (error "~a has what is no object of ACL2's." (one-line object 300)))))

(defmacro with-checked-answer ((answer call) object)
  "The values of CALL, once OBJECT, which is made of the list ANSWER of them, is found to be one of ACL2's."
  `(let ((,answer (multiple-value-list ,call)))
     (check-object ,object)
     (values-list ,answer)))

(defvar *reading* nil "While an object is read: the channel, and where in it that began.")

(defun read-own-object (function arguments)
  "Of READ-OBJECT, which answers whether it is at the end, the object, and the state."
  (let ((*reading* (cons (first arguments) (channel-position (first arguments)))))
    (with-checked-answer (answer (apply function arguments))
      (and acl2::*inside-include-book-fn* (second answer)))))

(defun unread-form ()
  "Where in a file the form begins that is read now; NIL where none is, or its place is not known."
  (destructuring-bind (&optional channel . start) *reading*
    (let* ((file (and start (file-of-channel channel)))
           (text (and file (file-text file))))
      (and text
           (object "file" file
                   "line" (line-at text (form-start text start)))))))

(defun read-own-serialized (function arguments)
  "Of SERIALIZE-READ-FN, which answers an object and the state, and looks at nothing."
  (with-checked-answer (answer (apply function arguments))
    (first answer)))

(defun read-from (system-p function arguments)
  "Of what reads a file and evaluates nothing: the text or the certificate of a book."
  (if system-p
      (with-function (acl2::read-object *own-read-object*) (apply function arguments))
      (apply function arguments)))

(defun read-book (function arguments)
  "Of READ-OBJECT-FILE the first argument is the file's full name."
  (let* ((file (file-name (first arguments)))
         (system-p (system-file-p file)))
    (unless system-p (note-text file))
    (read-from system-p function arguments)))

(defun file-of-channel (channel)
  "ACL2 calls a channel like its file, with a number."
  (let ((name (symbol-name channel)))
    (subseq name 0 (position #\- name :from-end t))))

(defun alist-p (object key-p)
  (do ((rest object (cdr rest)))
      ((atom rest) (null rest))
    (unless (and (consp (car rest)) (funcall key-p (caar rest)))
      (return nil))))

(defun plausible-certificate-p (expansions data books)
  "Whether a certificate of a book that is none of the system's may say this: which forms stand in place of the book's, what is
known of its functions, and with which books it was made, the first of which is itself. ACL2 goes by the name that it finds there."
  (and (alist-p expansions #'integerp)
       (alist-p data #'symbolp)
       (alist-p books (constantly t))
       (let ((name (and books (caar books))))
         (not (and (stringp name) (system-file-p name))))))

(defun read-certificate (function arguments)
  "Of READ-FILE-INTO-TEMPLATE, which reads the rest of a certificate and calls itself, the second argument is the channel; the
fourth is what it has read before."
  (let ((system-p (system-file-p (file-of-channel (second arguments)))))
    (multiple-value-bind (error parts state) (read-from system-p function arguments)
      (if (or error system-p (fourth arguments)
              (plausible-certificate-p (first parts) (second parts) (fourth parts)))
          (values error parts state)
          (values 'implausible parts state)))))

;;; Code in :PROGRAM mode calls functions of the host's with anything, such as EXPT with 1/2, and so makes objects that nobody has
;;; read. They may lie anywhere, but no term has one: what becomes part of a proof is looked at where ACL2 makes a term of it, or
;;; takes one from code that sees the state.

(defvar *own-translate* (symbol-function 'acl2::translate1-cmp) "As ACL2 has it.")

(defun translate-to-own-term (&rest arguments)
  "Of TRANSLATE1-CMP, which answers the context of an error or NIL, and a term."
  (with-checked-answer (answer (apply *own-translate* arguments))
    (and (null (first answer)) (second answer))))

(defun include-what-was-read (function arguments)
  "The terms of a book are made of what was looked at when it was read, or else is the system's."
  (with-function (acl2::translate1-cmp *own-translate*) (apply function arguments)))

(defun compute-event (function arguments)
  "Of PROTECTED-EVAL, which answers the context of an error or NIL, and a list, first in it the event that MAKE-EVENT makes."
  (with-function (acl2::translate1-cmp #'translate-to-own-term)
    (with-checked-answer (answer (apply function arguments))
      (and (null (first answer)) (first (second answer))))))

(defun call-metafunction (function arguments)
  "Of EV-FNCALL-META, which answers the context of an error or NIL, and a term. Of more arguments than a term one is the state."
  (with-checked-answer (answer (apply function arguments))
    (and (null (first answer)) (cdr (second arguments)) (second answer))))

(defun bind-variables (function arguments)
  "Of EV-SYNP, which answers the context of an error or NIL, and what it has of SYNTAXP, or of BIND-FREE: terms of variables."
  (with-checked-answer (answer (apply function arguments))
    (and (consp (second answer)) (second answer))))

(defun process-clause (function arguments)
  "Of EVAL-CLAUSE-PROCESSOR, which answers an error or NIL, and in a pair the clauses."
  (with-checked-answer (answer (apply function arguments))
    (and (null (first answer)) (car (second answer)))))

(defun install-objects ()
  (setf (symbol-function 'acl2::translate1-cmp) #'translate-to-own-term)
  (wrap 'acl2::include-book-fn #'include-what-was-read)
  (wrap 'acl2::protected-eval #'compute-event)
  (wrap 'acl2::ev-fncall-meta #'call-metafunction)
  (wrap 'acl2::ev-synp #'bind-variables)
  (wrap 'acl2::eval-clause-processor #'process-clause)
  (wrap 'acl2::read-object #'read-own-object)
  (wrap 'acl2::serialize-read-fn #'read-own-serialized)
  (wrap 'acl2::read-object-file #'read-book)
  (wrap 'acl2::read-file-into-template #'read-certificate))
