;;;; What SBCL's compiler says beyond the standard: which form it means, and notes, which EVAL would keep to itself. The
;;;; internals of 2.2.9 are read as SBCL's own error messages read them.

(in-package :lisp-harbor-agent)

(defun definition-text (definition)
  "(DEFUN F) reads DEFUN F."
  (if (consp definition)
      (format nil "~{~A~^ ~}" (mapcar #'form-text definition))
      (form-text definition)))

(defun definition-of (form)
  "What FORM defines, as the compiler would say it: (DEFUN F); NIL when it is no definition."
  (when (and (consp form) (symbolp (first form)) (consp (rest form))
             (eql 0 (search "DEF" (symbol-name (first form)))))
    (list (first form) (second form))))

(defun around-evaluated-form-p (definition)
  "Whether DEFINITION is the LOCALLY that EVALUATE-FORM puts around each form."
  (and (consp definition) (eq (first definition) 'locally)))

(defun enclosing-definitions (context)
  "Definitions around the form that the compiler is at, outermost first."
  (loop for definition in (sb-c::compiler-error-context-context context)
        for own = (if (around-evaluated-form-p definition) (definition-of *current-form*) definition)
        when own collect own))

(define-implementation compiler-position ()
  "Keys and values about the form that is being compiled: itself, the definitions around it, its place; empty outside
of the compiler. The undocumented context is SBCL's own (2.2.9: ir1report.lisp), read as its error messages read it."
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
  "Keeps the second and third value of COMPILE and COMPILE-FILE true: the compiler itself counts what nobody muffles."
  (when (and (typep warning 'warning) (boundp 'sb-c::*failure-p*))
    (setf sb-c::*warnings-p* t)
    (unless (typep warning 'style-warning) (setf sb-c::*failure-p* t))))

(defun redefined-source (warning)
  "Where the definition came from that WARNING says is replaced: it is still there."
  (let ((name (sb-kernel::redefinition-warning-name warning)))
    (sb-introspect:find-definition-source
     (cond ((typep warning 'sb-kernel:redefinition-with-defmethod)
            (slot-value warning 'sb-kernel::old-method))
           ((and (symbolp name) (macro-function name)))
           (t (fdefinition name))))))

(defun redefines-evaluated-p (warning)
  "Whether WARNING tells that a definition of this session is replaced: whoever evaluates it anew means that."
  (and (typep warning 'sb-kernel:redefinition-warning)
       (let ((source (redefined-source warning)))
         (and (null (sb-introspect:definition-source-pathname source))
              (evaluation-in source)))))

(define-implementation uninteresting-p (warning)
  "Whether nobody wants to see WARNING. SBCL means some for nobody: a macro that was compiled is loaded, and so defined
again."
  (ignore-errors (or (typep warning sb-ext:*muffled-warnings*)
                     (redefines-evaluated-p warning))))

(defun compile-with-notes (compile &rest arguments)
  "EVAL muffles the compiler's notes just outside of this call; in here they are heard first."
  (let ((evaluation *evaluation*))
    (if evaluation
        (handler-bind ((sb-ext:compiler-note (lambda (note) (record-warning evaluation note))))
          (apply compile arguments))
        (apply compile arguments))))

(sb-int:encapsulate 'sb-c:compile-in-lexenv 'lisp-harbor 'compile-with-notes)
