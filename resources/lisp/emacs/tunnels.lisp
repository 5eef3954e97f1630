;;;; Tunnels: octet streams to an external program, multiplexed on the wire. They make a server in the
;;;; image reachable without a port or a network. Flow control limits the octets in transit in each
;;;; direction.

(in-package :lisp-harbor-agent)

(defconstant +tunnel-window+ 262144
  "Maximum number of octets that one side may send before the other has consumed them.")
(defconstant +tunnel-acknowledge+ 65536 "Number of octets consumed before the other side is informed.")
(defconstant +tunnel-chunk+ 32768 "Maximum number of octets in one line of the wire.")

(deftype octets () '(simple-array (unsigned-byte 8) (*)))

(defclass tunnel (fundamental-binary-input-stream fundamental-binary-output-stream)
  ((id :initarg :id :reader tunnel-id)
   (server :initarg :server :reader tunnel-server)
   (lock :initform (make-mutex :name "lisp-harbor tunnel") :reader tunnel-lock)
   (changed :initform (make-waitqueue :name "lisp-harbor tunnel") :reader tunnel-changed)
   (arrived :initform '() :accessor arrived-of :documentation "Octets to read, a list of vectors, oldest first.")
   (begin :initform 0 :accessor begin-of :documentation "Read position in the first of them.")
   (taken :initform 0 :accessor taken-of :documentation "Octets read that were not yet reported to the other side.")
   (unsent :initform '() :accessor unsent-of :documentation "Octets written, a list of vectors, newest first.")
   (credit :initform +tunnel-window+ :accessor credit-of :documentation "Number of octets that may be sent.")
   (evaluations :initform '() :accessor evaluations-of
                :documentation "An alist from requests of Emacs, or negative numbers of channels, to evaluations of the history.")
   (open :initform t :accessor tunnel-open-p)
   (ending :initform nil :accessor ending-of :documentation "The thread that ends the service of this tunnel.")
   (remaining :initform '() :accessor remaining-of :documentation "Names of threads that did not end."))
  (:documentation "A bidirectional binary stream whose other end is in the harbor."))

(defmacro with-tunnel ((tunnel) &body body)
  `(with-mutex ((tunnel-lock ,tunnel))
     ,@body))

(defun wait-for-change (tunnel)
  (condition-wait (tunnel-changed tunnel) (tunnel-lock tunnel)))

(defun tell-change (tunnel)
  (condition-notify (tunnel-changed tunnel)))

;;; Functions of the wire's thread. They never block.

(defun add-arrived (tunnel octets)
  (with-tunnel (tunnel)
    (setf (arrived-of tunnel) (append (arrived-of tunnel) (list octets)))
    (tell-change tunnel)))

(defun add-credit (tunnel count)
  (with-tunnel (tunnel)
    (incf (credit-of tunnel) count)
    (tell-change tunnel)))

(defun add-evaluation (tunnel request evaluation)
  (with-tunnel (tunnel)
    (push (cons request evaluation) (evaluations-of tunnel))))

(defun shut-tunnel (tunnel)
  "Closes both directions. Received octets can still be read. Returns true for the first caller."
  (with-tunnel (tunnel)
    (tell-change tunnel)
    (shiftf (tunnel-open-p tunnel) nil)))

;;; Recorded evaluations.

(defun take-evaluation (tunnel request)
  "Returns the oldest evaluation that the harbor records for REQUEST, once; NIL if there is none."
  (with-tunnel (tunnel)
    (let ((found (find request (evaluations-of tunnel) :key #'car :from-end t)))
      (setf (evaluations-of tunnel) (remove found (evaluations-of tunnel) :count 1 :from-end t))
      (cdr found))))

;;; Reading.

(defun take-arrived (tunnel target start end)
  "Copies received octets to TARGET, as many as fit. Returns their number. TUNNEL is locked and has some."
  (let* ((octets (first (arrived-of tunnel)))
         (count (min (- end start) (- (length octets) (begin-of tunnel)))))
    (replace target octets :start1 start :start2 (begin-of tunnel) :end2 (+ (begin-of tunnel) count))
    (incf (begin-of tunnel) count)
    (when (= (begin-of tunnel) (length octets))
      (pop (arrived-of tunnel))
      (setf (begin-of tunnel) 0))
    count))

(defun acknowledge (tunnel count)
  "Reports consumed octets to the other side from time to time. Called by the reading thread only."
  (incf (taken-of tunnel) count)
  (when (and (>= (taken-of tunnel) +tunnel-acknowledge+) (tunnel-open-p tunnel))
    (send "tunnel-taken" "tunnel" (tunnel-id tunnel) "count" (shiftf (taken-of tunnel) 0))))

(defun take-octets (tunnel target start end)
  "Waits for octets and takes them. Returns their number, 0 at the end."
  (let ((count (with-tunnel (tunnel)
                 (loop until (or (arrived-of tunnel) (not (tunnel-open-p tunnel)))
                       do (wait-for-change tunnel))
                 (if (arrived-of tunnel) (take-arrived tunnel target start end) 0))))
    (acknowledge tunnel count)
    count))

(defmethod stream-read-sequence ((tunnel tunnel) sequence &optional (start 0) end)
  (loop with end = (or end (length sequence))
        while (< start end)
        do (let ((count (take-octets tunnel sequence start end)))
             (when (zerop count) (return start))
             (incf start count))
        finally (return start)))

(defmethod stream-read-byte ((tunnel tunnel))
  (let ((octet (make-array 1 :element-type '(unsigned-byte 8))))
    (if (plusp (take-octets tunnel octet 0 1)) (aref octet 0) :eof)))

;;; Writing.

(defmethod stream-write-sequence ((tunnel tunnel) sequence &optional (start 0) end)
  (push (coerce (subseq sequence start end) 'octets) (unsent-of tunnel))
  sequence)

(defmethod stream-write-byte ((tunnel tunnel) octet)
  (stream-write-sequence tunnel (vector octet))
  octet)

(defun spend-credit (tunnel wanted)
  "Waits until sending is allowed. Returns how many of WANTED octets may be sent. Signals an error if the
tunnel is closed."
  (with-tunnel (tunnel)
    (loop while (and (tunnel-open-p tunnel) (not (plusp (credit-of tunnel))))
          do (wait-for-change tunnel))
    (unless (tunnel-open-p tunnel)
      (error 'end-of-file :stream tunnel))
    (let ((count (min wanted +tunnel-chunk+ (credit-of tunnel))))
      (decf (credit-of tunnel) count)
      count)))

(defun send-unsent (tunnel)
  "Sends what was written. Every octet becomes a character of the line, because tunneled data is mostly text."
  (let ((octets (apply #'concatenate 'octets (reverse (shiftf (unsent-of tunnel) '())))))
    (loop with start = 0
          while (< start (length octets))
          do (let ((end (+ start (spend-credit tunnel (- (length octets) start)))))
               (send "tunnel-octets"
                     "tunnel" (tunnel-id tunnel)
                     "octets" (map 'string #'code-char (subseq octets start end)))
               (setf start end)))))

(defmethod stream-force-output ((tunnel tunnel))
  (send-unsent tunnel)
  nil)

(defmethod stream-finish-output ((tunnel tunnel))
  (send-unsent tunnel)
  nil)

;; ECL has generic functions of these names in another package.

(defmethod #+ecl gray:stream-element-type #-ecl stream-element-type ((tunnel tunnel))
  '(unsigned-byte 8))

(defmethod #+ecl gray:close #-ecl close ((tunnel tunnel) &key abort)
  (declare (ignore abort))
  (close-tunnel tunnel)
  t)
