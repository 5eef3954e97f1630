;;;; ACL2 checks that everything it reads is an ACL2 object, but to save time not while it includes a
;;;; book. A number such as 1.5 or a symbol of the host would remain in the session, and with such
;;;; objects a false theorem can be proved. So objects are checked there as well, except in system
;;;; books.

(in-package "LISP-HARBOR-ACL2")

(defvar *own-read-object* (symbol-function 'acl2::read-object) "As ACL2 defines it.")

(defun defined-package-p (name)
  "Whether ACL2 has defined a package NAME, now or earlier. The host's packages do not count: ACL2 uses only
some of their symbols."
  (and (not (equal name acl2::*main-lisp-package-name*))
       (assoc name acl2::*ever-known-package-alist* :test #'equal)))

(defun of-hidden-package-p (atom)
  "Certificates, and certified books, contain symbols of packages that are local to books. ACL2 hides or has undone these
packages and keeps their imports."
  (and (symbolp atom)
       (symbol-package atom)
       (defined-package-p (package-name (symbol-package atom)))
       (not (acl2::bad-lisp-stringp (symbol-name atom)))))

(defun own-conses-p (object)
  "Each cons is visited once, even if it is shared; none is circular."
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
  "Whether OBJECT is an ACL2 object. Fast if it contains no symbol of a hidden package."
  (or (not (acl2::bad-lisp-objectp object))
      (own-conses-p object)))

(defun check-object (object)
  (unless (or (raw-lisp-allowed-p) (own-object-p object))
    (let ((acl2::*inside-include-book-fn* nil))
      (acl2::chk-bad-lisp-object object) ; which reports the error, except while a provisional certificate is converted
      (error "~a contains something that is not an ACL2 object." (one-line object 300)))))

(defmacro with-checked-answer ((answer call) object)
  "The values of CALL, after checking that OBJECT, computed from the list ANSWER of them, is an ACL2 object."
  `(let ((,answer (multiple-value-list ,call)))
     (check-object ,object)
     (values-list ,answer)))

(defvar *reading* nil "While an object is read: the channel, and the position where reading started.")

(defun read-own-object (function arguments)
  "For READ-OBJECT, which returns whether it is at the end, the object, and the state."
  (let* ((channel (first arguments))
         (start (channel-position channel))
         (*reading* (cons channel start)))
    (with-checked-answer (answer (apply function arguments))
      (progn (note-book-form (second answer) channel start)
             (and acl2::*inside-include-book-fn* (second answer))))))

(defun unread-form ()
  "The position in a file of the form being read; NIL if none is read or the position is unknown."
  (destructuring-bind (&optional channel . start) *reading*
    (let* ((file (and start (file-of-channel channel)))
           (text (and file (file-text file))))
      (and text
           (object "file" file
                   "line" (line-at text (form-start text start)))))))

(defun read-own-serialized (function arguments)
  "For SERIALIZE-READ-FN, which returns an object and the state and checks nothing."
  (with-checked-answer (answer (apply function arguments))
    (first answer)))

(defun read-from (system-p function arguments)
  "For functions that read a file without evaluation: the text or the certificate of a book."
  (if system-p
      (with-function (acl2::read-object *own-read-object*) (apply function arguments))
      (apply function arguments)))

(defun read-book (function arguments)
  "The first argument of READ-OBJECT-FILE is the full name of the file."
  (let* ((file (file-name (first arguments)))
         (system-p (system-file-p file)))
    (unless system-p
      (note-text file)
      (note-book file))
    (read-from system-p function arguments)))

(defun file-of-channel (channel)
  "ACL2 names a channel after its file, with a number."
  (let ((name (symbol-name channel)))
    (subseq name 0 (position #\- name :from-end t))))

(defun alist-p (object key-p)
  (do ((rest object (cdr rest)))
      ((atom rest) (null rest))
    (unless (and (consp (car rest)) (funcall key-p (caar rest)))
      (return nil))))

(defun plausible-certificate-p (expansions data books)
  "Whether a certificate of a non-system book may contain this: the forms that replace those of the book, properties of its
functions, and the books that it was certified with, the first of which is itself. ACL2 trusts the name that it finds there."
  (and (alist-p expansions #'integerp)
       (alist-p data #'symbolp)
       (alist-p books (constantly t))
       (let ((name (and books (caar books))))
         (not (and (stringp name) (system-file-p name))))))

(defun read-certificate (function arguments)
  "The second argument of READ-FILE-INTO-TEMPLATE, which reads the rest of a certificate and calls itself, is the channel;
the fourth is what it has read so far."
  (let ((system-p (system-file-p (file-of-channel (second arguments)))))
    (multiple-value-bind (error parts state) (read-from system-p function arguments)
      (if (or error system-p (fourth arguments)
              (plausible-certificate-p (first parts) (second parts) (fourth parts)))
          (values error parts state)
          (values 'implausible parts state)))))

;;; Code in :PROGRAM mode may call host functions with any arguments, such as EXPT with 1/2, and so
;;; create objects that were never read. They may be stored anywhere, but no term may contain one:
;;; everything that becomes part of a proof is checked where ACL2 translates a term, or takes one from
;;; code that accesses the state.

(defvar *own-translate* (symbol-function 'acl2::translate1-cmp) "As ACL2 defines it.")

(defun translate-to-own-term (&rest arguments)
  "For TRANSLATE1-CMP, which returns the context of an error or NIL, and a term."
  (with-checked-answer (answer (apply *own-translate* arguments))
    (and (null (first answer)) (second answer))))

(defun include-what-was-read (function arguments)
  "Terms of a book consist of objects that were checked when they were read, or that belong to a system book."
  (with-function (acl2::translate1-cmp *own-translate*) (apply function arguments)))

(defun compute-event (function arguments)
  "For PROTECTED-EVAL, which returns the context of an error or NIL, and a list that starts with the event of MAKE-EVENT."
  (with-function (acl2::translate1-cmp #'translate-to-own-term)
    (with-checked-answer (answer (apply function arguments))
      (and (null (first answer)) (first (second answer))))))

(defun call-metafunction (function arguments)
  "For EV-FNCALL-META, which returns the context of an error or NIL, and a term. If there is more than one argument,
one is the state."
  (with-checked-answer (answer (apply function arguments))
    (and (null (first answer)) (cdr (second arguments)) (second answer))))

(defun bind-variables (function arguments)
  "For EV-SYNP, which returns the context of an error or NIL, and the result of SYNTAXP or BIND-FREE: terms of variables."
  (with-checked-answer (answer (apply function arguments))
    (and (consp (second answer)) (second answer))))

(defun process-clause (function arguments)
  "For EVAL-CLAUSE-PROCESSOR, which returns an error or NIL, and the clauses in a pair."
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
