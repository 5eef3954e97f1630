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

(defun open-wire ()
  "Takes descriptor 3, and keeps it from the programs that user code may start."
  (let ((set-descriptor-flags 2) (close-on-exec 1))
    (sb-alien:alien-funcall
     (sb-alien:extern-alien "fcntl" (function sb-alien:int sb-alien:int sb-alien:int sb-alien:int))
     +wire-descriptor+ set-descriptor-flags close-on-exec))
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
