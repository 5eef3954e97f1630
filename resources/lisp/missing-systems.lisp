;;;; Messages for systems that are not found: similar names and where to get systems. ASDF's symbols
;;;; are looked up by name, because some Lisps load ASDF on first use.

(in-package :lisp-harbor-agent)

(defconstant +named-systems+ 12 "Maximum number of systems suggested for one that does not exist.")

(defun asdf-value (package name &rest arguments)
  "Returns the value of ASDF's variable NAME, a string, or of its function called with ARGUMENTS. NIL if this
version has none."
  (let ((symbol (find-symbol name package)))
    (cond ((null symbol) nil)
          ((boundp symbol) (symbol-value symbol))
          ((fboundp symbol) (apply symbol arguments)))))

(defun registered-systems ()
  "Returns an alist from the names of the systems that have definitions here to their files."
  (asdf-value "ASDF/SOURCE-REGISTRY" "ENSURE-SOURCE-REGISTRY")
  (let ((registry (asdf-value "ASDF/SOURCE-REGISTRY" "*SOURCE-REGISTRY*")))
    (and (hash-table-p registry)
         (sort (loop for name being the hash-keys of registry using (hash-value file)
                     collect (cons name (namestring file)))
               #'string< :key #'car))))

(defun systems-meant (name)
  "Returns the names of systems similar to NAME, including other systems of the same primary system."
  (let ((slash (position #\/ name)))
    (append (and slash
                 (remove-if-not (lambda (system) (begins-with-p (subseq name 0 (1+ slash)) system 0))
                                (asdf-value "ASDF" "REGISTERED-SYSTEMS")))
            (remove-if-not (lambda (system) (or (near-p name system) (search name system)))
                           (mapcar #'car (registered-systems))))))

(defun systems-of-project ()
  (let ((folder (namestring (truename *default-pathname-defaults*))))
    (loop for (name . file) in (registered-systems)
          when (begins-with-p folder file 0) collect name)))

(defun named-systems-text (name)
  "Returns a text that suggests existing systems for NAME."
  (let ((meant (systems-meant name))
        (own (systems-of-project)))
    (format nil "~@[ Near: ~{~A~^, ~}.~]~@[ In the project there are: ~{~A~^, ~}.~]"
            (up-to +named-systems+ (set-difference meant own :test #'string=))
            (up-to +named-systems+ (append (intersection meant own :test #'string=)
                                           (set-difference own meant :test #'string=))))))

(defun note-missing-system (condition)
  "Returns the message for the system that CONDITION, a condition of ASDF, reports as missing."
  (let ((name (asdf-value "ASDF/FIND-COMPONENT" "MISSING-REQUIRES" condition)))
    (when *evaluation*
      (multiple-value-bind (text kind) (quicklisp-text)
        (note-of-kind kind *evaluation* "There is no system ~A.~A~@[ ~A~]" name
                      (named-systems-text (princ-to-string name))
                      (and (plusp (length text)) text))))))

(defun missing-system-p (condition)
  "Reports whether CONDITION is ASDF's signal that a system was not found."
  (let ((type (find-symbol "MISSING-COMPONENT" "ASDF")))
    (and type (typep condition type))))
