;;;; Loads a file form by form, as ACL2's LD does, up to the first failure; each form is reported with
;;;; its line. Book names in it are relative to the file's folder, and its IN-PACKAGE applies up to its
;;;; end. Loading may also end at the event of a name, to prove it: what the world has is not proved again.

(in-package "LISP-HARBOR-ACL2")

(defun file-text (file)
  "The contents as characters, one for each byte; NIL if the file cannot be read."
  (or-else nil
    (with-open-file (in file #+sbcl :external-format #+sbcl :latin-1)
      (let* ((text (make-string (file-length in)))
             (end (read-sequence text in)))
        (subseq text 0 end)))))

(defun end-of-comment (text start)
  "The end of the comment that starts at START; NIL if there is none."
  (cond ((eql (char text start) #\;)
         (or (position #\Newline text :start start) (length text)))
        ((eql (mismatch "#|" text :start2 start) 2)
         (let ((end (search "|#" text :start2 start)))
           (if end (+ end 2) (length text))))))

(defun form-start (text start)
  "The start of the next form after whitespace and comments."
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
  "Whether FORM, from a portcullis file, is meant only for interactive certification. ACL2's build system removes
CERTIFY-BOOK from such a file in any package; commands that enter and leave raw Lisp have no effect there."
  (or (member form '((acl2::exit-ld acl2::state) (acl2::value :q)) :test #'equal) ; the first is :Q
      (and (consp form)
           (symbolp (car form))
           (member (symbol-name (car form)) '("CERTIFY-BOOK" "CERTIFY-BOOK!" "LP") :test #'string=))))

(defun of-a-portcullis-p (file)
  (let ((end (mismatch ".acl2" file :from-end t))) (eql end 0)))

(defun load-forms (text file &optional (last-p (constantly nil)))
  "The number of submitted forms of TEXT, whether all succeeded, and the skipped forms. LAST-P is called after each success;
if it returns true, the others are not submitted."
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
                (t (incf count)
                   (when (funcall last-p) (return (values count t passed-over))))))))
      (forget-channel channel))))

(define-harbor-form acl2::harbor-load ((file string))
  "Submits the forms of FILE, an absolute name."
  (let ((text (file-text file)))
    (if (null text)
        (refuse 'harbor-load "The file ~a cannot be read." file)
        (multiple-value-bind (count finished passed-over) (load-text text file)
          (values (and finished
                       (make-success :values (list (format nil "~d" count))))
                  (and passed-over
                       (object "passed_over" (lines-of (reverse passed-over)))))))))

(defun load-text (text file &optional (last-p (constantly nil)))
  "As LOAD-FORMS; names of books are relative to the folder of FILE."
  (set-state-global 'acl2::connected-book-directory (folder-of file))
  (load-forms text file last-p))

(defun introduced-p (name place)
  "Whether the last form introduced NAME, as read in the current package, or found it. PLACE was the last one before it."
  (let ((symbol (or-else nil (find-name name nil))))
    (and symbol
         (or (some (lambda (found) (member symbol (cdr found))) *found-again*)
             (and (> (last-place (world)) place)
                  (introduces-p symbol (last-place (world))))))))

(defun load-until (operator file name)
  "Submits the forms of FILE up to the one that introduces NAME; the result of a harbor form."
  (let ((text (file-text file)) (place (last-place (world))) (found nil))
    (cond ((null text) (refuse operator "The file ~a cannot be read." file))
          ((not (search (written-name name) text :test #'char-equal))
           (refuse operator "~a does not mention ~a." file name))
          (t (multiple-value-bind (count finished)
                 (load-text text file (lambda ()
                                   (prog1 (setq found (introduced-p name place))
                                     (setq place (last-place (world))))))
               (cond ((and finished found) (make-success :values (list (format nil "~d" count))))
                     (finished (refuse operator "No form of ~a introduces ~a." file name))))))))

(define-harbor-form acl2::harbor-load-until ((file string) (name string))
  "As HARBOR-LOAD, up to the form that introduces NAME."
  (load-until 'harbor-load-until file name))

(define-harbor-form acl2::harbor-prove ((file string) (name string))
  "As HARBOR-LOAD-UNTIL, reported as a test."
  (load-until 'harbor-prove file name))

(define-harbor-form acl2::harbor-portcullis ((file string))
  "As HARBOR-LOAD, before certifying the book of the portcullis FILE. Skipped forms are not reported."
  (values (harbor-load file)))
