;;;; What is said where a system is not found: what else may have been meant, and where others come from. ASDF is asked by
;;;; name, because some Lisps load it when a system is first asked for.

(in-package :lisp-harbor-agent)

(defconstant +named-systems+ 12 "Systems that are told in place of one that does not exist.")

(defun asdf-value (package name &rest arguments)
  "The value of ASDF's variable NAME, a string, or of its function called with ARGUMENTS; NIL where this version has none."
  (let ((symbol (find-symbol name package)))
    (cond ((null symbol) nil)
          ((boundp symbol) (symbol-value symbol))
          ((fboundp symbol) (apply symbol arguments)))))

(defun registered-systems ()
  "An alist from the names of the systems that have definitions here to the files of these."
  (asdf-value "ASDF/SOURCE-REGISTRY" "ENSURE-SOURCE-REGISTRY")
  (let ((registry (asdf-value "ASDF/SOURCE-REGISTRY" "*SOURCE-REGISTRY*")))
    (and (hash-table-p registry)
         (sort (loop for name being the hash-keys of registry using (hash-value file)
                     collect (cons name (namestring file)))
               #'string< :key #'car))))

(defun systems-meant (name)
  "Names of systems that may have been meant by NAME, those that are split off the same system among them."
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
  "Which systems there are in place of NAME."
  (let ((meant (systems-meant name))
        (own (systems-of-project)))
    (format nil "~@[ Near: ~{~A~^, ~}.~]~@[ In the project there are: ~{~A~^, ~}.~]"
            (up-to +named-systems+ (set-difference meant own :test #'string=))
            (up-to +named-systems+ (append (intersection meant own :test #'string=)
                                           (set-difference own meant :test #'string=))))))

(defun note-missing-system (condition)
  "Says what there is in place of the system that CONDITION, of ASDF, could not find."
  (let ((name (asdf-value "ASDF/FIND-COMPONENT" "MISSING-REQUIRES" condition)))
    (when *evaluation*
      (note *evaluation* "There is no system ~A.~A~@[ ~A~]" name (named-systems-text (princ-to-string name))
            (let ((text (quicklisp-text))) (and (plusp (length text)) text))))))

(defun missing-system-p (condition)
  "Whether ASDF signals with CONDITION that it has not found a system."
  (let ((type (find-symbol "MISSING-COMPONENT" "ASDF")))
    (and type (typep condition type))))
