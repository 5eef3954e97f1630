;;;; Tries claims that were proved or assumed on small values. One that is false for some shows that the
;;;; world contains something false, such as an axiom; one whose hypotheses none satisfies may say nothing.

(in-package "LISP-HARBOR-ACL2")

(defconstant +steps-of-a-claim+ 4000)
(defconstant +steps-of-claims+ 80000 "Maximum steps for all claims of a request.")
(defconstant +claims-told+ 50)

(defvar *claim-steps-left* 0)
(defvar *refuted* '() "Names of theorems, with their formulas, that are false for some values. Another event with an equal
formula, which may be assumed, has another object.")

(defstruct claim
  "NAME is NIL for THM. ASSUMED: an axiom, or its proof was skipped."
  name term assumed)

(defun claims-of (form events skipping)
  "The claims that FORM has added. EVENTS are those that it added; SKIPPING is the value of LD-SKIP-PROOFSP at its start.
Claims of a book are tried when it is certified. None are tried after an interrupt, or where raw Lisp may have changed what
a trial calls."
  (let ((skipped (or skipping (some #'skipped-p events))))
    (cond ((or *stop* (raw-lisp-allowed-p)) '())
          ((and (consp form) (eq (car form) 'acl2::thm))
           (let ((term (unless-it-fails (as-a-form (translated (second form)))))) ; macros run again
             (and term (list (make-claim :term term :assumed skipped)))))
          (t (mapcan (lambda (event)
                       (and (member (acl2::access-event-tuple-type event) '(acl2::defthm acl2::defaxiom))
                            (claims-named (event-names event) (or skipped (axiom-p event)))))
                     events)))))

(defun claims-named (names assumed)
  (mapcan (lambda (name)
            (let ((term (property name 'acl2::theorem)))
              (and term (list (make-claim :name name :term term :assumed assumed)))))
          names))

(defun claim-object (claim verdict &optional bindings)
  (object "name" (and (claim-name claim) (one-line (claim-name claim)))
          "verdict" verdict
          "assumed" (truth (claim-assumed claim))
          "values" (array-of (mapcar #'tried-value-object bindings))))

(defun note-refuted (claim)
  (unless (or (null (claim-name claim)) (claim-assumed claim))
    (push (cons (claim-name claim) (claim-term claim)) *refuted*)))

(defun trial-of-claim (claim)
  "A JSON object about CLAIM if it is false for some values, or no value satisfies its hypotheses; else NIL."
  (let* ((*valueless* nil)
         (*satisfied* nil)
         (steps (min +steps-of-a-claim+ *claim-steps-left*))
         (refuted (refutations (claim-term claim) :steps steps)))
    (decf *claim-steps-left* steps)
    (cond (refuted (note-refuted claim)
                   (claim-object claim "false" (first refuted)))
          ((and (hypotheses-and-conclusion (claim-term claim)) (not *satisfied*) (not *valueless*))
           (claim-object claim "vacuous")))))

(defun tried-claims (claims)
  "JSON objects about those of CLAIMS that something speaks against."
  (let ((found '()))
    (dolist (claim claims (first-of +claims-told+ (nreverse found)))
      (unless (plusp *claim-steps-left*) (return (first-of +claims-told+ (nreverse found))))
      (let ((object (unless-it-fails (trial-of-claim claim))))
        (when object (push object found))))))

(defun refuted-theorems ()
  "Names of the refuted theorems that the world has."
  (mapcar #'car (remove-if-not (lambda (pair) (eq (property (car pair) 'acl2::theorem) (cdr pair))) *refuted*)))

(defun theorems-in-book (file)
  "Theorems of the project's book FILE itself."
  (own-names 'acl2::theorem #'theorem-p
             (lambda (books) (and books (string= (full-book-name (first books)) file)))))

(defun proofs-skipped-p ()
  (or (world-global 'acl2::skip-proofs-seen) (annotated-books :skipped-proofsp)))

(define-query :claims (request text)
  ;; Those of the book TEXT, or of the theorem TEXT, or of all theorems of the project.
  (setq *claim-steps-left* (* 4 +steps-of-claims+))
  (let ((names (if (getf request :book) (theorems-in-book text) (asked-theorems request text)))
        (axioms (added-axioms)))
    (array-of (tried-claims (append (claims-named (set-difference names axioms) (proofs-skipped-p))
                                    (claims-named (intersection names axioms) t))))))
