;;;; The locals of a frame, and access to them from code. Several may have the same name: nested
;;;; bindings, and an argument that a method assigns, for which SBCL has two variables. The innermost
;;;; has the plain name, the outer ones are B#1, B#2.

(in-package :lisp-harbor-agent)

(defconstant +shown-locals+ 200 "Maximum number of locals reported for one frame.")
(defconstant +local-characters+ 2000 "Maximum number of characters of a local's value.")

(defun valid-locals (frame)
  "Returns the debug variables of FRAME that are valid at its current location."
  (let ((function (sb-di:frame-debug-fun frame))
        (location (sb-di:frame-code-location frame)))
    (when (sb-di:debug-var-info-available function)
      (remove-if-not (lambda (variable)
                       ;; A symbol without a package is internal to the compiler or a macro.
                       (and (symbol-package (sb-di:debug-var-symbol variable))
                            (eq (ignore-errors (sb-di:debug-var-validity variable location)) :valid)))
                     (sb-di:ambiguous-debug-vars function "")))))

;;; Variables of the same name.

(defun extent (variable function)
  "Returns the number of code locations of FUNCTION at which VARIABLE is live, the number of the first, and
SBCL's id. Without locations if SBCL does not know them."
  (let ((count 0) (first 0) (number 0))
    (ignore-errors
     (sb-di:do-debug-fun-blocks (block function)
       (sb-di:do-debug-block-locations (location block)
         (incf number)
         (when (eq (sb-di:debug-var-validity variable location) :valid)
           (when (zerop count) (setf first number))
           (incf count)))))
    (list count first (sb-di:debug-var-id variable))))

(defun inside-p (extent other)
  "Reports whether the variable with EXTENT is bound inside the variable of the same name with the OTHER
extent: it is live at fewer locations or from a later one on. Among variables live at the same locations,
SBCL numbers the inner one first."
  (destructuring-bind (count first id) extent
    (destructuring-bind (other-count other-first other-id) other
      (cond ((/= count other-count) (< count other-count))
            ((/= first other-first) (> first other-first))
            (t (< id other-id))))))

(defun from-inside (variables function)
  (if (rest variables)
      (mapcar #'car (sort (loop for variable in variables collect (cons variable (extent variable function)))
                          #'inside-p :key #'cdr))
      variables))

(defun numbered-locals (frame)
  "Returns conses of a valid local of FRAME and its number: 0 for the only or innermost one of its name."
  (let ((names (make-hash-table :test 'eq))
        (function (sb-di:frame-debug-fun frame))
        (locals (valid-locals frame)))
    (dolist (variable locals)
      (push variable (gethash (sb-di:debug-var-symbol variable) names)))
    (loop for symbol in (remove-duplicates (mapcar #'sb-di:debug-var-symbol locals) :from-end t)
          nconc (loop for variable in (from-inside (gethash symbol names) function)
                      for number from 0
                      collect (cons variable number)))))

;;; Locals as data.

(defun numbered-name (name number)
  (format nil "~A~:[#~D~;~]" name (zerop number) number))

(defun local-data (local frame)
  "Returns the name and printed value of a local, and a handle for a value that has parts."
  (destructuring-bind (variable . number) local
    (let ((value (sb-di:debug-var-value variable frame)))
      (apply #'object
             "name" (numbered-name (print-bounded (sb-di:debug-var-symbol variable) :limit 400) number)
             "value" (values (print-bounded value :limit +local-characters+))
             (and (compound-p value) (list "object" (handle-of value)))))))

(defun locals-data (locals frame)
  (mapcar (lambda (local) (local-data local frame)) (up-to +shown-locals+ locals)))

(defun locals-members (frame)
  "Returns members with the locals of FRAME and the number of those left out."
  (let* ((locals (ignore-errors (numbered-locals frame)))
         (more (left-out +shown-locals+ locals)))
    (list* "locals" (locals-data locals frame) (and more (list "omitted" more)))))

(define-implementation frame-locals (frame)
  (unless (evaluating-name-p (frame-name frame))
    (locals-data (ignore-errors (numbered-locals frame)) frame)))

;;; Locals in code.

(defun symbols-of-local (variable number repeated)
  "Returns the names of a local in code: its plain name if SBCL alone could not tell which variable that is,
and its numbered name. The numbered name exists only in its own package."
  (let ((symbol (sb-di:debug-var-symbol variable)))
    (if (zerop number)
        (and (member symbol repeated) (list symbol))
        (let ((numbered (find-symbol (numbered-name symbol number) (symbol-package symbol))))
          (and numbered (list numbered))))))

(defun meanings (frame)
  "Returns bindings of SYMBOL-MACROLET for names that several locals of FRAME share."
  (let* ((locals (ignore-errors (numbered-locals frame)))
         (repeated (loop for (variable . number) in locals
                         when (= number 1) collect (sb-di:debug-var-symbol variable))))
    (loop for (variable . number) in locals
          nconc (loop for symbol in (symbols-of-local variable number repeated)
                      collect `(,symbol (sb-di:debug-var-value ',variable ',frame))))))

(define-implementation eval-in-frame (frame form)
  (sb-di:eval-in-frame frame `(symbol-macrolet ,(meanings frame)
                                (declare (sb-ext:muffle-conditions compiler-note))
                                ,form)))
