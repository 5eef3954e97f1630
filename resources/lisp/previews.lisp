;;;; Values as one short line, for answers that show many of them. All printing of one query shares a
;;;; few seconds, so that the waits for many slow objects do not add up.

(in-package :lisp-harbor-agent)

(defconstant +preview-characters+ 200)
(defconstant +previews-seconds+ 4 "Maximum time for all printing of one query.")

(defvar *printing-ends* nil "The deadline of printing in internal time units, or NIL for none.")

(defun time-to-print-p ()
  (or (null *printing-ends*) (< (get-internal-real-time) *printing-ends*)))

(defmacro with-printing-time (&body body)
  "Runs BODY, in which all previews share a few seconds."
  `(let ((*printing-ends* (+ (get-internal-real-time) (* +previews-seconds+ internal-time-units-per-second)))
         (*printing-seconds* +printing-seconds+))
     ,@body))

(defun preview (object &key (limit +preview-characters+) (printer #'prin1))
  "Returns the beginning of the text of OBJECT, on one line, under the session's printer variables."
  (if (time-to-print-p)
      (let ((*print-pretty* nil)
            (*print-length* (min 10 (or *print-length* 10)))
            (*print-level* (min 3 (or *print-level* 3))))
        (multiple-value-bind (text missing) (print-bounded object :limit limit :printer printer)
          (if (eql (length text) limit) (format nil "~A~:[~;…~]" text missing) text)))
      (format nil "#<~A, not printed: the time for printing was up>" (type-name-of object))))

(defun source-text-of (object)
  "Returns OBJECT, a name, a lambda list or other source, as code in the session's package would write it."
  (let ((*print-base* 10) (*print-radix* nil) (*print-case* :upcase) (*print-escape* t) (*print-readably* nil)
        (*print-pretty* nil) (*print-length* nil) (*print-level* nil) (*print-lines* nil))
    (values (print-bounded object :limit 2000))))

(defun bare-parameter (parameter)
  "Returns PARAMETER, an element of a lambda list, without the package prefix of its variable."
  (cond ((and (symbolp parameter) parameter (not (member parameter lambda-list-keywords)) (not (keywordp parameter)))
         (make-symbol (symbol-name parameter)))
        ((consp parameter) (cons (bare-parameter (first parameter)) (rest parameter)))
        (t parameter)))

(defun bare-lambda-list (lambda-list)
  "Returns LAMBDA-LIST, which may be dotted, with parameters without package prefixes."
  (if (consp lambda-list)
      (cons (bare-parameter (car lambda-list)) (bare-lambda-list (cdr lambda-list)))
      (bare-parameter lambda-list)))

(defun lambda-list-text (lambda-list)
  "Returns a lambda list as text. An empty one is (), not NIL."
  (if lambda-list
      (let ((*print-gensym* nil)) (source-text-of (bare-lambda-list lambda-list)))
      "()"))
