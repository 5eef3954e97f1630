;;;; File names that the host Lisp does not take literally: GCL runs a name that starts with | as a program, SBCL and CCL
;;;; read patterns and logical hosts, and C ends a name at a null byte. They are refused before they reach the host.

(in-package "LISP-HARBOR-ACL2")

(defun host-character-p (character)
  (or (find character #+gcl "|" #-gcl "|*?[\\")
      (< (char-code character) 32)
      (eql (char-code character) 127)))

(defun logical-host-p (name)
  "Whether NAME starts with the name of a logical host, which GCL does not have."
  #+gcl (progn name nil)
  #-gcl (let ((colon (position #\: name))) (and colon (not (find #\/ name :end colon)))))

(defun host-syntax-p (name)
  (and (stringp name)
       (or (some #'host-character-p name) (logical-host-p name))))

(defvar *files-named* (make-hash-table :test 'equal)
  "Full names of all files whose contents, length or date ACL2's functions may have used, whether they exist or not.")

(defun note-named-file (name)
  "A relative name counts in the folder of the process and in the connected book directory."
  (if (eql (mismatch "/" name) 1)
      (setf (gethash name *files-named*) t)
      (dolist (folder (list (namestring #+gcl (truename "") #+sbcl *default-pathname-defaults*)
                            (state-global 'acl2::connected-book-directory)))
        (when (stringp folder)
          (setf (gethash (concatenate 'string folder name) *files-named*) t)))))

(defun keys-of (table)
  (array-of (loop for key being the hash-keys of table collect key)))

(define-query :files (request text)
  (object "files" (keys-of *files-named*)
          "books" (keys-of *books-named*)))

(defun refuse-host-syntax (function arguments)
  "For functions that pass a name, their first argument, to the host. Most call PATHNAME-UNIX-TO-OS."
  (let ((name (first arguments)))
    (when (stringp name) (note-named-file name))
    (if (host-syntax-p name)
        (acl2::illegal 'acl2::file-name "The file name ~x0 is not used, because the host Lisp would not take it literally."
                       (list (cons #\0 name))) ; an error of ACL2's, not of raw Lisp
        (apply function arguments))))

#+gcl
(defun refuse-to-run-program (function arguments)
  "For OPEN-INT, which all functions of GCL that open a file call."
  (if (host-syntax-p (first arguments))
      (error "The file name ~s is not used, because GCL would not take it literally." (first arguments))
      (apply function arguments)))

(defun install-file-names ()
  (wrap 'acl2::pathname-unix-to-os #'refuse-host-syntax)
  (wrap 'acl2::file-length$ #'refuse-host-syntax)
  #+gcl (wrap 'si::open-int #'refuse-to-run-program))
