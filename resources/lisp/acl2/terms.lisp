;;;; Evaluates translated terms by ACL2's definitions alone. This small evaluator runs no code of the
;;;; session and counts its steps, so that it always terminates soon. Terms without a definition have
;;;; no value here.

(in-package "LISP-HARBOR-ACL2")

(defconstant +most-depth+ 120 "Maximum nesting of calls. GCL interprets this file, and its stack is small.")
(defconstant +most-bits+ 4096 "Maximum size of a number. Larger ones could be multiplied without end.")

(defvar *steps-left* 0 "Remaining steps of the current evaluation.")
(defvar *depth* 0)

(defun give-up-value ()
  "Aborts the evaluation without a result."
  (throw 'no-value :no-value))

(defun spend-step ()
  (when (minusp (decf *steps-left*)) (give-up-value)))

(defun same-object-p (one other)
  "EQUAL; each pair is a step, because a value may share parts and be huge."
  (spend-step)
  (or (eql one other)
      (if (and (consp one) (consp other))
          (and (same-object-p (car one) (car other))
               (same-object-p (cdr one) (cdr other)))
          (and (stringp one) (stringp other) (string= one other)))))

(defun bounded-number (number)
  (if (< (max (integer-length (numerator (realpart number)))
              (integer-length (denominator (realpart number)))
              (integer-length (numerator (imagpart number)))
              (integer-length (denominator (imagpart number))))
         +most-bits+)
      number
      (give-up-value)))

;;; ACL2's completion axioms: the values of primitives outside of their guards.

(defun as-number (value) (if (numberp value) value 0))
(defun as-rational (value) (if (rationalp value) value 0))

(defun before-p (one other)
  (let ((one (as-number one)) (other (as-number other)))
    (or (< (realpart one) (realpart other))
        (and (= (realpart one) (realpart other))
             (< (imagpart one) (imagpart other))))))

(defun as-characters (value)
  "A string of the characters of a list."
  (if (consp value)
      (concatenate 'string
                   (string (if (characterp (car value)) (car value) (code-char 0)))
                   (progn (spend-step) (as-characters (cdr value))))
      ""))

(defun coerced (value to)
  (cond ((eq to 'list) (and (stringp value) (coerce value 'list)))
        (t (as-characters value))))

(defun interned (name symbol)
  (and (stringp name) (symbolp symbol)
       (acl2::intern-in-package-of-symbol name symbol)))

(defun primitive-value (function x y)
  "The value of a call of one of ACL2's primitives; :NO-PRIMITIVE for other functions."
  (case function
    (acl2::acl2-numberp (numberp x))
    (acl2::complex-rationalp (and (complexp x) t))
    (acl2::binary-+ (bounded-number (+ (as-number x) (as-number y))))
    (acl2::binary-* (bounded-number (* (as-number x) (as-number y))))
    (acl2::unary-- (- (as-number x)))
    (acl2::unary-/ (if (eql (as-number x) 0) 0 (/ (as-number x))))
    (acl2::intern-in-package-of-symbol (interned x y))
    (acl2::symbol-package-name (if (symbolp x) (acl2::symbol-package-name x) ""))
    (< (before-p x y))
    (car (and (consp x) (car x)))
    (cdr (and (consp x) (cdr x)))
    (cons (cons x y))
    (consp (consp x))
    (equal (same-object-p x y))
    (integerp (integerp x))
    (rationalp (rationalp x))
    (stringp (stringp x))
    (symbolp (symbolp x))
    (characterp (characterp x))
    (char-code (if (characterp x) (char-code x) 0))
    (code-char (code-char (if (and (integerp x) (< -1 x 256)) x 0)))
    (coerce (coerced x y))
    (complex (complex (as-rational x) (as-rational y)))
    (realpart (realpart (as-number x)))
    (imagpart (imagpart (as-number x)))
    (numerator (if (rationalp x) (numerator x) 0))
    (denominator (if (rationalp x) (denominator x) 1))
    (symbol-name (if (symbolp x) (symbol-name x) ""))
    (t :no-primitive)))

(defun defined-body (function)
  "The body of its definition; NIL for a constrained function."
  (and (not (acl2::getpropc function 'acl2::constrainedp nil (world)))
       (acl2::getpropc function 'acl2::unnormalized-body nil (world))))

(defun body-value (body formals arguments)
  (when (null body) (give-up-value))
  (let ((*depth* (1+ *depth*)))
    (when (< +most-depth+ *depth*) (give-up-value))
    (term-value body (pairlis formals arguments))))

(defun call-value (function arguments)
  (let ((value (primitive-value function (first arguments) (second arguments))))
    (if (eq value :no-primitive)
        (body-value (defined-body function)
                    (acl2::getpropc function 'acl2::formals '() (world))
                    arguments)
        value)))

(defun term-value (term bindings)
  "The value of the translated TERM with BINDINGS, an alist of its variables."
  (spend-step)
  (flet ((value (part) (term-value part bindings)))
    (cond ((symbolp term) (cdr (assoc term bindings)))
          ((consp (car term))           ; a lambda expression
           (body-value (third (car term)) (second (car term)) (mapcar #'value (cdr term))))
          (t (case (car term)
               (quote (second term))
               (if (if (value (second term)) (value (third term)) (value (fourth term))))
               (acl2::return-last (value (fourth term)))
               (t (call-value (car term) (mapcar #'value (cdr term)))))))))

(defun value-within (steps term bindings)
  "The value of TERM if it is found within STEPS, else :NO-VALUE; and the number of remaining steps."
  (let ((*steps-left* steps) (*depth* 0))
    (values (catch 'no-value
              (or-else :no-value (term-value term bindings)))
            (max 0 *steps-left*))))
