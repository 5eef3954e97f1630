;;;; Values on one short line, for answers that show many of them.
;;;; All printing of one query shares a few seconds, so that a hundred slow objects are not a hundred waits.

(in-package :lisp-harbor-agent)

(defconstant +preview-characters+ 200)
(defconstant +previews-seconds+ 4 "How long all printing of one query may take.")

(defvar *printing-ends* nil "When the time for printing is up, in internal units; NIL where nothing bounds it.")

(defun time-to-print-p ()
  (or (null *printing-ends*) (< (get-internal-real-time) *printing-ends*)))

(defmacro with-printing-time (&body body)
  "Begins the few seconds that all previews of BODY share."
  `(let ((*printing-ends* (+ (get-internal-real-time) (* +previews-seconds+ internal-time-units-per-second)))
         (*printing-seconds* +printing-seconds+))
     ,@body))

(defun preview (object &key (limit +preview-characters+) (printer #'prin1))
  "The beginning of the text of OBJECT, under the session's printer variables but on one line."
  (if (time-to-print-p)
      (let ((*print-pretty* nil)
            (*print-length* (min 10 (or *print-length* 10)))
            (*print-level* (min 3 (or *print-level* 3))))
        (multiple-value-bind (text missing) (print-bounded object :limit limit :printer printer)
          (if (eql (length text) limit) (format nil "~A~:[~;…~]" text missing) text)))
      (format nil "#<~A, not printed: the time for printing was up>" (type-name-of object))))

(defun source-text-of (object)
  "OBJECT, a name or a lambda list or another piece of source, as code in the session's package would write it."
  (let ((*print-base* 10) (*print-radix* nil) (*print-case* :upcase) (*print-escape* t) (*print-readably* nil)
        (*print-pretty* nil) (*print-length* nil) (*print-level* nil) (*print-lines* nil))
    (values (print-bounded object :limit 2000))))

(defun bare-parameter (parameter)
  "PARAMETER, an element of a lambda list, without the package of its variable, which says nothing to a caller."
  (cond ((and (symbolp parameter) parameter (not (member parameter lambda-list-keywords)) (not (keywordp parameter)))
         (make-symbol (symbol-name parameter)))
        ((consp parameter) (cons (bare-parameter (first parameter)) (rest parameter)))
        (t parameter)))

(defun bare-lambda-list (lambda-list)
  "LAMBDA-LIST, which may be dotted, with bare parameters."
  (if (consp lambda-list)
      (cons (bare-parameter (car lambda-list)) (bare-lambda-list (cdr lambda-list)))
      (bare-parameter lambda-list)))

(defun lambda-list-text (lambda-list)
  "A lambda list as people write it: an empty one is (), not NIL."
  (if lambda-list
      (let ((*print-gensym* nil)) (source-text-of (bare-lambda-list lambda-list)))
      "()"))
