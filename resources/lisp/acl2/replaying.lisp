;;;; Rebuilds the stack of commands of an earlier process: each form is submitted and proved as it was
;;;; then. Forms that are not admitted any more are reported, and the others continue.

(in-package "LISP-HARBOR-ACL2")

(defun replay-entry-p (entry)
  "Whether ENTRY is a list of an evaluation's id, its command's form, folder and file. Empty strings stand for no folder and
no file, because NIL may be read as another symbol in the current package."
  (and (listp entry)
       (eql (ignore-errors (length entry)) 4)
       (integerp (first entry))
       (every #'stringp (rest entry))))

(defun replay-entries-p (entries)
  (and (listp entries) (every #'replay-entry-p entries)))

(deftype replay-entries () '(satisfies replay-entries-p))

(defun entry-source (entry)
  "ENTRY with NIL for empty names."
  (destructuring-bind (id text &rest names) entry
    (list* id text (mapcar (lambda (name) (if (equal name "") nil name)) names))))

(defun replay-entry (entry)
  "Whether it was admitted."
  (destructuring-bind (id text folder file) (entry-source entry)
    (submit-source text folder file id)))

(define-harbor-form acl2::harbor-replay ((entries replay-entries))
  "Submits the forms of ENTRIES. Never fails: forms that were not admitted are reported. The result may differ from the
stack of the earlier process that the harbor has, so the next request reports it completely."
  (setq *telling-changes* nil)
  (let ((lost '()))
    (dolist (entry entries)
      (unless (and (not *stop*) (replay-entry entry))
        (push (lost-object (first entry) (second entry)) lost)))
    (submitted entries (nreverse lost))))
