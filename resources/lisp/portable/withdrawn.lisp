;;;; Definitions that a reloaded file of the project no longer contains, judged by its text. Functions and
;;;; macros whose names it does not mention at all are removed from the image unless they were redefined since;
;;;; other definitions are reported. These Lisps do not record the source of each definition.

(in-package :lisp-harbor-agent)

(defvar *written* (make-hash-table :test #'equal)
  "Maps each loaded file to the definitions in its text, as WRITTEN-DEFINITIONS.")

(defstruct (written-definition (:conc-name written-))
  operator name
  (value nil))                          ; the function of that name after the load

(defun function-operator-p (operator)
  (member operator '("defun" "defmacro" "defgeneric") :test #'string-equal))

(defun function-of (name)
  "Returns the function or macro NAME, or NIL."
  (and (typep name '(or symbol (cons (eql setf))))
       (fboundp name)
       (or (and (symbolp name) (macro-function name)) (fdefinition name))))

(defun named-form-at (text start)
  "Returns operator and name of the definition at START. The name is a symbol or (SETF symbol). NIL if there is
none."
  (let ((operator (and (eql (char-at text start) #\() (operator-text text start))))
    (when (and operator (begins-with-p "def" (string-downcase operator) 0))
      (let ((name (ignore-errors (let ((*read-eval* nil)) (read-from-string (second-text text start))))))
        (and name (list operator name))))))

(defun enter-package (text start)
  "Makes the package current that an IN-PACKAGE form at START names."
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

(defun mentioned-p (definition text)
  (let ((name (written-name definition)))
    (search (symbol-name (if (consp name) (second name) name)) text :test #'char-equal)))

(defun take-out (definition)
  "Removes DEFINITION from the image. Returns false if that fails."
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
  "Called after FILE was loaded. Removes or reports the definitions that it has lost since its previous load."
  (let* ((key (namestring file))
         (text (or (ignore-errors (read-text file)) ""))
         (written (written-definitions text))
         (lost (remove-if-not #'still-there-p
                              (set-difference (gethash key *written*) written :test #'same-definition-p))))
    (setf (gethash key *written*) written)
    (when (and lost (in-project-p (namestring file)))
      (flet ((absent-p (definition) (not (mentioned-p definition text))))
        (tell-withdrawn key lost (remove-if-not #'take-out (remove-if-not #'absent-p lost)))))))
