;;;; ACL2's lock of trust tags, the only way from ACL2's code to raw Lisp. ACL2 code cannot undo it: TTAGS-ALLOWED is an
;;;; untouchable variable. It is NIL, :ALL, or lists of a tag and the full names of the books that may use it.

(in-package "LISP-HARBOR-ACL2")

(defun trust-tags-allowed () (state-global 'acl2::ttags-allowed))

(defun lock-trust-tags ()
  (set-state-global 'acl2::ttags-allowed nil))

(defun named-tag (entry)
  "What ACL2 takes for ENTRY, a list of the name of a tag and of books."
  (cons (intern (first entry) "KEYWORD") (rest entry)))

(defun allow-trust-tags (entries)
  (when entries (look-at-calls))
  (set-state-global 'acl2::ttags-allowed entries))

(defvar *trust-tags-fixed* nil "A process of a final check has its own tags from the beginning to the end.")

(defun fix-trust-tags (names)
  "Those of NAMES, which are strings, in whatever book, and no others from now on."
  (allow-trust-tags (mapcar (lambda (name) (intern name "KEYWORD")) names))
  (setq *trust-tags-fixed* t))

(defun unlock-trust-tags (tags)
  "A person has allowed them: :TRUE is for all, and thus for raw Lisp; else a list of names, each with its books. What is open
for all stays open: nothing that this process says can be trusted any more."
  (cond (*trust-tags-fixed*)
        ((eq tags :true) (set-state-global 'acl2::ttags-allowed :all))
        ((eq (trust-tags-allowed) :all))
        (t (allow-trust-tags (mapcar #'named-tag tags)))))

(defun tag-of (ttag)
  "The keyword of what stands in an argument :TTAGS."
  (let ((symbol (if (consp ttag) (car ttag) ttag)))
    (and (symbolp symbol) (intern (symbol-name symbol) "KEYWORD"))))

(defun permitted (ttags)
  "Of an argument :TTAGS what is allowed here."
  (let ((allowed (trust-tags-allowed)))
    (cond ((eq allowed :all) ttags)
          ((consp ttags)
           (let ((named (mapcar #'tag-of ttags)))
             (remove-if-not (lambda (entry) (member (tag-of entry) named)) allowed)))
          ((member ttags '(nil :default)) ttags)
          (t allowed))))

;;; CERTIFY-BOOK puts its own argument :TTAGS, or :TTAGSX, in place of the lock while it works. So that neither is a key to
;;; it, the function behind that macro gets of them what is allowed; it does otherwise what it has ever done.

(defconstant +ttags-argument+ 5 "Its place among the arguments of CERTIFY-BOOK-FN; that of :TTAGSX is next to it.")

(defun with-permitted-ttags (arguments)
  (let ((permitted (copy-list arguments)))
    (dolist (place (list +ttags-argument+ (1+ +ttags-argument+)) permitted)
      (setf (nth place permitted) (permitted (nth place permitted))))))

(defun keep-lock-while-certifying ()
  (wrap 'acl2::certify-book-fn
        (lambda (certify arguments) (apply certify (with-permitted-ttags arguments)))))
