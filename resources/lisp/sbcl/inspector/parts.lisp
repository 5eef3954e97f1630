;;;; What an inspector shows of any object: its kind, facts about it in words, and its parts, which are objects too.
;;;; The protocol, and what holds for objects of which nothing more is known.

(in-package :lisp-harbor-agent)

(defstruct part
  "One part of an object. SETTER takes a new value; NIL where there is nothing to set. PROBLEM says in words why the
value cannot be had, or is NIL."
  (name "" :type string)
  value
  (bound t)
  problem
  setter)

(define-condition no-such-part (error)
  ((message :initarg :message :reader part-message))
  (:report (lambda (condition stream) (write-string (part-message condition) stream))))

(defun no-such-part (control &rest arguments)
  (error 'no-such-part :message (apply #'format nil control arguments)))

(defgeneric kind-of-object (object)
  (:documentation "A word for what OBJECT is to an inspector."))

(defgeneric facts-of (object)
  (:documentation "What there is to say of OBJECT beside its parts, as a list of (name text)."))

(defgeneric part-count (object)
  (:documentation "How many parts OBJECT has."))

(defgeneric parts-between (object start end)
  (:documentation "The parts of OBJECT from number START, below END; never beyond the last one."))

(defgeneric usual-limit (object)
  (:documentation "How many parts of OBJECT one answer shows unless it is told otherwise.")
  (:method (object) 50))

(defgeneric step-from (object step)
  (:documentation "The part of OBJECT that STEP, an element of a path as text, names and that is not numbered; or NIL.")
  (:method (object step) nil))

(defun fact (name control &rest arguments)
  (list name (apply #'format nil control arguments)))

(defmacro setter-of (place)
  "A function that puts its argument into PLACE."
  `(lambda (new) (setf ,place new)))

;;; Anything with slots: instances, structures, conditions, and whatever else has a class that tells.

(defun slots-in (object)
  (let ((class (class-of object)))
    (and (class-finalized-p class)
         (ignore-errors (class-slots class)))))

(defun slot-part (object slot)
  "SLOT of OBJECT. Methods of the user may stand between, and fail."
  (let ((name (slot-definition-name slot)))
    (multiple-value-bind (bound value problem)
        (handler-case (let ((bound (slot-boundp object name)))
                        (values bound (and bound (slot-value object name)) nil))
          (error (condition) (values nil nil (message-of condition))))
      (make-part :name (source-text-of name) :value value :bound bound :problem problem
                 :setter (setter-of (slot-value object name))))))

(defmethod kind-of-object (object)
  (typecase object
    (structure-object "structure")
    (condition "condition")
    (standard-object "instance")
    (t "object")))

(defmethod facts-of (object)
  (and (typep object 'condition)
       (list (fact "message" "~A" (preview object :limit 2000 :printer #'princ)))))

(defmethod part-count (object)
  (length (slots-in object)))

(defmethod parts-between (object start end)
  (let ((slots (slots-in object)))
    (mapcar (lambda (slot) (slot-part object slot))
            (subseq slots (min start (length slots)) (min end (length slots))))))

(defun listed-parts (parts start end)
  "PARTS from START below END, for objects that make the list of their parts in one go."
  (subseq parts (min start (length parts)) (min end (length parts))))
