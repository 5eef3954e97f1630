;;;; ABOUTME: The wire to the harbor: one JSON object a line, both ways, over the socket on descriptor 3.
;;;; ABOUTME: Whole lines are written under one lock and without interrupts, so that no frame is ever torn.

(in-package :lisp-harbor-agent)

(defconstant +wire-descriptor+ 3)
(defconstant +exit-wire-broken+ 97 "Exit code when the wire cannot be written.")
(defconstant +exit-wire-closed+ 98 "Exit code when the harbor has closed the wire.")

(defvar *wire-descriptor* +wire-descriptor+
  "Where lines are written; the warm-up of the build puts another one here.")
(defvar *wire-lock* (sb-thread:make-mutex :name "lisp-harbor wire"))
(defvar *wire-input* nil "The character stream of incoming lines.")

(defun keep-from-programs (descriptor)
  "Keeps DESCRIPTOR from the programs that user code may start."
  (let ((close-on-exec 1))
    (sb-posix:fcntl descriptor sb-posix:f-setfd close-on-exec)))

(defun descriptor-limit ()
  "Above all descriptors that this process is likely to have."
  (min 4096 (sb-alien:alien-funcall (sb-alien:extern-alien "getdtablesize" (function sb-alien:int)))))

(defun close-foreign-descriptors ()
  "Closes what the harbor's own runtime has let through to this process. At the start only: the user's come later."
  (loop for descriptor from (1+ +wire-descriptor+) below (descriptor-limit)
        do (sb-unix:unix-close descriptor)))

(defun open-wire ()
  "Takes descriptor 3."
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
                   ;; Nobody listens any more: there is no work left that anyone could see.
                   (t (sb-ext:exit :code +exit-wire-broken+ :abort t))))))

(defun send (event &rest keys-and-values)
  "Sends one event; blocks while the harbor does not read."
  (let ((octets (sb-ext:string-to-octets
                 (with-output-to-string (out)
                   (write-json (apply #'object "event" event keys-and-values) out)
                   (write-char #\Newline out))
                 :external-format :utf-8)))
    (sb-sys:without-interrupts
      (sb-thread:with-mutex (*wire-lock*)
        (write-octets octets)))))

(defun receive ()
  "The next request, waited for; NIL when the harbor has closed the wire. Signals MALFORMED-JSON."
  (let ((line (read-line *wire-input* nil nil)))
    (when line
      (let ((request (read-json line)))
        (if (json-object-p request) request (error 'malformed-json))))))
