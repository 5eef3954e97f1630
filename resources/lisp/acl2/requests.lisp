;;;; Reads requests from descriptor 0 and answers them; end of input ends the process. A request is a
;;;; line, (:ID 7 :OP :EVALUATE :NONCE "..." :BYTES 42 ...), and exactly that many bytes of text.

(in-package "LISP-HARBOR-ACL2")

(defun leave ()
  #+gcl (si::bye 0)
  #+sbcl (sb-ext:exit :code 0 :abort t))

(defun read-header ()
  (let ((line (read-line *requests* nil nil)))
    (when (null line) (leave))
    (let ((*read-eval* nil) (*package* (find-package "KEYWORD")))
      (read-from-string line))))

(defun read-body (bytes)
  (let ((body (make-string bytes)))
    (when (< (read-sequence body *requests*) bytes) (leave))
    body))

(defun known-package-p (name)
  (and (acl2::find-non-hidden-package-entry name (acl2::known-package-alist (state))) t))

(defun enter-package (name)
  (set-state-global 'acl2::current-package name))

(defun evaluate-in (package text print-values)
  "As RUN-TEXT; PACKAGE, if given, applies to this request only."
  (let ((own (acl2::current-package (state))))
    (cond ((null package) (run-text text print-values))
          ((not (known-package-p package)) "no-package")
          (t (enter-package package)
             (unwind-protect (run-text text print-values)
               (when (known-package-p own) (enter-package own)))))))

(defun answer (request body)
  "The status at the end of the answer to REQUEST."
  (ecase (getf request :op)
    (:evaluate (let ((*as-data* (getf request :as-data)))
                 (evaluate-in (getf request :package) body (values-printer (getf request :limit)))))
    (:query (answer-query (getf request :about) request body))))

(defun serve-request ()
  (let* ((request (read-header))
         (body (read-body (getf request :bytes)))
         (status "failed"))
    (renew-nonce (getf request :nonce))
    (forget-late-signals)
    (forget-full-memory)
    (when (eq (getf request :op) :evaluate) (unlock-trust-tags (getf request :trust-tags)))
    (setq *raw-condition* nil)
    (emit "begun")
    (catch 'form-unwound (setq status (answer request body)))
    (reclaim-memory)
    (mark-commentary)
    (emit "done"
          "id" (getf request :id)
          "status" status
          "raw_condition" *raw-condition*
          "memory_full" (truth *memory-was-full*)
          "package" (acl2::current-package (state))
          "prompt" (or-else "ACL2 !>" (prompt))
          "command" (command-number)
          "books" (and (eq (getf request :op) :evaluate) (books-to-tell))
          "issues" (array-of (trust-issues)))))

(defun go-to (folder)
  "Makes FOLDER the working directory of ACL2 (its connected book directory) and of the process."
  #+gcl (si::chdir folder)
  #+sbcl (progn (sb-posix:chdir folder)
                (setq *default-pathname-defaults* (pathname folder)))
  (acl2::set-cbd-fn folder (state))
  (setq *project* (state-global 'acl2::connected-book-directory)))

(defun serve (nonce &key folder package books writable checked trust-tags alone)
  "Answers requests until the input ends; does not return. The first record has NONCE. FOLDER is the project, ending in a
slash; PACKAGE is the initial package, ACL2 by default. BOOKS is the folder of system books and WRITABLE those that the
session may write to. CHECKED is true for a final check, which may use TRUST-TAGS. ALONE: no program can be started."
  (redirect-streams)
  #+gcl (setq si::*notify-gbc* nil)     ; its output is not read
  (renew-nonce nonce)
  (install-interrupts)
  (install-memory-limit)
  (install-progress)
  (install-redundancy)
  (install-unheeded-errors)
  (install-file-names)
  (install-plain-commands)
  (install-compiled-files books writable)
  (when alone (stay-alone))
  (install-certificates)
  (install-certifying)
  (install-provisional)
  (install-sharpsign)
  (install-objects)
  (install-proof-builder)
  (go-to folder)
  (lock-trust-tags)
  (keep-lock-while-certifying)
  (when checked
    (fix-trust-tags trust-tags)
    (check-all-code))
  (install-evaluators)                  ; last, because functions behind a checked entry cannot be wrapped any more
  (setq *told-world* (world))
  (when (and package (known-package-p package)) (enter-package package))
  (emit "ready"
        "acl2" (state-global 'acl2::acl2-version)
        "lisp" (concatenate 'string (lisp-implementation-type) " " (lisp-implementation-version))
        "package" (acl2::current-package (state))
        "prompt" (or-else "ACL2 !>" (prompt))
        "progress" (truth *tells-progress*)
        "books" (let ((folder (state-global 'acl2::system-books-dir))) (and (stringp folder) folder)))
  (hold-signals)
  (do () (nil)
    (serve-request)))
