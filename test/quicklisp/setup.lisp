;;;; A stand-in for Quicklisp's client, as small as can be: its folders, the formats of its index and its QUICKLOAD.
;;;; Archives come over real HTTP. It checks no sums, and knows one dist and no versions.

(require :asdf)
(require :sb-bsd-sockets)

(defpackage :quicklisp-client
  (:nicknames :ql)
  (:use :common-lisp)
  (:export #:quickload))

(in-package :quicklisp-client)

(defvar *home* (make-pathname :name nil :type nil :defaults *load-truename*) "Where this client lies.")

(defun in-dist (name)
  (merge-pathnames name (merge-pathnames "dists/quicklisp/" *home*)))

(defun index (name)
  "The lines of a file of the index, each as its words."
  (mapcar (lambda (line) (uiop:split-string line :separator " "))
          (uiop:read-file-lines (in-dist name))))

;;; The network.

(defun split-url (url)
  "Host, port and path of URL, such as http://127.0.0.1:80/a."
  (let* ((authority (subseq url (length "http://") (position #\/ url :start (length "http://"))))
         (colon (position #\: authority)))
    (values (subseq authority 0 colon)
            (parse-integer authority :start (1+ colon))
            (subseq url (+ (length "http://") (length authority))))))

(defun read-body (stream)
  "What comes after the header that STREAM begins with."
  (loop until (member (read-line stream) '("" #.(string #\Return)) :test #'string=))
  (let ((bytes (make-array 0 :element-type '(unsigned-byte 8) :adjustable t :fill-pointer t)))
    (loop for byte = (read-byte stream nil)
          while byte do (vector-push-extend byte bytes))
    bytes))

(defun fetch (url file)
  "Writes what is at URL to FILE."
  (multiple-value-bind (host port path) (split-url url)
    (let ((socket (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp)))
      (sb-bsd-sockets:socket-connect socket (sb-bsd-sockets:make-inet-address host) port)
      (with-open-stream (stream (sb-bsd-sockets:socket-make-stream
                                 socket :input t :output t :buffering :full
                                        :element-type :default :external-format :latin-1))
        (format stream "GET ~A HTTP/1.0~C~C~:*~:*~C~C" path #\Return #\Newline)
        (finish-output stream)
        (with-open-file (out (ensure-directories-exist file)
                             :direction :output :if-exists :supersede :element-type '(unsigned-byte 8))
          (write-sequence (read-body stream) out))))))

;;; Installing.

(defun install-release (project)
  "Fetches and unpacks the release of PROJECT, and notes that it is installed."
  (destructuring-bind (project url size md5 sha1 prefix &rest systems)
      (assoc project (index "releases.txt") :test #'string=)
    (declare (ignore size md5 sha1 systems))
    (let ((archive (in-dist (format nil "archives/~A.tgz" prefix)))
          (software (ensure-directories-exist (in-dist "software/"))))
      (format t "~&; Fetching ~A~%" url)
      (finish-output)
      (fetch url archive)
      (uiop:run-program (list "tar" "xzf" (namestring archive) "-C" (namestring software)))
      (with-open-file (out (ensure-directories-exist (in-dist (format nil "installed/releases/~A.txt" project)))
                           :direction :output :if-exists :supersede)
        (format out "dists/quicklisp/software/~A/~%" prefix)))))

(defun search-installed (name)
  "Where ASDF finds the system NAME among those that are installed."
  (let ((entry (find (asdf:primary-system-name name) (index "systems.txt") :key #'third :test #'string=)))
    (when entry
      (let ((prefix (sixth (assoc (first entry) (index "releases.txt") :test #'string=))))
        (probe-file (in-dist (format nil "software/~A/~A.asd" prefix (second entry))))))))

(defun install-missing (name)
  "Installs the system NAME and what it needs, as far as ASDF finds none."
  (unless (asdf:find-system name nil)
    (let ((entry (find name (index "systems.txt") :key #'third :test #'string=)))
      (unless entry (error "System ~S not found" name))
      (install-release (first entry))
      (mapc #'install-missing (nthcdr 3 entry)))))

(defun quickload (name)
  "Loads the system NAME, with what is missing fetched before."
  (handler-case (progn (install-missing name) (asdf:load-system name))
    (asdf:missing-dependency (condition)
      (install-missing (asdf/find-component:missing-requires condition))
      (quickload name))))

(pushnew 'search-installed asdf:*system-definition-search-functions*)
