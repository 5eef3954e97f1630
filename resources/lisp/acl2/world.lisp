;;;; Queries to ACL2's logical world and its state globals, which change nothing. Looking up a property
;;;; in an old world is a linear search of 12 ms, so no record of a form does that.

(in-package "LISP-HARBOR-ACL2")

(defconstant +inner-events-told+ 60 "Maximum events inside an ENCAPSULATE and similar events.")

(defun state () acl2::*the-live-state*)
(defun world () (acl2::w (state)))
(defun world-global (name) (acl2::global-val name (world)))
(defun state-global (name) (acl2::f-get-global name (state)))
(defun set-state-global (name value) (acl2::f-put-global name value (state)))

(defun command-number ()
  "The number of the last command, as in :PBT and :UBT: 0 in a fresh world."
  (acl2::absolute-to-relative-command-number (acl2::max-absolute-command-number (world)) (world)))

(defun package-names (alist)
  "Names of the packages of ALIST, a KNOWN-PACKAGE-ALIST, without hidden ones."
  (let ((names '()))
    (dolist (entry alist names)
      (unless (acl2::package-entry-hidden-p entry)
        (push (acl2::package-entry-name entry) names)))))

(defun known-packages () (package-names (acl2::known-package-alist (state))))

(defun landmark-p (triple kind)
  (and (eq (car triple) kind) (eq (cadr triple) 'acl2::global-value)))

(defun event-depth (event) (acl2::access-event-tuple-depth event))
(defun inner-event-p (event) (plusp (event-depth event)))
(defun include-book-p (event) (eq (acl2::access-event-tuple-type event) 'acl2::include-book))
(defun axiom-p (event) (eq (acl2::access-event-tuple-type event) 'acl2::defaxiom))
(defun skipped-p (event) (and (acl2::access-event-tuple-skipped-proofs-p event) t))

(defun newest-event (world)
  "The tuple of the last event; NIL for none. GCL's FIND-IF would first count the whole world."
  (dolist (triple world)
    (when (landmark-p triple 'acl2::event-landmark)
      (return (cddr triple)))))

(defun newest-event-number (world)
  "Earlier events have smaller numbers."
  (let ((event (newest-event world)))
    (if event (acl2::access-event-tuple-number event) -1)))

(defun events-between (old new)
  "Three values. The event tuples in the world NEW and not in OLD, oldest first, without those inside of books; their total
number; and whether OLD is a tail of NEW. If it is not, the others are empty: events no newer than OLD's show this without a
walk through ACL2's own world."
  (let ((events '()) (count 0) (book nil) (rest new) ; BOOK is the depth of the one whose events are skipped
        (newest (if (eq old new) -1 (newest-event-number old))))
    (do () ((or (eq rest old) (atom rest)))
      (when (landmark-p (car rest) 'acl2::event-landmark)
        (let ((event (cddar rest)))
          (when (<= (acl2::access-event-tuple-number event) newest)
            (return))
          (incf count)
          (unless (and book (> (event-depth event) book))
            (setq book (and (include-book-p event) (event-depth event)))
            (push event events))))
      (setq rest (cdr rest)))
    (if (eq rest old)
        (values events count t)
        (values '() 0 nil))))

(defun book-between (old new)
  "As EVENTS-BETWEEN, if NEW is OLD with one more book, which is the only reported event. Events are numbered consecutively,
so nested events need not be visited."
  (if (tailp old new)
      (let ((count (- (newest-event-number new) (newest-event-number old))))
        (values (and (plusp count) (list (newest-event new))) count t))
      (values '() 0 nil)))

(defun events-of (form old new)
  "The values of EVENTS-BETWEEN if FORM made the world NEW from OLD. For an INCLUDE-BOOK this is only the book: ACL2 puts the
commands of its portcullis beside it."
  (if (and (consp form) (eq (car form) 'acl2::include-book))
      (book-between old new)
      (events-between old new)))

(defun events-to-tell (events)
  "Top-level events, and the last of the nested ones."
  (remove-if #'inner-event-p events
             :count (max 0 (- (count-if #'inner-event-p events) +inner-events-told+))))

(defun event-names (event)
  "The names that EVENT introduces: symbols, and strings for books and packages."
  (let ((names (acl2::access-event-tuple-namex event)))
    (cond ((eql names 0) '())
          ((consp names) names)
          (t (list names)))))

(defun event-object (event)
  (object "kind" (one-line (acl2::access-event-tuple-type event))
          "names" (lines-of (event-names event))
          "depth" (event-depth event)
          "skipped" (truth (skipped-p event))))

(defun program-mode-functions (events)
  "The functions of EVENTS that are not in the logic."
  (let ((functions '()))
    (dolist (event events (nreverse functions))
      (dolist (name (event-names event))
        (when (and (symbolp name)
                   (eq (acl2::getpropc name 'acl2::symbol-class nil (world)) :program))
          (push name functions))))))
