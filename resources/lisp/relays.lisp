;;;; ABOUTME: Relays: streams of octets that the wire carries to a program outside and back, beside everything else.
;;;; ABOUTME: So a server in the image is reached without a port or a network. Neither side may run ahead of the other.

(in-package :lisp-harbor-agent)

(defconstant +relay-window+ 262144 "Octets that one side may have sent before the other has taken them.")
(defconstant +relay-acknowledge+ 65536 "Octets that are taken before the other side is told.")
(defconstant +relay-chunk+ 32768 "Octets in one line of the wire.")

(deftype octets () '(simple-array (unsigned-byte 8) (*)))

(defclass relay (sb-gray:fundamental-binary-input-stream sb-gray:fundamental-binary-output-stream)
  ((id :initarg :id :reader relay-id)
   (lock :initform (sb-thread:make-mutex :name "lisp-harbor relay") :reader relay-lock)
   (changed :initform (sb-thread:make-waitqueue :name "lisp-harbor relay") :reader relay-changed)
   (arrived :initform '() :accessor arrived-of :documentation "Octets to read, a list of vectors, oldest first.")
   (begin :initform 0 :accessor begin-of :documentation "Where in the first of them reading goes on.")
   (taken :initform 0 :accessor taken-of :documentation "Octets read of which the other side was not told.")
   (unsent :initform '() :accessor unsent-of :documentation "Octets written, a list of vectors, newest first.")
   (credit :initform +relay-window+ :accessor credit-of :documentation "Octets that may be sent.")
   (open :initform t :accessor relay-open-p)
   (ending :initform nil :accessor ending-of :documentation "The thread that ends what this was for."))
  (:documentation "A binary stream both ways, whose other end is in the harbor."))

(defmacro with-relay ((relay) &body body)
  `(sb-thread:with-mutex ((relay-lock ,relay))
     ,@body))

(defun wait-for-change (relay)
  (sb-thread:condition-wait (relay-changed relay) (relay-lock relay)))

(defun tell-change (relay)
  (sb-thread:condition-broadcast (relay-changed relay)))

;;; What the wire thread does; it waits for nobody.

(defun add-arrived (relay octets)
  (with-relay (relay)
    (setf (arrived-of relay) (append (arrived-of relay) (list octets)))
    (tell-change relay)))

(defun add-credit (relay count)
  (with-relay (relay)
    (incf (credit-of relay) count)
    (tell-change relay)))

(defun shut-relay (relay)
  "Nothing more goes either way; what has arrived can still be read. True for the first caller."
  (with-relay (relay)
    (tell-change relay)
    (shiftf (relay-open-p relay) nil)))

;;; Reading.

(defun take-arrived (relay target start end)
  "Copies what has arrived to TARGET, as much as fits; answers how many octets. RELAY is locked, and has some."
  (let* ((octets (first (arrived-of relay)))
         (count (min (- end start) (- (length octets) (begin-of relay)))))
    (replace target octets :start1 start :start2 (begin-of relay) :end2 (+ (begin-of relay) count))
    (incf (begin-of relay) count)
    (when (= (begin-of relay) (length octets))
      (pop (arrived-of relay))
      (setf (begin-of relay) 0))
    count))

(defun acknowledge (relay count)
  "Tells the other side, now and then, that octets were taken; called by the reading thread only."
  (incf (taken-of relay) count)
  (when (and (>= (taken-of relay) +relay-acknowledge+) (relay-open-p relay))
    (send "relay-taken" "relay" (relay-id relay) "count" (shiftf (taken-of relay) 0))))

(defun take-octets (relay target start end)
  "Waits until something has arrived, and takes it; answers how many octets, 0 at the end."
  (let ((count (with-relay (relay)
                 (loop until (or (arrived-of relay) (not (relay-open-p relay)))
                       do (wait-for-change relay))
                 (if (arrived-of relay) (take-arrived relay target start end) 0))))
    (acknowledge relay count)
    count))

(defmethod sb-gray:stream-read-sequence ((relay relay) sequence &optional (start 0) end)
  (loop with end = (or end (length sequence))
        while (< start end)
        do (let ((count (take-octets relay sequence start end)))
             (when (zerop count) (return start))
             (incf start count))
        finally (return start)))

(defmethod sb-gray:stream-read-byte ((relay relay))
  (let ((octet (make-array 1 :element-type '(unsigned-byte 8))))
    (if (plusp (take-octets relay octet 0 1)) (aref octet 0) :eof)))

;;; Writing.

(defmethod sb-gray:stream-write-sequence ((relay relay) sequence &optional (start 0) end)
  (push (coerce (subseq sequence start end) 'octets) (unsent-of relay))
  sequence)

(defmethod sb-gray:stream-write-byte ((relay relay) octet)
  (sb-gray:stream-write-sequence relay (vector octet))
  octet)

(defun spend-credit (relay wanted)
  "Waits until something may be sent; answers how many of WANTED octets. Signals an error when the relay is shut."
  (with-relay (relay)
    (loop while (and (relay-open-p relay) (not (plusp (credit-of relay))))
          do (wait-for-change relay))
    (unless (relay-open-p relay)
      (error 'sb-int:closed-stream-error :stream relay))
    (let ((count (min wanted +relay-chunk+ (credit-of relay))))
      (decf (credit-of relay) count)
      count)))

(defun send-unsent (relay)
  "Sends what was written. Every octet is a character of the line: what is relayed is mostly text."
  (let ((octets (apply #'concatenate 'octets (reverse (shiftf (unsent-of relay) '())))))
    (loop with start = 0
          while (< start (length octets))
          do (let ((end (+ start (spend-credit relay (- (length octets) start)))))
               (send "relay-octets"
                     "relay" (relay-id relay)
                     "octets" (sb-ext:octets-to-string octets :start start :end end :external-format :latin-1))
               (setf start end)))))

(defmethod sb-gray:stream-force-output ((relay relay))
  (send-unsent relay)
  nil)

(defmethod sb-gray:stream-finish-output ((relay relay))
  (send-unsent relay)
  nil)

(defmethod stream-element-type ((relay relay))
  '(unsigned-byte 8))

(defmethod close ((relay relay) &key abort)
  (declare (ignore abort))
  (when (shut-relay relay)
    (send "relay-closed" "relay" (relay-id relay)))
  t)
