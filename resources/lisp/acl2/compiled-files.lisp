;;;; Compiled files of books, and the expansion files that can replace them, are raw Lisp that
;;;; INCLUDE-BOOK runs without a trust tag. Only those of system books are loaded, where no session can
;;;; write.

(in-package "LISP-HARBOR-ACL2")

(defvar *books* nil "The folder of system books, ending in a slash; NIL if there is none.")
(defvar *writable* '() "Folders that the session can write to, each ending in a slash.")
(defvar *compiling* nil "Whether COMP loads a file that it has just compiled in the process's own folder.")

;;; Paths are compared as written: the harbor has resolved its own, and a path with a link or a dot
;;; counts as foreign.

(defun within-p (folder file)
  (eql (mismatch folder file) (length folder)))

(defun system-file-p (file)
  "Whether FILE, which may not exist, belongs to the system books. The harbor uses the same rule (system-books.ts)."
  (and *books*
       (within-p *books* file)
       (notany (lambda (folder) (within-p folder file)) *writable*)
       (not (search "/." file))
       (not (search "//" file))))

(defun raw-lisp-allowed-p ()
  "Permitted tags of system books allow nothing here."
  (eq (state-global 'acl2::ttags-allowed) :all))

(defun file-name (file)
  (cond ((pathnamep file) (namestring file))
        (t (full-book-name file))))

(defvar *nothing-compiled* nil "True in a final check, which loads no compiled file and trusts no certificate's data.")

(defun loadable-p (file)
  (and (not *nothing-compiled*)
       (or (raw-lisp-allowed-p)
           (system-file-p (file-name file)))))

(defvar *folders-of-books* (make-hash-table :test 'equal)
  "Full folder names, by folder and prefix of a book name. ACL2 looks up each on the disk, which takes a tenth of the time of
including many books. Only folders of system books without links are cached: otherwise changing a link could turn one book
into another.")

(defun folder-of-book (folder written)
  (let ((key (cons folder written)))
    (or (gethash key *folders-of-books*)
        (let ((found (acl2::extend-pathname folder written (state))))
          (when (and (system-file-p found)
                     (equal found (acl2::cancel-dot-dots (concatenate 'string folder written))))
            (setf (gethash key *folders-of-books*) found))
          found))))

(defun named-book (name folder)
  "The full name of the book that ACL2's commands call NAME, relative to the absolute folder FOLDER, as PARSE-BOOK-NAME
returns it; NIL for an invalid name."
  (and (stringp name)
       (stringp folder)
       (not (search "//" name))
       (let ((start (1+ (or (position #\/ name :from-end t) -1))))
         (or-else nil
           (concatenate 'string (folder-of-book folder (subseq name 0 start)) (subseq name start) ".lisp")))))

(defun folder-called (dir)
  "The folder of the argument :DIR, or else the folder for relative names."
  (if dir
      (or-else nil (acl2::include-book-dir dir (state)))
      (state-global 'acl2::connected-book-directory)))

(defun loadable-book-p (name dir)
  (and (not *nothing-compiled*)
       (or (raw-lisp-allowed-p)
           (let ((book (named-book name (folder-called dir))))
             (and book (system-file-p book))))))

(defun with-argument (place value arguments)
  "ARGUMENTS with VALUE at PLACE, counted from 0."
  (append (subseq arguments 0 place) (list value) (nthcdr (1+ place) arguments)))

(defun say-not-compiled (operator name)
  (format *commentary* "~&ACL2 Warning [Compiled file] in ~a:  No compiled file of ~a is loaded or created,~%~
                        because it is not a system book: anyone who can write to its folder could change the prover.~%~%"
          operator name))

;;; INCLUDE-BOOK is called without compiled files; wrappers of the loading functions protect against
;;; all other paths to them.

(defvar *books-named* (make-hash-table :test 'equal) "Full names of all books that INCLUDE-BOOK has been given.")

(defun note-named-book (name dir)
  (let ((book (named-book name (folder-called dir))))
    (when book (setf (gethash book *books-named*) t))))

(defun include-without-compiled (function arguments)
  "The third argument of INCLUDE-BOOK-FN says whether a compiled file is loaded; the ninth is :DIR."
  (note-named-book (first arguments) (nth 8 arguments))
  (cond ((loadable-book-p (first arguments) (nth 8 arguments))
         (apply function arguments))
        (t (when (member (third arguments) '(t :comp))
             (say-not-compiled 'include-book (first arguments)))
           (apply function (with-argument 2 nil arguments)))))

(defun certify-without-compiling (function arguments)
  "The third argument of CERTIFY-BOOK-FN says whether the book is compiled."
  (cond ((loadable-book-p (first arguments) nil)
         (apply function arguments))
        (t (when (eq (third arguments) t)
             (say-not-compiled 'acl2::certify-book (first arguments)))
           (apply function (with-argument 2 nil arguments)))))

(defun load-raw-book (function arguments)
  "The first argument of INCLUDE-BOOK-RAW is a full name if the second is its folder, and otherwise as for INCLUDE-BOOK; the
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
      (error "The compiled file ~a is not loaded because it does not belong to a system book." (first arguments))))

(defun refuse-to-compile (function arguments)
  "Wraps ACL2-COMPILE-FILE, which also loads its result."
  (if (loadable-p (first arguments))
      (apply function arguments)
      (error "The book ~a is not compiled because it is not a system book." (first arguments))))

(defun scratch-folder ()
  "The process's own folder, which no other process can write to."
  (concatenate 'string
               (string-right-trim "/" #+gcl (si::getenv "TMPDIR") #+sbcl (sb-ext:posix-getenv "TMPDIR"))
               "/"))

(defun compile-in-private (function arguments)
  "Wraps COMP-FN, which writes, compiles and loads files. A session may have set another folder for them."
  (let ((folder (state-global 'acl2::tmp-dir))
        (*compiling* t))
    (set-state-global 'acl2::tmp-dir (scratch-folder))
    (unwind-protect (apply function arguments)
      (set-state-global 'acl2::tmp-dir folder))))

#+gcl
(defun interpret-instead (name &optional definition)
  "For COMPILE."
  (let ((function (and definition (coerce definition 'function))))
    (cond ((null function) name)
          (name (setf (symbol-function name) function) name)
          (t function))))

(defun stay-alone ()
  "For an image that cannot start programs. GCL compiles with one, the C compiler; code remains interpreted."
  #+gcl (handler-bind ((warning #'muffle-warning)) ; that COMPILE is redefined
          (setf (symbol-function 'compile) #'interpret-instead))
  #+gcl (wrap 'acl2::comp-fn
              (lambda (function arguments)
                (declare (ignore function))
                (format *commentary* "~&ACL2 Warning [Compiled file] in COMP:  Nothing is compiled, because GCL would ~
                                      start~%the C compiler. A session starts programs only if a user has allowed trust ~
                                      tags for it.~%~%")
                (values nil (first arguments) (state)))))

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
