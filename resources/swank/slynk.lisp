;;;; The part of this code that differs between Swank and Slynk: for Slynk, whose REPLs are in modules that may
;;;; not be loaded. The REPL of a connection is a channel without a counterpart in an editor. In the other files
;;;; the harbor replaces the names of Swank by those of Slynk.

(in-package #:lisp-harbor.slynk)

(defclass repl (slynk::channel slynk::listener) ()
  (:documentation "The REPL of one connection of the harbor: a thread, streams, and values of variables."))

(defmethod slynk::close-channel :before ((repl repl) &key force)
  (declare (ignore force))
  (slynk::close-listener repl))

(defun output-to-harbor ()
  (let ((connection slynk::*emacs-connection*))
    (slynk-backend:make-output-stream
     (lambda (text)
       (slynk::with-connection (connection)
         (slynk::send-to-emacs (list :write-string text)))))))

(defun line-of-harbor ()
  "Requests a line of input and returns it; an empty text is the end of the input."
  (let ((thread (slynk-backend:thread-id (slynk-backend:current-thread)))
        (tag (slynk::make-tag))
        (received nil))
    (slynk::send-to-emacs (list :read-string thread tag))
    (unwind-protect
         (prog1 (third (slynk::wait-for-event (list :emacs-return-string tag 'value)))
           (setf received t))
      (unless received
        (slynk::send-to-emacs (list :read-aborted thread tag))))))

(defun begin ()
  "Called once per connection. Moves this connection to the end of Slynk's list, so that errors of threads of
others go to an editor that is also connected. Returns the initial package and the thread of a new REPL."
  (let ((own slynk::*emacs-connection*))
    (setf slynk::*connections* (append (remove own slynk::*connections*) (list own))))
  (let ((repl (make-instance 'repl
                             :name "lisp-harbor"
                             :out (output-to-harbor)
                             :in (slynk-backend:make-input-stream #'line-of-harbor)
                             :initial-env (mapcar #'list '(* ** *** / // /// + ++ +++ -)))))
    (list (package-label *package*) (slynk::channel-thread-id repl))))

(defun call-in-repl (function)
  "Calls FUNCTION with the variables and streams of this connection's REPL, and keeps the values of the variables."
  (slynk::call-with-listener (find-if (lambda (channel) (typep channel 'repl)) (slynk::channels)) function t))

(defun call-with-own-inspector (function)
  (let* ((own (make-instance 'slynk::inspector :name (symbol-name (gensym "LISP-HARBOR"))))
         (slynk::*current-inspector* own)
         (slynk::*target-inspector* own))
    (unwind-protect (funcall function)
      (setf (slynk::connection-inspectors slynk::*emacs-connection*)
            (remove own (slynk::connection-inspectors slynk::*emacs-connection*))))))

(defun shown-before-p (one other)
  (let ((packages (mapcar (lambda (symbol) (package-name (symbol-package symbol))) (list one other))))
    (if (equal (first packages) (second packages))
        (string< one other)
        (string< (first packages) (second packages)))))

(defun matching-symbols (text external package)
  "Returns the symbols with TEXT in their names, in the order in which they are shown."
  (let ((found '()))
    (do-all-symbols (symbol)
      (when (and (symbol-package symbol)
                 (or (null package) (eq package (symbol-package symbol)))
                 (not (keywordp symbol))
                 (or (not external) (slynk::symbol-external-p symbol))
                 (search text (symbol-name symbol) :test #'char-equal))
        (push symbol found)))
    (sort (remove-duplicates found) #'shown-before-p)))

(defun briefly-describe (symbol)
  "Does the same as its namesake in Swank: one line of documentation for each kind."
  (let ((facts (slynk-backend:describe-symbol-for-emacs symbol)))
    (when facts
      (flet ((first-line (text)
               (if (stringp text) (subseq text 0 (position #\Newline text)) text)))
        (list* :designator (slynk::to-string symbol)
               (loop for (kind text) on facts by #'cddr
                     append (list kind (first-line text))))))))
