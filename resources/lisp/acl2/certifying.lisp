;;;; While ACL2 certifies a book, notes which of its top-level forms is being admitted, so that a failed
;;;; certification names a line. ACL2 reads all forms of a book first, and admits them then.

(in-package "LISP-HARBOR-ACL2")

(defvar *book-file* nil "The book being certified, once its forms have been read.")
(defvar *book-forms* '() "Pairs of each of its forms and the position in the file where reading it started, last first.")
(defvar *admitted-form* nil "The pair of the form being admitted.")

(defun note-book (file)
  "Forms of FILE, a book that is not a system book, will be read, unless an INCLUDE-BOOK reads it."
  (unless acl2::*inside-include-book-fn*
    (setq *book-file* file *book-forms* '())))

(defun note-book-form (form channel start)
  (when (and *book-file* start (equal *book-file* (file-of-channel channel)))
    (push (cons form start) *book-forms*)))

(defun form-of-book (pair)
  "The place of a form of the book; NIL if its text has changed."
  (let ((text (file-text *book-file*)))
    (and text
         (<= (cdr pair) (length text))
         (object "file" *book-file*
                 "line" (line-at text (form-start text (cdr pair)))
                 "form" (one-line (car pair))))))

(defun certify-noting-forms (function arguments)
  "For CERTIFY-BOOK-FN, which returns whether there is an error, and two more values."
  (let ((*book-file* nil) (*book-forms* '()) (*admitted-form* nil)
        (check (symbol-function 'acl2::chk-embedded-event-form))
        (failed t))
    (unwind-protect
        (with-function (acl2::chk-embedded-event-form
                        (lambda (&rest arguments)
                          (let ((pair (assoc (car arguments) *book-forms* :test #'eq)))
                            (when pair (setq *admitted-form* pair)))
                          (apply check arguments)))
          (let ((answer (multiple-value-list (apply function arguments))))
            (setq failed (car answer))
            (values-list answer)))
      (when (and failed *admitted-form* (null *details*))
        (let ((place (or-else nil (form-of-book *admitted-form*))))
          (when place (setq *details* (object "failing" place))))))))

(defun install-certifying ()
  (wrap 'acl2::certify-book-fn #'certify-noting-forms))
