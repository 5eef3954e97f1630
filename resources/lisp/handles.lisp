;;;; Object handles: small numbers by which the harbor and user code refer to values of this image. The
;;;; table keeps its objects alive, so its size is limited: the least recently used handle is removed
;;;; first.

(in-package :lisp-harbor-agent)

(defconstant +handles+ 500 "Maximum number of valid handles.")
(defconstant +kept-evaluations+ 8 "Maximum number of evaluations whose values are kept for an inspector.")

(define-condition unknown-handle (error)
  ((handle :initarg :handle :reader handle-in))
  (:report (lambda (condition stream)
             (format stream "There is no object #o~D: only the ~D handles used last are kept. Inspect the value anew."
                     (handle-in condition) +handles+))))

(defstruct handle
  (number 0 :type integer)
  object
  (used 0 :type integer))

(defvar *handles-lock* (make-mutex :name "lisp-harbor handles"))
(defvar *handles* (make-hash-table) "Maps numbers to handles.")
(defvar *handles-of-objects* (make-hash-table :test 'eq) "Maps objects to handles.")
(defvar *handles-given* 0 "The number of the newest handle.")
(defvar *handles-clock* 0 "Counter of handle uses.")
(defvar *kept-values* '()
  "The evaluations with kept values, newest first: the id of each and the values of its last form.")

(defmacro with-handles (&body body)
  `(with-recursive-lock (*handles-lock*)
     ,@body))

(defun touch (handle)
  (setf (handle-used handle) (incf *handles-clock*))
  handle)

(defun forget-oldest-handle ()
  (let ((oldest (loop for handle being the hash-values of *handles*
                      with found = nil
                      when (or (null found) (< (handle-used handle) (handle-used found)))
                        do (setf found handle)
                      finally (return found))))
    (remhash (handle-number oldest) *handles*)
    (remhash (handle-object oldest) *handles-of-objects*)))

(defun new-handle (object)
  (let ((handle (touch (make-handle :number (incf *handles-given*) :object object))))
    (setf (gethash (handle-number handle) *handles*) handle
          (gethash object *handles-of-objects*) handle)
    (when (> (hash-table-count *handles*) +handles+) (forget-oldest-handle))
    handle))

(defun handle-of (object)
  "Returns the handle number of OBJECT and creates a handle if needed. An object keeps its number as long as
its handle exists."
  (with-handles
    (handle-number (touch (or (gethash object *handles-of-objects*) (new-handle object))))))

(defun handle-if-any (object)
  "Returns the existing handle number of OBJECT, or NIL."
  (with-handles
    (let ((handle (gethash object *handles-of-objects*)))
      (and handle (handle-number handle)))))

(defun lisp-harbor:object (number)
  "Returns the value whose handle is #oNUMBER. Signals an error if that handle was removed."
  (with-handles
    (let ((handle (gethash number *handles*)))
      (unless handle (error 'unknown-handle :handle number))
      (handle-object (touch handle)))))

(defun keep-values (id values)
  "Keeps VALUES, the values of the newest form of evaluation ID, and replaces those kept for that evaluation
before."
  (with-handles
    (let ((others (remove id *kept-values* :key #'first)))
      (setf *kept-values* (cons (list id values)
                                (subseq others 0 (min (1- +kept-evaluations+) (length others))))))))

(defun forget-handles ()
  "Resets the table to that of a new image."
  (with-handles
    (clrhash *handles*)
    (clrhash *handles-of-objects*)
    (setf *kept-values* '() *handles-given* 0 *handles-clock* 0)))

(defun values-kept (id)
  "Returns the values kept for evaluation ID. The second value is true if an evaluation of that id is known."
  (with-handles
    (let ((entry (assoc id *kept-values*)))
      (values (second entry) (and entry t)))))

(define-condition unknown-value (error)
  ((evaluation :initarg :evaluation :reader missing-evaluation) (place :initarg :place :reader missing-place))
  (:report (lambda (condition stream)
             (format stream "There is no value ~D of evaluation ~D here: values are kept of the ~D newest evaluations at the prompt."
                     (missing-place condition) (missing-evaluation condition) +kept-evaluations+))))

(defun lisp-harbor:value (evaluation &optional (place 1))
  "Returns value number PLACE, counted from 1, of the last form of that evaluation: #v812 at a prompt. Signals
an error if it is not kept."
  (with-handles
    (let ((values (values-kept evaluation)))
      (unless (<= 1 place (length values)) (error 'unknown-value :evaluation evaluation :place place))
      (nth (1- place) values))))
