;;;; The locals of a frame, and code among them. Several may have one name: bindings inside of each other, and an argument
;;;; that a method assigns, of which SBCL has two. The innermost has the plain name, those around it B#1, B#2.

(in-package :lisp-harbor-agent)

(defconstant +shown-locals+ 200 "Locals told of one frame at most.")
(defconstant +local-characters+ 2000 "Characters told of a local's value at most.")

(defun valid-locals (frame)
  "The debug variables of FRAME that have a value where it stands."
  (let ((function (sb-di:frame-debug-fun frame))
        (location (sb-di:frame-code-location frame)))
    (when (sb-di:debug-var-info-available function)
      (remove-if-not (lambda (variable)
                       ;; Without a package it is the compiler's or a macro's own.
                       (and (symbol-package (sb-di:debug-var-symbol variable))
                            (eq (ignore-errors (sb-di:debug-var-validity variable location)) :valid)))
                     (sb-di:ambiguous-debug-vars function "")))))

;;; Which of several is meant.

(defun extent (variable function)
  "How many places of FUNCTION have VARIABLE, the number of the first, and SBCL's own number; without places where SBCL does
not know them."
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
  "Whether what has EXTENT is bound inside of what has the OTHER one, and the same name: it lives in fewer places, or from a
later one on. Of those that live in the same places SBCL numbers the inner one first."
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
  "Conses of a valid local of FRAME and its number: 0 for the only or the innermost one of its name."
  (let ((names (make-hash-table :test 'eq))
        (function (sb-di:frame-debug-fun frame))
        (locals (valid-locals frame)))
    (dolist (variable locals)
      (push variable (gethash (sb-di:debug-var-symbol variable) names)))
    (loop for symbol in (remove-duplicates (mapcar #'sb-di:debug-var-symbol locals) :from-end t)
          nconc (loop for variable in (from-inside (gethash symbol names) function)
                      for number from 0
                      collect (cons variable number)))))

;;; As data.

(defun numbered-name (name number)
  (format nil "~A~:[#~D~;~]" name (zerop number) number))

(defun local-data (local frame)
  "Name and printed value, and a handle for a value that has parts to look into."
  (destructuring-bind (variable . number) local
    (let ((value (sb-di:debug-var-value variable frame)))
      (apply #'object
             "name" (numbered-name (print-bounded (sb-di:debug-var-symbol variable) :limit 400) number)
             "value" (values (print-bounded value :limit +local-characters+))
             (and (compound-p value) (list "object" (handle-of value)))))))

(defun locals-data (locals frame)
  (mapcar (lambda (local) (local-data local frame)) (up-to +shown-locals+ locals)))

(defun locals-members (frame)
  "Members with the locals of FRAME, and how many are left out."
  (let* ((locals (ignore-errors (numbered-locals frame)))
         (more (left-out +shown-locals+ locals)))
    (list* "locals" (locals-data locals frame) (and more (list "omitted" more)))))

(define-implementation frame-locals (frame)
  (unless (evaluating-name-p (frame-name frame))
    (locals-data (ignore-errors (numbered-locals frame)) frame)))

;;; Code among them.

(defun symbols-of-local (variable number repeated)
  "What code calls a local: its name where SBCL alone would not know which one is meant, and its numbered name, which code
has only where its package does."
  (let ((symbol (sb-di:debug-var-symbol variable)))
    (if (zerop number)
        (and (member symbol repeated) (list symbol))
        (let ((numbered (find-symbol (numbered-name symbol number) (symbol-package symbol))))
          (and numbered (list numbered))))))

(defun meanings (frame)
  "Bindings of SYMBOL-MACROLET for names that several locals of FRAME have."
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
