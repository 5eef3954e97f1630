;;;; Questions to ACL2's logical world and to its state's global variables, none of which changes anything. To look a
;;;; property up in an old world is a linear search of 12 ms, so no record of a form does that.

(in-package "LISP-HARBOR-ACL2")

(defconstant +inner-events-told+ 60 "Of the events inside an ENCAPSULATE and its like.")

(defun state () acl2::*the-live-state*)
(defun world () (acl2::w (state)))
(defun world-global (name) (acl2::global-val name (world)))
(defun state-global (name) (acl2::f-get-global name (state)))
(defun set-state-global (name value) (acl2::f-put-global name value (state)))

(defun command-number ()
  "The number of the last command, as :PBT and :UBT count: 0 in a fresh world."
  (acl2::absolute-to-relative-command-number (acl2::max-absolute-command-number (world)) (world)))

(defun package-names (alist)
  "Names of the packages of ALIST, which is a KNOWN-PACKAGE-ALIST; hidden ones are left out."
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
  "The tuple of the event that was last; NIL where there was none. FIND-IF of GCL would count all of the world first."
  (dolist (triple world)
    (when (landmark-p triple 'acl2::event-landmark)
      (return (cddr triple)))))

(defun newest-event-number (world)
  "The numbers of the events before it are smaller."
  (let ((event (newest-event world)))
    (if event (acl2::access-event-tuple-number event) -1)))

(defun events-between (old new)
  "Three values. The event tuples that are in the world NEW and not in OLD, oldest first, without those inside of books; how
many there are in all; and whether OLD is a tail of NEW. Where it is not, the others are empty: that is known, without a look
at all of ACL2's own world, where the events are no newer than OLD's."
  (let ((events '()) (count 0) (book nil) (rest new) ; BOOK is the depth of the one whose events are passed over
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
  "As EVENTS-BETWEEN, where NEW is OLD with one more book, which is the only event that is told. Events are numbered one by
one, so that those inside need not be walked through."
  (if (tailp old new)
      (let ((count (- (newest-event-number new) (newest-event-number old))))
        (values (and (plusp count) (list (newest-event new))) count t))
      (values '() 0 nil)))

(defun events-of (form old new)
  "What EVENTS-BETWEEN answers where FORM made the world NEW of OLD. Of an INCLUDE-BOOK that is the book alone: what its
portcullis asks for beforehand, ACL2 puts beside it."
  (if (and (consp form) (eq (car form) 'acl2::include-book))
      (book-between old new)
      (events-between old new)))

(defun events-to-tell (events)
  "Those at the top, and of the inner ones the last."
  (remove-if #'inner-event-p events
             :count (max 0 (- (count-if #'inner-event-p events) +inner-events-told+))))

(defun event-names (event)
  "The names that EVENT introduces: symbols, and for books and packages strings."
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
  "The functions of EVENTS that the logic knows nothing of."
  (let ((functions '()))
    (dolist (event events (nreverse functions))
      (dolist (name (event-names event))
        (when (and (symbolp name)
                   (eq (acl2::getpropc name 'acl2::symbol-class nil (world)) :program))
          (push name functions))))))
