;;;; What a file has lost since it was last loaded, as its text says: functions and macros go out of the image, unless they
;;;; were made anew since; other definitions are told. These Lisps keep no account of where each was defined.

(in-package :lisp-harbor-agent)

(defvar *written* (make-hash-table :test #'equal)
  "For each file that was loaded, the definitions that its text had, as WRITTEN-DEFINITIONS.")

(defstruct (written-definition (:conc-name written-))
  operator name
  (value nil))                          ; the function of that name after the load

(defun function-operator-p (operator)
  (member operator '("defun" "defmacro" "defgeneric") :test #'string-equal))

(defun function-of (name)
  "The function or macro NAME; NIL where there is none."
  (and (typep name '(or symbol (cons (eql setf))))
       (fboundp name)
       (or (and (symbolp name) (macro-function name)) (fdefinition name))))

(defun named-form-at (text start)
  "Operator and name of the definition at START, the name as a symbol or (SETF symbol); NIL where there is none."
  (let ((operator (and (eql (char-at text start) #\() (operator-text text start))))
    (when (and operator (begins-with-p "def" (string-downcase operator) 0))
      (let ((name (ignore-errors (let ((*read-eval* nil)) (read-from-string (second-text text start))))))
        (and name (list operator name))))))

(defun enter-package (text start)
  "Goes to the package that an IN-PACKAGE form at START names."
  (when (and (eql (char-at text start) #\() (string-equal (operator-text text start) "in-package"))
    (let ((package (ignore-errors (find-package (read-from-string (second-text text start))))))
      (when package (setf *package* package)))))

(defun written-definitions (text)
  (let ((*package* *package*))
    (loop for start in (top-level-forms text)
          for (operator name) = (progn (enter-package text start) (named-form-at text start))
          when operator
            collect (make-written-definition
                     :operator operator :name name
                     :value (and (function-operator-p operator) (function-of name))))))

(defun same-definition-p (one other)
  (and (string-equal (written-operator one) (written-operator other))
       (equal (written-name one) (written-name other))))

(defun still-there-p (definition)
  (with-accessors ((operator written-operator) (name written-name) (value written-value)) definition
    (cond ((function-operator-p operator) (and value (eq value (function-of name))))
          ((not (and name (symbolp name))) nil)
          ((member operator '("defvar" "defparameter") :test #'string-equal) (boundp name))
          ((member operator '("defclass" "defstruct" "define-condition") :test #'string-equal) (find-class name nil)))))

(defun take-out (definition)
  "Whether DEFINITION could be taken out of the image."
  (and (function-operator-p (written-operator definition))
       (ignore-errors (fmakunbound (written-name definition)) t)))

(defun tell-withdrawn (file definitions taken)
  (flet ((told (definitions)
           (mapcar (lambda (definition) (source-text-of (written-name definition))) definitions)))
    (when (and taken *evaluation*)
      (note *evaluation* "~A no longer defines ~{~A~^, ~}, so this was taken out of the image." file (told taken)))
    (let ((kept (set-difference definitions taken)))
      (when (and kept *evaluation*)
        (note *evaluation* "~{~A~^, ~} is still defined in this image, but ~A no longer defines it; a fresh image will ~
                            not have it."
              (told kept) file)))))

(defun note-loaded-file (file)
  "To be called when FILE was loaded: what it has lost since the last time goes, or is told."
  (let* ((key (namestring file))
         (written (written-definitions (or (ignore-errors (read-text file)) "")))
         (lost (remove-if-not #'still-there-p
                              (set-difference (gethash key *written*) written :test #'same-definition-p))))
    (setf (gethash key *written*) written)
    (when lost
      (tell-withdrawn key lost (remove-if-not #'take-out lost)))))
