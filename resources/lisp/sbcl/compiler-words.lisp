;;;; Information of SBCL's compiler beyond the standard: the form that a warning refers to, and
;;;; compiler notes, which EVAL muffles. Uses the internals of 2.2.9 that SBCL's own error messages
;;;; use.

(in-package :lisp-harbor-agent)

(defun definition-text (definition)
  "Returns the text of DEFINITION without parentheses: (DEFUN F) becomes DEFUN F."
  (if (consp definition)
      (format nil "~{~A~^ ~}" (mapcar #'form-text definition))
      (form-text definition)))

(defun definition-of (form)
  "Returns what FORM defines in the notation of the compiler, (DEFUN F), or NIL if FORM is not a definition."
  (when (and (consp form) (symbolp (first form)) (consp (rest form))
             (eql 0 (search "DEF" (symbol-name (first form)))))
    (list (first form) (second form))))

(defun around-evaluated-form-p (definition)
  "Reports whether DEFINITION is the LOCALLY that EVALUATE-FORM puts around each form."
  (and (consp definition) (eq (first definition) 'locally)))

(defun enclosing-definitions (context)
  "Returns the definitions around the form being compiled, outermost first."
  (loop for definition in (sb-c::compiler-error-context-context context)
        for own = (if (around-evaluated-form-p definition) (definition-of *current-form*) definition)
        when own collect own))

(define-implementation compiler-position ()
  "Returns keys and values that describe the form being compiled: the form, the enclosing definitions and its
position. Empty outside of the compiler. Uses an undocumented context of SBCL (2.2.9: ir1report.lisp), as
SBCL's error messages do."
  (let ((context (ignore-errors (sb-c::find-error-context nil))))
    (when context
      (let ((definitions (enclosing-definitions context))
            (file (sb-c::compiler-error-context-file-name context)))
        `("source" ,(form-text (sb-c::compiler-error-context-original-form context))
          ,@(when definitions `("context" ,(format nil "~{~A~^, ~}" (mapcar #'definition-text definitions))))
          ,@(when (typep file '(or string pathname))
              (place-in-file file
                             (or (sb-c::compiler-error-context-file-position context) 0)
                             (rest (reverse (sb-c::compiler-error-context-original-source-path context))))))))))

(define-implementation count-for-compiler (warning)
  "Keeps the second and third values of COMPILE and COMPILE-FILE true, because the compiler does not count
muffled warnings."
  (when (and (typep warning 'warning) (boundp 'sb-c::*failure-p*))
    (setf sb-c::*warnings-p* t)
    (unless (typep warning 'style-warning) (setf sb-c::*failure-p* t))))

(defun redefined-source (warning)
  "Returns the source of the definition that WARNING says is replaced. It is still available at this time."
  (let ((name (sb-kernel::redefinition-warning-name warning)))
    (sb-introspect:find-definition-source
     (cond ((typep warning 'sb-kernel:redefinition-with-defmethod)
            (slot-value warning 'sb-kernel::old-method))
           ((and (symbolp name) (macro-function name)))
           (t (fdefinition name))))))

(defun redefines-evaluated-p (warning)
  "Reports whether WARNING is about the redefinition of a definition of this session, which is intended."
  (and (typep warning 'sb-kernel:redefinition-warning)
       (let ((source (redefined-source warning)))
         (and (null (sb-introspect:definition-source-pathname source))
              (evaluation-in source)))))

(define-implementation uninteresting-p (warning)
  "Reports whether WARNING is of no interest. SBCL signals some that are not meant for users, such as the
redefinition of a compiled macro when its file is loaded."
  (ignore-errors (or (typep warning sb-ext:*muffled-warnings*)
                     (redefines-evaluated-p warning))))

(defun compile-with-notes (compile &rest arguments)
  "Compiles with a handler for compiler notes. EVAL muffles notes just outside of this call."
  (let ((evaluation *evaluation*))
    (if evaluation
        (handler-bind ((sb-ext:compiler-note (lambda (note) (record-warning evaluation note))))
          (apply compile arguments))
        (apply compile arguments))))

(sb-int:encapsulate 'sb-c:compile-in-lexenv 'lisp-harbor 'compile-with-notes)
