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

(defun by-hand-p (form)
  "Whether FORM, of a file that goes below a book, is for somebody who certifies that book by hand. ACL2's build system takes
CERTIFY-BOOK out of such a file, whatever the package, and what stands for the way to raw Lisp and back does nothing there."
  (or (member form '((acl2::exit-ld acl2::state) (acl2::value :q)) :test #'equal) ; the first is :Q
      (and (consp form)
           (symbolp (car form))
           (member (symbol-name (car form)) '("CERTIFY-BOOK" "CERTIFY-BOOK!" "LP") :test #'string=))))

(defun of-a-portcullis-p (file)
  (let ((end (mismatch ".acl2" file :from-end t))) (eql end 0)))

(defun load-forms (text file)
  "How many forms of TEXT were submitted, whether all succeeded, and those that were passed over."
  (let ((channel (make-string-channel text)) (*file* file) (passed-over '())
        (unsubmitted (if (of-a-portcullis-p file) #'by-hand-p (constantly nil))))
    (unwind-protect
        (do ((count 0)) (*stop* (values count nil passed-over))
          (let ((line (line-at text (form-start text (channel-position channel)))))
            (multiple-value-bind (answer form) (submit-next channel (object "file" file "line" line) unsubmitted)
              (case answer
                (:end (return (values count t passed-over)))
                (:passed-over (push form passed-over))
                ((nil) (return (values count nil passed-over)))
                (t (incf count))))))
      (forget-channel channel))))

(define-harbor-form acl2::harbor-load ((file string))
  "Submits the forms of FILE, whose name is absolute."
  (let ((text (file-text file)))
    (if (null text)
        (refuse 'harbor-load "The file ~a cannot be read." file)
        (progn
          (set-state-global 'acl2::connected-book-directory (folder-of file))
          (multiple-value-bind (count finished passed-over) (load-forms text file)
            (values (and finished
                         (make-success :values (list (format nil "~d" count))))
                    (and passed-over
                         (object "passed_over" (lines-of (reverse passed-over))))))))))

(define-harbor-form acl2::harbor-portcullis ((file string))
  "As HARBOR-LOAD, before the book above FILE is certified: of what is passed over nothing need be said."
  (values (harbor-load file)))
