;;;; Queries about names: their definitions and where they occur. For an unknown name the error
;;;; suggests similar names.

(in-package "LISP-HARBOR-ACL2")

(defconstant +near-names+ 8 "Maximum suggested names.")

(defun near-names (text)
  (let* ((found (apropos-symbols (nth-value 1 (split-name text "ACL2")) nil))
         (near (subseq found 0 (min +near-names+ (length found)))))
    (if near
        (format nil "Names that contain it: ~{~a~^, ~}." (mapcar #'shown near))
        "No name contains it.")))

(defun unknown (text)
  (fail "unknown_symbol" "~a is not defined in this world. ~a" text (near-names text)))

(defun status (symbol)
  "The visibility of SYMBOL in the session's package."
  (let ((home (package-name (symbol-package symbol))) (current (acl2::current-package (state))))
    (cond ((string= home current) (format nil "of the current package ~a" current))
          ((eq symbol (find-symbol (symbol-name symbol) current)) (format nil "of package ~a, imported into ~a" home current))
          (t (format nil "of package ~a" home)))))

(defun package-definition (name)
  (let ((entry (acl2::find-non-hidden-package-entry name (acl2::known-package-alist (state)))))
    (and entry
         (object "kind" "package"
                 "name" name
                 "properties" (array-of (list (format nil "imports ~d symbols"
                                                      (length (acl2::package-entry-imports entry)))))))))

(defun topic-definition (symbol)
  "A documentation topic that is not a name of the world."
  (let ((members (and (not (logical-name-p symbol)) (topic-members symbol))))
    (and members (cons :object (without-nulls (list* "kind" "topic" "name" (shown symbol) members))))))

(defun topic-of-acl2 (text)
  "Topics are symbols of package ACL2, independent of the session's package."
  (let ((symbol (find-symbol (written-name text) "ACL2")))
    (and symbol (topic-definition symbol))))

(defun definitions-of (text symbol found)
  (remove nil (list (and found (logical-name-p symbol) (definition-object symbol))
                    (and found (topic-definition symbol))
                    (and (not found) (topic-of-acl2 text))
                    (package-definition (written-name text)))))

(define-query :describe (request text)
  (multiple-value-bind (symbol found) (find-name text (getf request :package))
    (let ((definitions (definitions-of text symbol found)))
      (if definitions
          (object "symbol" (if found (shown symbol) text)
                  "status" (if found (status symbol) "not a symbol of the current package")
                  "definitions" (array-of definitions))
          (unknown text)))))

(defun present-name (request text)
  "The symbol that TEXT names and that an event has introduced."
  (multiple-value-bind (symbol found) (find-name text (getf request :package))
    (if (and found (logical-name-p symbol))
        symbol
        (unknown text))))

(define-query :definitions (request text)
  (findings-object (list (present-name request text)) #'finding-object (getf request :limit)))

(define-query :callers (request text)
  (findings-object (callers-of (callable (present-name request text)))
                   (lambda (symbol) (finding-object symbol "calls"))
                   (getf request :limit)))

(define-query :references (request text)
  (findings-object (references-to (present-name request text)) #'reference-object (getf request :limit)))

(define-query :apropos (request text)
  (findings-object (of-kinds (getf request :kinds) (apropos-symbols text (getf request :in)))
                   #'finding-object (getf request :limit)))

(define-query :completions (request text)
  (findings-object (completions text (getf request :package))
                   (lambda (name) (object "kind" "completion" "text" name))
                   (getf request :limit)))

(define-query :unsaved (request text)
  (findings-object (of-kinds (getf request :kinds) (unsaved-names text))
                   #'finding-object (getf request :limit)))
