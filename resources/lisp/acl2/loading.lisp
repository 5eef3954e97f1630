;;;; Loads a file as ACL2's own LD does, form by form, up to the first that fails; each is told with its line.
;;;; Names of books in it are relative to the file's folder, and its IN-PACKAGE holds up to its end.

(in-package "LISP-HARBOR-ACL2")

(defun file-text (file)
  "Its bytes as characters; NIL where it cannot be read."
  (or-else nil
    (with-open-file (in file #+sbcl :external-format #+sbcl :latin-1)
      (let* ((text (make-string (file-length in)))
             (end (read-sequence text in)))
        (subseq text 0 end)))))

(defun end-of-comment (text start)
  "Where the comment ends that begins at START; NIL where there is none."
  (cond ((eql (char text start) #\;)
         (or (position #\Newline text :start start) (length text)))
        ((eql (mismatch "#|" text :start2 start) 2)
         (let ((end (search "|#" text :start2 start)))
           (if end (+ end 2) (length text))))))

(defun form-start (text start)
  "Where the next form begins, past blanks and comments."
  (do ((end (length text)))
      ((>= start end) end)
    (let ((after (end-of-comment text start)))
      (cond (after (setq start after))
            ((find (char text start) '(#\Space #\Tab #\Newline #\Return #\Page)) (incf start))
            (t (return start))))))

(defun line-at (text position)
  (1+ (count #\Newline text :end (min position (length text)))))

(defun folder-of (file)
  (subseq file 0 (1+ (or (position #\/ file :from-end t) -1))))

(defun load-forms (text file)
  "How many forms of TEXT were submitted, and whether all succeeded."
  (let ((channel (make-string-channel text)) (*file* file))
    (unwind-protect
        (do ((count 0 (1+ count))) (*stop* (values count nil))
          (let ((line (line-at text (form-start text (channel-position channel)))))
            (case (submit-next channel (object "file" file "line" line))
              (:end (return (values count t)))
              ((nil) (return (values count nil))))))
      (forget-channel channel))))

(define-harbor-form acl2::harbor-load ((file string))
  "Submits the forms of FILE, whose name is absolute."
  (let ((text (file-text file)))
    (if (null text)
        (refuse 'harbor-load "The file ~a cannot be read." file)
        (progn
          (set-state-global 'acl2::connected-book-directory (folder-of file))
          (multiple-value-bind (count finished) (load-forms text file)
            (and finished
                 (make-success :values (list (format nil "~d" count)))))))))
