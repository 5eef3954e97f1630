;;;; The encoding of a source file: that of its coding line, else UTF-8, else Latin-1, which has a character
;;;; for each byte. LOAD and COMPILE-FILE use it unless their caller names another one.

(in-package :lisp-harbor-agent)

(defun file-octets (file limit)
  (with-open-file (in file :element-type '(unsigned-byte 8))
    (let ((octets (make-array (min limit (file-length in)) :element-type '(unsigned-byte 8))))
      (read-sequence octets in)
      octets)))

(defun coding-in (line)
  "Returns the name in LINE that follows \"coding:\" between two -*-, without the kind of line ends, or NIL."
  (let* ((start (search "-*-" line))
         (end (and start (search "-*-" line :start2 (+ start 3))))
         (coding (and end (search "coding:" line :start2 start :end2 end :test #'char-equal))))
    (when coding
      (let* ((from (position #\Space line :start (+ coding 7) :test #'char/=))
             (name (subseq line from (position-if (lambda (char) (find char " ;")) line :start from))))
        (dolist (kind '("-unix" "-dos" "-mac") name)
          (when (uiop:string-suffix-p (string-downcase name) kind)
            (return (subseq name 0 (- (length name) (length kind))))))))))

(defun format-named (name)
  "Returns the external format that Emacs calls NAME, or NIL if SBCL does not have it."
  (let* ((upper (string-upcase name))
         (format (intern (if (uiop:string-prefix-p "ISO-LATIN-" upper) (subseq upper 4) upper) :keyword)))
    (and (ignore-errors (sb-ext:octets-to-string (make-array 0 :element-type '(unsigned-byte 8)) :external-format format))
         format)))

(defun opening-line (octets)
  (let ((end (or (position 10 octets) (length octets))))
    (map 'string #'code-char (subseq octets 0 (min end 1000)))))

(defun utf-8-p (octets)
  (or (every (lambda (octet) (< octet 128)) octets)
      (handler-case (progn (sb-ext:octets-to-string octets :external-format :utf-8) t)
        (error () nil))))

(defun file-encoding (file)
  "Returns the external format of FILE, a pathname, and whether nothing declares it although it is not UTF-8."
  (let* ((octets (file-octets file +longest-file+))
         (declared (coding-in (opening-line octets)))
         (format (and declared (format-named declared))))
    (cond (format)
          ((utf-8-p octets) :utf-8)
          (t (values :latin-1 t)))))

(defun note-encoding (file)
  (when *evaluation*
    (note *evaluation* "~A is not UTF-8 and has no coding line: it is read as Latin-1." (enough-namestring file))))

(defun source-to-read (file)
  "Returns the pathname of FILE, an argument of LOAD or COMPILE-FILE, if it is a source file, else NIL."
  (let ((source (and (typep file '(or string pathname))
                     (or (probe-file file) (probe-file (make-pathname :type "lisp" :defaults file))))))
    (unless (or (null source) (search "# FASL" (map 'string #'code-char (file-octets source 300))))
      source)))

(defun with-encoding (file options)
  "Returns OPTIONS, the keyword arguments of LOAD or COMPILE-FILE, with the encoding of FILE, unless OPTIONS name one
that is not the default."
  (multiple-value-bind (format guessed)
      (and (member (getf options :external-format :default) '(:default :utf-8))
           (ignore-errors (let ((source (source-to-read file)))
                            (and source (file-encoding source)))))
    (when guessed (note-encoding file))
    (if (member format '(nil :utf-8)) options (list* :external-format format options))))
