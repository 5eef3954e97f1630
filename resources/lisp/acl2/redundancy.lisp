;;;; Determines the events of a form that were already in the world. Any code may return :REDUNDANT,
;;;; which proves nothing: only functions that carry out events count, each for the names in its
;;;; arguments.

(in-package "LISP-HARBOR-ACL2")

(defvar *found-again* '() "Lists of an operator and names, last first.")
(defvar *says-redundant* nil "Whether ACL2 has found the current event redundant.")
(defvar *inside-a-book* nil "Redundant events inside a book do not count for the form that includes it.")

(defparameter *nameless*
  '(acl2::table acl2::defpkg acl2::include-book acl2::push-untouchable acl2::remove-untouchable acl2::add-include-book-dir))

(defun there-p (name operator)
  "Whether NAME is in the world. For events without a name only ACL2 can tell."
  (or (member operator *nameless*)
      (and name (symbolp name) (logical-name-p name))))

(defun defined-names (definitions) (mapcar #'car definitions))
(defun first-name (definition) (list (car definition)))

(defun names-in (event)
  "The name that EVENT would introduce, if it is in the world, and otherwise those of nested events."
  (cond ((or (atom event) (atom (cdr event))) '())
        ((there-p (second event) (car event)) (list (second event)))
        (t (names-inside (cdr event)))))

(defun names-inside (events)
  (do ((rest events (cdr rest))
       (names '() (append names (names-in (car rest)))))
      ((atom rest) names)))

(defun encapsulated-names (signatures events)
  (append (mapcar (lambda (signature) (if (consp (car signature)) (caar signature) (car signature))) signatures)
          (names-inside events)))

(defparameter *event-functions*
  '((acl2::defuns-fn defun defined-names)
    (acl2::defthm-fn acl2::defthm list)
    (acl2::defaxiom-fn acl2::defaxiom list)
    (acl2::defconst-fn acl2::defconst list)
    (acl2::defmacro-fn defmacro first-name)
    (acl2::defchoose-fn acl2::defchoose first-name)
    (acl2::defstobj-fn acl2::defstobj list)
    (acl2::defabsstobj-fn acl2::defabsstobj list)
    (acl2::deflabel-fn acl2::deflabel list)
    (acl2::deftheory-fn acl2::deftheory list)
    (acl2::defpkg-fn acl2::defpkg list)
    (acl2::verify-guards-fn acl2::verify-guards list)
    (acl2::set-body-fn acl2::set-body list)
    (acl2::table-fn1 acl2::table list)
    (acl2::push-untouchable-fn acl2::push-untouchable list)
    (acl2::remove-untouchable-fn acl2::remove-untouchable list)
    (acl2::change-include-book-dir acl2::add-include-book-dir list)
    (acl2::include-book-fn acl2::include-book list)
    (acl2::encapsulate-fn acl2::encapsulate encapsulated-names))
  "From functions of ACL2 to the operator that they carry out, and a function from their first argument to names; the last
one takes two arguments.")

(defun note-found-again (operator names)
  (let ((there (remove-if-not (lambda (name) (there-p name operator)) names)))
    (when there (push (cons operator there) *found-again*))))

(defun redundant-answer-p (values)
  "Whether VALUES are those of an event that was stopped as redundant."
  (and *says-redundant* (null (first values)) (eq (second values) :redundant)))

(defun names-given (to-names arguments)
  (if (eq to-names 'encapsulated-names)
      (encapsulated-names (first arguments) (second arguments))
      (funcall to-names (first arguments))))

(defvar *heard* '() "Lists of a name, ACL2's function, and the wrapper that observes it.")

(defun call-unheard (function arguments)
  "Large books have thousands of events, each of which would pass through a useless wrapper. Other wrappers stay."
  (let ((heard (remove-if-not (lambda (entry) (eq (symbol-function (first entry)) (third entry))) *heard*)))
    (flet ((have-each (part)
             (dolist (entry heard) (setf (symbol-function (first entry)) (funcall part entry)))))
      (have-each #'second)
      (unwind-protect (apply function arguments)
        (have-each #'third)))))

(defun values-of-event (operator function arguments)
  "A list of the values."
  (multiple-value-list
   (if (eq operator 'acl2::include-book)
       (let ((*inside-a-book* t)) (call-unheard function arguments))
       (apply function arguments))))

(defun hear-event (operator to-names)
  "A wrapper that records the redundant events of an event function."
  (lambda (function arguments)
    (if *inside-a-book*
        (apply function arguments)
        (let* ((*says-redundant* nil)
               (values (values-of-event operator function arguments)))
          (when (redundant-answer-p values)
            (note-found-again operator (names-given to-names arguments)))
          (values-list values)))))

(defun install-redundancy ()
  (wrap 'acl2::stop-redundant-event-fn
        (lambda (function arguments)
          (setq *says-redundant* t)
          (apply function arguments)))
  ;; Events that MAKE-EVENT evaluates to compute its result do not count.
  (wrap 'acl2::protected-eval
        (lambda (function arguments)
          (let ((*found-again* '()))
            (apply function arguments))))
  (dolist (entry *event-functions*)
    (destructuring-bind (name operator to-names) entry
      (when (fboundp name)
        (push (list name (symbol-function name) (wrap name (hear-event operator to-names))) *heard*)))))

(defun event-form-p (form)
  "Whether FORM is an event by its expansion. DEFPKG is allowed only outside of books."
  (and (consp form)
       (or (eq (car form) 'acl2::defpkg)
           (embeddable-p form))))

(defun found-again-object (found)
  (object "kind" (one-line (car found))
          "names" (lines-of (cdr found))
          "depth" 0
          "skipped" :false))

(defun found-again-array (form)
  "The redundant event of FORM, if it is an event; the last of several."
  (array-of (and *found-again*
                 (event-form-p form)
                 (mapcar #'found-again-object
                         (reverse (subseq *found-again* 0 (min +inner-events-told+ (length *found-again*))))))))
