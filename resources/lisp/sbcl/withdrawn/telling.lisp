;;;; Notes about definitions that were removed from a file: which they are and where they are still
;;;; used.

(in-package :lisp-harbor-agent)

(defconstant +named-definitions+ 20 "Maximum number of definitions in one note.")
(defconstant +named-uses+ 10 "Maximum number of uses in one note.")

(defun name-definition (definition)
  "Stores the readable name of DEFINITION. A method that was removed from its function no longer has one."
  (with-accessors ((name defined-name) (kind defined-kind)) definition
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

(defun use-text (use)
  (let ((place (location (use-source use))))
    (format nil "~A~@[ (~A~@[:~D~])~]"
            (source-text-of (user-name-of (use-name use)))
            (and place (member-of place "file"))
            (and place (member-of place "line")))))

(defun uses-text (definitions)
  "Returns the users of DEFINITIONS, as far as the compiler recorded them, or NIL."
  (let ((texts (remove-duplicates (loop for definition in (up-to +named-definitions+ definitions)
                                        append (mapcar #'use-text (uses-of-definition definition)))
                                  :test #'string= :from-end t)))
    (and texts (list-text texts +named-uses+))))

(defun tell-loss (file taken kept)
  "Adds notes that FILE no longer defines TAKEN, which were removed from the image, and KEPT, which remain in
it."
  (when *evaluation*
    (when (some (complement #'defined-part) taken)
      (note *evaluation* "~A no longer defines ~A, so this was taken out of the image.~@[ It is still used by ~A.~]"
            file (definitions-text taken) (uses-text taken)))
    (when (some (complement #'defined-part) kept)
      (note *evaluation* "~A is still defined in this image, but ~A no longer defines it; a fresh image will not have it."
            (definitions-text kept) file))))
