;;;; Reads folders by the file names of the host. Names that cannot be converted to a pathname are
;;;; skipped.

(in-package :lisp-harbor-agent)

(define-implementation true-folder-name (folder)
  (let ((real (ignore-errors
               (sb-unix:unix-realpath (sb-ext:native-namestring folder)))))
    (and real (if (string= real "/") real (concatenate 'string real "/")))))

(defun next-name (directory)
  "Returns the next name in DIRECTORY, a stream of SB-POSIX. NIL at the end, an empty string for a name that is
not valid in the encoding of this process."
  (let ((entry (sb-posix:readdir directory)))
    (unless (sb-alien:null-alien entry)
      (let ((name (handler-case (sb-posix:dirent-name entry)
                    (error () ""))))
        (if (find (code-char #xFFFD) name) "" name)))))

(defun kind-of-file (native-name)
  "Returns the type of the file, following links: :FILE, :DIRECTORY or another keyword."
  (sb-impl::native-file-kind native-name t))

(defun definition-name-p (name)
  (let ((length (length name)))
    (and (> length 4) (string-equal ".asd" name :start2 (- length 4))
         (char/= (char name 0) #\.))))

(define-implementation folder-contents (folder exclude limit)
  (let ((directory (ignore-errors (sb-posix:opendir (sb-ext:native-namestring folder))))
        (prefix (sb-ext:native-namestring folder))
        (definitions '())
        (below '())
        (count 0))
    (when directory
      (unwind-protect
           (loop for name = (next-name directory)
                 while name
                 do (when (> (incf count) limit) (return))
                    (let ((full (concatenate 'string prefix name)))
                      (cond ((member name '("" "." "..") :test #'string=))
                            ((definition-name-p name)
                             (when (eq (kind-of-file full) :file)
                               (push (sb-ext:parse-native-namestring full) definitions)))
                            ((member name exclude :test #'string=))
                            ((eq (kind-of-file full) :directory)
                             (push (sb-ext:parse-native-namestring full nil #p"" :as-directory t) below)))))
        (sb-posix:closedir directory)))
    (flet ((in-order (pathnames) (sort pathnames #'string< :key #'sb-ext:native-namestring)))
      (values (in-order definitions) (in-order below) count))))

(sb-int:encapsulate 'asdf/source-registry:collect-sub*directories-asd-files 'lisp-harbor
                    (lambda (search tree &key exclude collect ignore-cache &allow-other-keys)
                      (declare (ignore search))
                      (unless (and (not ignore-cache)
                                   (asdf/source-registry::process-source-registry-cache tree collect))
                        (map-system-definitions collect tree exclude))))
