;;;; Tries suggestions for a failed proof: their forms are submitted with limits, and the world is then
;;;; restored. The results are advice, never evidence, and no record reports these forms.

(in-package "LISP-HARBOR-ACL2")

(defconstant +attempt-seconds+ 3/2)
(defconstant +attempt-steps+ 200000)
(defconstant +all-attempts-seconds+ 4 "Processor time after which no further attempt is started.")

(defparameter *globals-of-a-proof*
  '(acl2::ld-history acl2::last-event-data acl2::gag-state acl2::gag-state-saved acl2::proof-tree acl2::harbor-attempt)
  "State globals that a proof sets.")

(defun settings-of-attempts ()
  (acons 'acl2::inhibit-output-lst acl2::*valid-output-names*
         (mapcar (lambda (name) (cons name (and (acl2::boundp-global name (state)) (state-global name))))
                 *globals-of-a-proof*)))

(defun attempt-form (forms)
  "Submits FORMS and counts those that succeed. Its error makes LD restore the world."
  (let ((count 0))
    `(acl2::with-prover-time-limit
      ,+attempt-seconds+
      (acl2::with-prover-step-limit
       ,+attempt-steps+
       (acl2::er-progn ,@(mapcan (lambda (form)
                                   (list form `(acl2::assign acl2::harbor-attempt ,(incf count))))
                                 forms)
                       (acl2::mv t nil acl2::state))))))

(defun attempt (forms)
  "How many of FORMS succeed, one after the other."
  (with-settings (settings-of-attempts)
    (set-state-global 'acl2::harbor-attempt 0)
    (evaluate-all-forms)
    ;; Names of goals are printed to the commentary although all output is inhibited.
    (with-channel-to ((commentary-channel) (make-broadcast-stream))
      (with-standard-output-to (make-broadcast-stream)
        (run-ld (attempt-form forms))))
    (let ((count (state-global 'acl2::harbor-attempt)))
      (if (integerp count) count 0))))

(defun may-attempt-p ()
  "Whether a success would be a proof."
  (and (not (state-global 'acl2::ld-skip-proofsp))
       (not (state-global 'acl2::ld-redefinition-action))
       (eq (acl2::default-defun-mode (world)) :logic)))

(define-query :attempts (request text)
  ;; TEXT is a list of lists of forms. The answer has a number for each that was tried, up to the first that succeeds.
  (let ((end (+ (get-internal-run-time) (* +all-attempts-seconds+ internal-time-units-per-second)))
        (counts '()))
    (when (may-attempt-p)
      (dolist (forms (read-in-acl2 text))
        (when (or *stop* (> (get-internal-run-time) end)) (return))
        (push (attempt forms) counts)
        (when (eql (first counts) (length forms)) (return))))
    (object "counts" (array-of (nreverse counts)))))
