;;;; Prints ACL2 objects: as one line that is readable in package ACL2, independent of session
;;;; settings, for data; or as ACL2 prints them, for users.

(in-package "LISP-HARBOR-ACL2")

(defmacro with-plain-printing (&body body)
  `(let ((*package* (find-package "ACL2")) (*readtable* acl2::*acl2-readtable*)
         (*print-pretty* nil) (*print-case* :upcase) (*print-base* 10) (*print-radix* nil)
         (*print-escape* t) (*print-readably* nil) (*print-circle* nil)
         (*print-length* nil) (*print-level* nil))
     ,@body))

(defmacro or-else (default &body body)
  "The value of BODY, or of DEFAULT if BODY signals an error."
  `(handler-case (progn ,@body)
     (error () ,default)))

(defun cut-to (limit string)
  "STRING, abbreviated in the middle to LIMIT characters."
  (let ((length (length string))
        (half (floor limit 2)))
    (if (<= length limit)
        string
        (concatenate 'string (subseq string 0 half) " ... " (subseq string (- length half))))))

(defun one-line (object &optional (limit 20000))
  "OBJECT as text that is readable in package ACL2, unless it is longer than LIMIT characters."
  (cut-to limit (with-plain-printing (prin1-to-string object))))

(defun lines-of (objects)
  "A JSON array of OBJECTS as text, one line each."
  (array-of (mapcar #'one-line objects)))

(defmacro with-channel-to ((channel stream) &body body)
  "Redirects the output of BODY to CHANNEL to STREAM."
  (let ((redirected (gensym))
        (before (gensym)))
    `(let* ((,redirected ,channel)
            (,before (get ,redirected acl2::*open-output-channel-key*)))
       (setf (get ,redirected acl2::*open-output-channel-key*) ,stream)
       (unwind-protect (progn ,@body)
         (setf (get ,redirected acl2::*open-output-channel-key*) ,before)))))

(defmacro with-standard-output-to (stream &body body)
  "Redirects the output of BODY to *STANDARD-CO* to STREAM."
  `(with-channel-to (acl2::*standard-co* ,stream) ,@body))

(defmacro with-printed-to-string (&body body)
  "The output of BODY to STANDARD-CO."
  (let ((before (gensym))
        (out (gensym)))
    `(let ((,before (state-global 'acl2::standard-co))
           (,out (make-string-output-stream)))
       (set-state-global 'acl2::standard-co acl2::*standard-co*)
       (unwind-protect (with-standard-output-to ,out ,@body)
         (set-state-global 'acl2::standard-co ,before))
       (get-output-stream-string ,out))))

(defun as-acl2-prints (object &optional (limit 20000))
  "OBJECT as ACL2 prints it in the session's package, indented over several lines."
  (or-else (one-line object limit)
    (cut-to limit (string-trim '(#\Newline #\Space)
                               (with-printed-to-string
                                 (acl2::ppr object 0 acl2::*standard-co* (state) nil))))))

(defun words-of (text)
  "The words of TEXT, separated by spaces and newlines."
  (let ((words '()) (start 0))
    (do () ((null start) (nreverse words))
      (let* ((begin (position-if-not #'blank-p text :start start))
             (end (and begin (position-if #'blank-p text :start begin))))
        (when begin (push (subseq text begin end) words))
        (setq start end)))))

(defun blank-p (character) (member character '(#\Space #\Newline #\Tab)))

(defun message-text (control alist)
  "The output of FMT in one line."
  (format nil "~{~a~^ ~}"
          (words-of (with-printed-to-string
                      (acl2::fmt1 control alist 0 acl2::*standard-co* (state) nil)))))
