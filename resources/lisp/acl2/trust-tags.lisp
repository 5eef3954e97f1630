;;;; ACL2's lock on trust tags, which are the only way from ACL2 code to raw Lisp. ACL2 code cannot
;;;; open it: TTAGS-ALLOWED is an untouchable variable. Its value is NIL, :ALL, or lists of a tag and
;;;; the full names of the books that may use it.

(in-package "LISP-HARBOR-ACL2")

(defun trust-tags-allowed () (state-global 'acl2::ttags-allowed))

(defun lock-trust-tags ()
  (set-state-global 'acl2::ttags-allowed nil))

(defun named-tag (entry)
  "Converts ENTRY, a list of a tag name and books, to ACL2's representation."
  (cons (intern (first entry) "KEYWORD") (rest entry)))

(defun allow-trust-tags (entries)
  (when entries (look-at-calls))
  (set-state-global 'acl2::ttags-allowed entries))

(defvar *trust-tags-fixed* nil "The tags of a process of a final check never change.")

(defun fix-trust-tags (entries)
  "Allows these tags, and no others from now on. An entry without books is for any book."
  (allow-trust-tags (mapcar (lambda (entry) (if (rest entry) (named-tag entry) (intern (first entry) "KEYWORD"))) entries))
  (setq *trust-tags-fixed* t))

(defun unlock-trust-tags (tags)
  "Sets what the user has allowed: :TRUE is for all tags and so for raw Lisp; otherwise a list of names, each with its
books. A fully open lock stays open: nothing that this process reports can be trusted any more."
  (cond (*trust-tags-fixed*)
        ((eq tags :true) (set-state-global 'acl2::ttags-allowed :all))
        ((eq (trust-tags-allowed) :all))
        (t (allow-trust-tags (mapcar #'named-tag tags)))))

(defun tag-of (ttag)
  "The keyword for an element of an argument :TTAGS."
  (let ((symbol (if (consp ttag) (car ttag) ttag)))
    (and (symbolp symbol) (intern (symbol-name symbol) "KEYWORD"))))

(defun permitted (ttags)
  "The permitted part of an argument :TTAGS."
  (let ((allowed (trust-tags-allowed)))
    (cond ((eq allowed :all) ttags)
          ((consp ttags)
           (let ((named (mapcar #'tag-of ttags)))
             (remove-if-not (lambda (entry) (member (tag-of entry) named)) allowed)))
          ((member ttags '(nil :default)) ttags)
          (t allowed))))

;;; While CERTIFY-BOOK runs, it replaces the lock by its own argument :TTAGS, or :TTAGSX. Therefore
;;; the function behind that macro gets only the permitted part of them.

(defconstant +ttags-argument+ 5 "The position of :TTAGS in the arguments of CERTIFY-BOOK-FN; :TTAGSX follows it.")

(defun with-permitted-ttags (arguments)
  (let ((permitted (copy-list arguments)))
    (dolist (place (list +ttags-argument+ (1+ +ttags-argument+)) permitted)
      (setf (nth place permitted) (permitted (nth place permitted))))))

(defun keep-lock-while-certifying ()
  (wrap 'acl2::certify-book-fn
        (lambda (certify arguments) (apply certify (with-permitted-ttags arguments)))))
