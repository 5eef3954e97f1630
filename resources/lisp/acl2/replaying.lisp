;;;; Builds the stack of commands of an earlier process again: each form is submitted, and proved, as it was then.
;;;; What is not admitted any more is told, and the others go on.

(in-package "LISP-HARBOR-ACL2")

(defun replay-entry-p (entry)
  "Whether ENTRY is a list of the evaluation that it was a command of, its form, its folder and its file. Empty strings stand
for no folder and no file, because NIL may be read as some other symbol in the package of the moment."
  (and (listp entry)
       (eql (ignore-errors (length entry)) 4)
       (integerp (first entry))
       (every #'stringp (rest entry))))

(defun replay-entries-p (entries)
  (and (listp entries) (every #'replay-entry-p entries)))

(deftype replay-entries () '(satisfies replay-entries-p))

(defun entry-source (entry)
  "ENTRY with NIL where a name is empty."
  (destructuring-bind (id text &rest names) entry
    (list* id text (mapcar (lambda (name) (if (equal name "") nil name)) names))))

(defun replay-entry (entry)
  "Whether it was admitted."
  (destructuring-bind (id text folder file) (entry-source entry)
    (submit-source text folder file id)))

(define-harbor-form acl2::harbor-replay ((entries replay-entries))
  "Submits the forms of ENTRIES. It never fails: which of them were not admitted is told. This may not be the stack that the
harbor knows of the earlier process, so the next request tells all of it."
  (setq *telling-changes* nil)
  (let ((lost '()))
    (dolist (entry entries)
      (unless (and (not *stop*) (replay-entry entry))
        (push (lost-object (first entry) (second entry)) lost)))
    (submitted entries (nreverse lost))))
