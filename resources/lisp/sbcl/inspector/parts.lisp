;;;; The inspector protocol: the kind of an object, facts about it as text, and its parts, which are
;;;; objects too. Also the default methods for objects without specific ones.

(in-package :lisp-harbor-agent)

(defstruct part
  "One part of an object. SETTER is a function of a new value, or NIL if the part is read-only. PROBLEM is a
text that says why the value is unavailable, or NIL."
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
  (:documentation "Returns the word for the kind of OBJECT in the inspector."))

(defgeneric facts-of (object)
  (:documentation "Returns the facts about OBJECT in addition to its parts, as a list of (name text)."))

(defgeneric part-count (object)
  (:documentation "Returns the number of parts of OBJECT."))

(defgeneric parts-between (object start end)
  (:documentation "Returns the parts of OBJECT from number START below END. END does not exceed the number of parts."))

(defgeneric usual-limit (object)
  (:documentation "Returns the default number of parts of OBJECT in one answer.")
  (:method (object) 50))

(defgeneric step-from (object step)
  (:documentation "Returns the part without a number that STEP, an element of a path as text, names, or NIL.")
  (:method (object step) nil))

(defun fact (name control &rest arguments)
  (list name (apply #'format nil control arguments)))

(defmacro setter-of (place)
  "Returns a function that stores its argument in PLACE."
  `(lambda (new) (setf ,place new)))

;;; Objects with slots: instances, structures, conditions and other objects whose class has slots.

(defun slots-in (object)
  (let ((class (class-of object)))
    (and (class-finalized-p class)
         (ignore-errors (class-slots class)))))

(defun slot-part (object slot)
  "Returns the part for SLOT of OBJECT. User methods may run and fail."
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
  "Returns PARTS from START below END, for objects that create the list of their parts at once."
  (subseq parts (min start (length parts)) (min end (length parts))))
