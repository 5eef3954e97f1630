;;;; Compiled files of books, and the expansion files that stand for them, are raw Lisp: INCLUDE-BOOK runs them without a
;;;; trust tag. Only those of the system's books are loaded, where nobody who works in the session can put one.

(in-package "LISP-HARBOR-ACL2")

(defvar *books* nil "The folder of the system's books, with a slash at its end; NIL where there is none.")
(defvar *writable* '() "The folders, each with a slash at its end, that the session may write to.")
(defvar *compiling* nil "Whether COMP loads what it has compiled here and now, in a folder of the process's own.")

;;; Paths are compared as they are written: the harbor has resolved its own, and what leads through a link or a dot is foreign.

(defun within-p (folder file)
  (eql (mismatch folder file) (length folder)))

(defun system-file-p (file)
  "Whether FILE, which need not be there, belongs to the system's books. The harbor decides by the same rule (books.ts)."
  (and *books*
       (within-p *books* file)
       (notany (lambda (folder) (within-p folder file)) *writable*)
       (not (search "/." file))
       (not (search "//" file))))

(defun raw-lisp-allowed-p ()
  "Single tags of the system's books allow nothing here."
  (eq (state-global 'acl2::ttags-allowed) :all))

(defun file-name (file)
  (cond ((pathnamep file) (namestring file))
        (t (full-book-name file))))

(defun loadable-p (file)
  (or (raw-lisp-allowed-p)
      (system-file-p (file-name file))))

(defvar *folders-of-books* (make-hash-table :test 'equal)
  "From a folder and what is written before a book's name to the folder of both: ACL2 looks each up on the disk, which takes
a tenth of the time of including many books. Only those of the system's are kept to which no link leads. Whoever may change a
link would else make one book of another.")

(defun folder-of-book (folder written)
  (let ((key (cons folder written)))
    (or (gethash key *folders-of-books*)
        (let ((found (acl2::extend-pathname folder written (state))))
          (when (and (system-file-p found)
                     (equal found (acl2::cancel-dot-dots (concatenate 'string folder written))))
            (setf (gethash key *folders-of-books*) found))
          found))))

(defun named-book (name folder)
  "The full name of the book that ACL2's commands call NAME, relative to the absolute name of FOLDER, as its PARSE-BOOK-NAME
makes it; NIL where it can be none."
  (and (stringp name)
       (stringp folder)
       (not (search "//" name))
       (let ((start (1+ (or (position #\/ name :from-end t) -1))))
         (or-else nil
           (concatenate 'string (folder-of-book folder (subseq name 0 start)) (subseq name start) ".lisp")))))

(defun folder-called (dir)
  "The folder that the argument :DIR names, or else the one where names are relative to."
  (if dir
      (or-else nil (acl2::include-book-dir dir (state)))
      (state-global 'acl2::connected-book-directory)))

(defun loadable-book-p (name dir)
  (or (raw-lisp-allowed-p)
      (let ((book (named-book name (folder-called dir))))
        (and book (system-file-p book)))))

(defun with-argument (place value arguments)
  "ARGUMENTS with VALUE in the place that counts from 0."
  (append (subseq arguments 0 place) (list value) (nthcdr (1+ place) arguments)))

(defun say-not-compiled (operator name)
  (format *commentary* "~&ACL2 Warning [Compiled file] in ~a:  No compiled file of ~a is loaded or made,~%~
                        because it is none of the system's books: whoever can write beside it could change the prover.~%~%"
          operator name))

;;; INCLUDE-BOOK does without from the beginning; the wrappers of what loads are the lock for whatever else gets there.

(defun include-without-compiled (function arguments)
  "Of INCLUDE-BOOK-FN the third argument says whether a compiled file is loaded, and the ninth is :DIR."
  (cond ((loadable-book-p (first arguments) (nth 8 arguments))
         (apply function arguments))
        (t (when (member (third arguments) '(t :comp))
             (say-not-compiled 'include-book (first arguments)))
           (apply function (with-argument 2 nil arguments)))))

(defun certify-without-compiling (function arguments)
  "Of CERTIFY-BOOK-FN the third argument says whether the book is compiled."
  (cond ((loadable-book-p (first arguments) nil)
         (apply function arguments))
        (t (when (eq (third arguments) t)
             (say-not-compiled 'acl2::certify-book (first arguments)))
           (apply function (with-argument 2 nil arguments)))))

(defun load-raw-book (function arguments)
  "Of INCLUDE-BOOK-RAW the first is a full name where the second is its folder, and otherwise as INCLUDE-BOOK takes it; the
fourth is :DIR."
  (destructuring-bind (name folder load-compiled dir &rest ignored) arguments
    (declare (ignore load-compiled ignored))
    (and (if folder (loadable-p name) (loadable-book-p name dir))
         (apply function arguments))))

(defun load-compiled-book (function arguments)
  (if (loadable-p (first arguments))
      (apply function arguments)
      'acl2::incomplete))

(defun load-compiled (function arguments)
  (if (or *compiling* (loadable-p (first arguments)))
      (apply function arguments)
      (error "The compiled file ~a is not loaded: it is none of the system's books." (first arguments))))

(defun refuse-to-compile (function arguments)
  "Of ACL2-COMPILE-FILE, which also loads what it has made."
  (if (loadable-p (first arguments))
      (apply function arguments)
      (error "The book ~a is not compiled: it is none of the system's." (first arguments))))

(defun scratch-folder ()
  "The process's own, which nobody else may write to."
  (concatenate 'string
               (string-right-trim "/" #+gcl (si::getenv "TMPDIR") #+sbcl (sb-ext:posix-getenv "TMPDIR"))
               "/"))

(defun compile-in-private (function arguments)
  "Of COMP-FN, which writes files, compiles and loads them. A session may have named another folder for them."
  (let ((folder (state-global 'acl2::tmp-dir))
        (*compiling* t))
    (set-state-global 'acl2::tmp-dir (scratch-folder))
    (unwind-protect (apply function arguments)
      (set-state-global 'acl2::tmp-dir folder))))

(defun install-compiled-files (books writable)
  (setq *books* books
        *writable* writable)
  (wrap 'acl2::include-book-fn #'include-without-compiled)
  (wrap 'acl2::certify-book-fn #'certify-without-compiling)
  (wrap 'acl2::include-book-raw #'load-raw-book)
  (wrap 'acl2::load-compiled-book #'load-compiled-book)
  (wrap 'acl2::load-compiled #'load-compiled)
  (wrap 'acl2::acl2-compile-file #'refuse-to-compile)
  (wrap 'acl2::comp-fn #'compile-in-private))
