;;;; The query `inspect`, and the place LISP-HARBOR:PART for user code: an object reached from a handle
;;;; along a path. A step of a path is the number or the name of a part, as a previous answer showed
;;;; it.

(in-package :lisp-harbor-agent)

(defconstant +longest-text+ 2000 "Maximum number of characters of the printed object in one answer.")
(defconstant +searched-parts+ 10000 "Maximum number of parts searched by name.")

;;; Steps.

(defun part-called (object name)
  "Returns the part of OBJECT that is shown as NAME."
  (or (step-from object name)
      (let ((parts (parts-between object 0 +searched-parts+)))
        (or (find name parts :key #'part-name :test #'string=)
            (find name parts :key #'part-name :test #'string-equal)))
      (no-such-part "A ~A has no part called ~A. Name one as its list shows it, or give its number."
                    (kind-of-object object) name)))

(defun part-numbered (object number)
  (or (and (<= 0 number) (first (parts-between object number (1+ number))))
      (no-such-part "There is no part ~D: this ~A has ~D." number (kind-of-object object) (part-count object))))

(defun part-at (object step)
  "Returns the part of OBJECT that STEP, a number or a name, denotes."
  (if (integerp step)
      (part-numbered object step)
      (part-called object (string step))))

(defun object-at (object path)
  (dolist (step path object)
    (let ((part (part-at object step)))
      (when (or (part-problem part) (not (part-bound part)))
        (no-such-part "The part ~A has no value to look into~@[: ~A~]." step (part-problem part)))
      (setf object (part-value part)))))

;;; Functions for user code.

(defun lisp-harbor:part (object &rest path)
  "Returns the object at PATH of OBJECT in the inspector. Each step is the number or the name of a part. SETF
stores a value there."
  (object-at object path))

(defun (setf lisp-harbor:part) (new object &rest path)
  (let* ((holder (object-at object (butlast path)))
         (part (if path (part-at holder (first (last path))) (no-such-part "A path is needed to say what to set."))))
    (unless (part-setter part)
      (no-such-part "The part ~A of a ~A cannot be set." (part-name part) (kind-of-object holder)))
    (funcall (part-setter part) new)
    new))

;;; The answer.

(defun compound-p (object)
  "Reports whether the identity of OBJECT is worth showing."
  (not (typep object '(or symbol number character))))

(defvar *numbers-parts* nil "True if parts that have parts of their own always get a handle.")

(defun handle-of-part (value)
  (cond ((not (compound-p value)) nil)
        ((and *numbers-parts* (not (stringp value))) (handle-of value))
        (t (handle-if-any value))))

(defun value-members (part)
  (let ((value (part-value part)))
    (cond ((part-problem part) (list "problem" (part-problem part)))
          ((part-bound part) (list "type" (type-name-of value)
                                   "text" (preview value)
                                   "object" (handle-of-part value)))
          (t (list "unbound" :true)))))

(defun part-data (part number)
  (apply #'optional-members
         "index" number
         "name" (part-name part)
         "settable" (and (part-setter part) :true)
         (value-members part)))

(defun parts-data (object offset limit)
  (loop for part in (parts-between object offset (+ offset limit))
        for number from offset
        collect (part-data part number)))

(defun fact-data (fact)
  (object "name" (first fact) "text" (second fact)))

(defun inspection-of (object offset limit)
  (let ((handle (handle-of object)))
    (object "object" handle
            "kind" (kind-of-object object)
            "type" (type-name-of object)
            "text" (preview-whole object)
            "facts" (mapcar #'fact-data (facts-of object))
            "parts" (parts-data object offset (or limit (usual-limit object)))
            "offset" offset
            "total" (part-count object))))

(defun preview-whole (object)
  (let ((*print-pretty* nil) (*print-length* (or *print-length* 100)) (*print-level* (or *print-level* 5)))
    (multiple-value-bind (text missing) (print-bounded object :limit +longest-text+)
      (if missing (format nil "~A … (~A)" text missing) text))))

(defun start-of (arguments)
  "Returns the object at which the path of ARGUMENTS begins: that of a handle, a value of an evaluation, or the
session's last value."
  (let ((handle (member-of arguments "object"))
        (evaluation (member-of arguments "evaluation")))
    (cond (handle (lisp-harbor:object handle))
          (evaluation
           (multiple-value-bind (values known) (values-kept evaluation)
             (cond ((not known) (refuse "unknown_handle" "The values of evaluation ~D were not kept." evaluation))
                   ((null values) (refuse "unknown_part" "The last form of evaluation ~D had no values." evaluation))
                   (t (first values)))))
          (t (symbol-value '*)))))

(define-query "inspect" (arguments)
  "Arguments: object? or evaluation?, path, offset, limit?, numbered?. Returns the object there with a page of
its parts."
  (with-printing-time
    (let ((*file-texts* '())
          (*numbers-parts* (member-of arguments "numbered")))
      (handler-case (inspection-of (object-at (start-of arguments) (member-of arguments "path"))
                                   (or (member-of arguments "offset") 0)
                                   (member-of arguments "limit"))
        (no-such-part (condition) (refuse "unknown_part" "~A" (part-message condition)))))))
