;;;; Reads folders with UIOP, which is a part of every ASDF.

(in-package :lisp-harbor-agent)

(defun call-uiop (name &rest arguments)
  (apply (find-symbol name "UIOP") arguments))

(define-implementation true-folder-name (folder)
  (let ((real (ignore-errors (truename folder))))
    (and real (ignore-errors (namestring real)))))

(define-implementation folder-contents (folder exclude limit)
  (declare (ignore limit))
  (let ((definitions (ignore-errors (call-uiop "DIRECTORY-FILES" folder "*.asd")))
        (below (ignore-errors (call-uiop "SUBDIRECTORIES" folder))))
    (values definitions
            (remove-if (lambda (folder)
                         (member (first (last (pathname-directory folder))) exclude :test #'equal))
                       below)
            (+ (length definitions) (length below)))))

(defun search-trees-ourselves ()
  "Makes ASDF search for systems with MAP-SYSTEM-DEFINITIONS."
  (setf (fdefinition (find-symbol "COLLECT-SUB*DIRECTORIES-ASD-FILES" "ASDF/SOURCE-REGISTRY"))
        (lambda (tree &key exclude collect &allow-other-keys)
          (map-system-definitions collect tree exclude))))
