;;;; Notes about definitions that were removed from a file: which they are and where they are still
;;;; used.

(in-package :lisp-harbor-agent)

(defconstant +named-definitions+ 20 "Maximum number of definitions in one note.")
(defconstant +named-uses+ 10 "Maximum number of uses in one note.")

(defparameter +class-kinds+ '(:class :structure :condition))

(defun name-definition (definition)
  "Stores the readable name of DEFINITION. A method that was removed from its function no longer has one."
  (with-accessors ((name defined-name) (kind defined-kind)) definition
    (when (member kind +class-kinds+) (setf (defined-class definition) (find-class name)))
    (setf (defined-text definition)
          (format nil "~A (~A)"
                  (case kind
                    (:method (method-text name))
                    (:package (package-name name))
                    (t (source-text-of name)))
                  (kind-text kind)))))

(defun list-text (texts limit)
  (format nil "~{~A~^, ~}~@[ and ~D more~]"
          (up-to limit texts)
          (and (> (length texts) limit) (- (length texts) limit))))

(defun definitions-text (definitions)
  (list-text (mapcar #'defined-text (remove-if #'defined-part definitions)) +named-definitions+))

(defun uses-of-definition (definition)
  (with-accessors ((name defined-name) (kind defined-kind)) definition
    (case kind
      ((:variable :constant :symbol-macro) (uses-of name +uses-of-variables+))
      ((:function :macro :generic-function) (uses-of name +calls+)))))

(defun uses-of-class (class)
  "Returns the texts of the subclasses of CLASS and of the methods on it."
  (append (mapcar (lambda (subclass) (source-text-of (class-name subclass)))
                  (remove-if-not (lambda (subclass) (eq subclass (find-class (class-name subclass) nil)))
                                 (class-direct-subclasses class)))
          (loop for method in (specializer-direct-methods class)
                when (and (method-generic-function method) (not (typep method 'standard-accessor-method)))
                  collect (method-text method))))

(defun files-that-read (symbol)
  "Returns the project files whose last load read SYMBOL."
  (loop for file being the hash-keys of *file-records* using (hash-value record)
        when (gethash symbol (file-record-symbols record)) collect file))

(defun use-text (use)
  (let ((place (location (use-source use))))
    (format nil "~A~@[ (~A~@[:~D~])~]"
            (source-text-of (user-name-of (use-name use)))
            (and place (member-of place "file"))
            (and place (member-of place "line")))))

(defun use-texts (definition)
  "Returns the users of DEFINITION, as far as the compiler recorded them, or else the files that name it."
  (or (mapcar #'use-text (uses-of-definition definition))
      (and (defined-class definition) (uses-of-class (defined-class definition)))
      (and (not (defined-part definition))
           (not (member (defined-kind definition) '(:method :package)))
           (files-that-read (symbol-of definition)))))

(defun uses-text (definitions)
  (let ((texts (remove-duplicates (loop for definition in (up-to +named-definitions+ definitions)
                                        append (use-texts definition))
                                  :test #'string= :from-end t)))
    (and texts (list-text texts +named-uses+))))

(defun tell-loss (file taken kept used)
  "Adds notes that FILE no longer defines TAKEN, which were removed from the image, and KEPT, which remain in
it, and that it did not define USED but uses them."
  (when *evaluation*
    (when (some (complement #'defined-part) taken)
      (note *evaluation* "~A no longer defines ~A, so this was taken out of the image.~@[ It is still used by ~A.~]"
            file (definitions-text taken) (uses-text taken)))
    (when (some (complement #'defined-part) kept)
      (note *evaluation* "~A is still defined in this image, but ~A no longer defines it; a fresh image will not have it."
            (definitions-text kept) file))
    (when (some (complement #'defined-part) used)
      (note *evaluation* "~A was not defined by this load of ~A, which still uses it: it stays in this image, and a fresh ~
                          image may not have it."
            (definitions-text used) file))))
