;;;; What is said of definitions that a file has lost: which they are, and who still uses them.

(in-package :lisp-harbor-agent)

(defconstant +named-definitions+ 20 "Definitions that one note names.")
(defconstant +named-uses+ 10 "Places that one note names.")

(defun name-definition (definition)
  "Keeps in DEFINITION what people call it: a method that was taken out of its function cannot say that any more."
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
  "Who uses DEFINITIONS, as far as the compiler keeps it; NIL where nobody does."
  (let ((texts (remove-duplicates (loop for definition in (up-to +named-definitions+ definitions)
                                        append (mapcar #'use-text (uses-of-definition definition)))
                                  :test #'string= :from-end t)))
    (and texts (list-text texts +named-uses+))))

(defun tell-loss (file taken kept)
  "Notes that FILE does not define any more what was TAKEN out of the image, and what was KEPT in it all the same."
  (when *evaluation*
    (when (some (complement #'defined-part) taken)
      (note *evaluation* "~A no longer defines ~A, so this was taken out of the image.~@[ It is still used by ~A.~]"
            file (definitions-text taken) (uses-text taken)))
    (when (some (complement #'defined-part) kept)
      (note *evaluation* "~A is still defined in this image, but ~A no longer defines it; a fresh image will not have it."
            (definitions-text kept) file))))
