;;;; Output streams for SBCL that an interrupt cannot leave half written: after unwinding out of an
;;;; fd-stream, SBCL writes the same bytes again, or nothing any more. GCL writes in C, between two
;;;; safe points.

(in-package "LISP-HARBOR-ACL2")

#+sbcl
(defclass protected-output (sb-gray:fundamental-character-output-stream)
  ((target :initarg :target :reader target)))

#+sbcl
(defmethod sb-gray:stream-write-char ((stream protected-output) character)
  (sb-sys:without-interrupts (write-char character (target stream))))

#+sbcl
(defmethod sb-gray:stream-write-string ((stream protected-output) string &optional (start 0) end)
  (sb-sys:without-interrupts (write-string string (target stream) :start start :end end)))

#+sbcl
(defmethod sb-gray:stream-line-column ((stream protected-output))
  nil)

#+sbcl
(defmethod sb-gray:stream-force-output ((stream protected-output))
  (sb-sys:without-interrupts (force-output (target stream))))

#+sbcl
(defmethod sb-gray:stream-finish-output ((stream protected-output))
  (sb-sys:without-interrupts (finish-output (target stream))))
