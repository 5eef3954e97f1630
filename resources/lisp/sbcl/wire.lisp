;;;; The wire's descriptor on SBCL: written by write(2), without a stream, and read as a stream.

(in-package :lisp-harbor-agent)

(defconstant +wire-descriptor+ 3)

(defvar *wire-descriptor* +wire-descriptor+
  "The descriptor to which lines are written. The build's warm-up replaces it.")
(defvar *wire-input* nil "The character stream of incoming lines.")

(defun keep-from-programs (descriptor)
  "Sets close-on-exec for DESCRIPTOR, so that programs started by user code do not inherit it."
  (let ((close-on-exec 1))
    (sb-posix:fcntl descriptor sb-posix:f-setfd close-on-exec)))

(defun descriptor-limit ()
  "Returns a number greater than any descriptor that this process is likely to have."
  (min 4096 (sb-alien:alien-funcall (sb-alien:extern-alien "getdtablesize" (function sb-alien:int)))))

(defun close-range (first)
  "Closes FIRST and all descriptors above it with one system call, close_range(2). Returns NIL if that is
missing or refused."
  (let ((address (sb-sys:find-foreign-symbol-address "close_range"))
        (last #xFFFFFFFF)
        (no-flags 0))
    (and address
         (zerop (sb-alien:alien-funcall
                 (sb-alien:sap-alien (sb-sys:int-sap address)
                                     (function sb-alien:int sb-alien:unsigned-int sb-alien:unsigned-int sb-alien:int))
                 first last no-flags)))))

(defun use-wire-output (descriptor)
  "Writes the wire to DESCRIPTOR, where input and output are two streams, as on another machine."
  (keep-from-programs descriptor)
  (setf *wire-descriptor* descriptor))

(defun close-foreign-descriptors ()
  "Closes descriptors inherited from the harbor's runtime. Called only at the start, before user code opens
any."
  (let ((first (1+ (max +wire-descriptor+ *wire-descriptor*))))
    (or (close-range first)
        (loop for descriptor from first below (descriptor-limit)
              do (sb-unix:unix-close descriptor)))))

(define-implementation open-wire ()
  (keep-from-programs +wire-descriptor+)
  (setf *wire-input* (sb-sys:make-fd-stream +wire-descriptor+ :input t :buffering :full
                                            :external-format '(:utf-8 :replacement #\?))))

(defun write-octets (octets)
  (declare (type (simple-array (unsigned-byte 8) (*)) octets))
  (loop with offset of-type fixnum = 0
        while (< offset (length octets))
        do (multiple-value-bind (written errno)
               (sb-sys:with-pinned-objects (octets)
                 (sb-unix:unix-write *wire-descriptor* octets offset (- (length octets) offset)))
             (cond (written (incf offset written))
                   ((eql errno sb-unix:eintr))
                   ;; The harbor has closed the wire, so no further result can be seen.
                   (t (end-process +exit-wire-broken+))))))

(define-implementation write-to-wire (line)
  (let ((octets (sb-ext:string-to-octets line :external-format :utf-8)))
    (without-interrupts
      (with-mutex (*wire-lock*)
        (write-octets octets)))))

(define-implementation line-from-wire ()
  (read-line *wire-input* nil nil))
