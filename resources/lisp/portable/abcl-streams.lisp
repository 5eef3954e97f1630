;;;; The agent's streams on ABCL. READ, TIME and two-way streams reject its Gray streams, so these are
;;;; Java streams: a writer on a channel that passes its bytes to a Lisp function, and a stream that
;;;; requests lines.

(in-package :lisp-harbor-agent)

(defparameter +utf-8+ (java:jstatic "forName" "java.nio.charset.Charset" "UTF-8"))

(defun take-bytes (buffer function)
  "Calls FUNCTION with the text in BUFFER, a java.nio.ByteBuffer. Returns the number of bytes consumed."
  (let ((count (java:jcall "remaining" buffer)))
    (funcall function (java:jcall "toString" (java:jcall "decode" +utf-8+ buffer)))
    count))

(defun channel-to (function)
  (java:jinterface-implementation
   "java.nio.channels.WritableByteChannel"
   "write" (lambda (buffer) (take-bytes buffer function))
   "isOpen" (lambda () java:+true+)
   "close" (lambda () nil)))

(defun stream-to (function)
  "Returns a character output stream. FUNCTION is called with its text whenever it is flushed or contains 8 KB."
  (java:jnew "org.armedbear.lisp.Stream" 'system::system-stream
             (java:jstatic "newWriter" "java.nio.channels.Channels" (channel-to function) "UTF-8")))

;;; Output events. The order of stdout and stderr is preserved only between flushes.

(defvar *event-streams* '() "The streams of the running evaluation, and the global ones.")

(defun write-event-text (kind text)
  (with-output-buffer (*output*)
    (append-to-buffer *output* kind text 0 (length text))))

(define-implementation make-event-stream (kind)
  (let ((stream (stream-to (lambda (text) (without-interrupts (write-event-text kind text))))))
    (setf *event-streams* (cons stream (subseq *event-streams* 0 (min 8 (length *event-streams*)))))
    stream))

(define-implementation flush-streams ()
  (without-interrupts (mapc #'finish-output *event-streams*)))

;;; Bounded text.

(defstruct (bounded-stream (:constructor %make-bounded-stream (left)))
  left
  (target (make-string-output-stream))
  (writer nil))

(define-implementation make-bounded-stream (limit)
  (let ((stream (%make-bounded-stream limit)))
    (setf (bounded-stream-writer stream) (stream-to (lambda (text) (write-bounded text stream))))
    stream))

(defun write-bounded (text stream)
  (let ((count (min (bounded-stream-left stream) (length text))))
    (write-string text (bounded-stream-target stream) :end count)
    (decf (bounded-stream-left stream) count)
    (when (< count (length text)) (throw 'bound-reached :cut))))

(define-implementation bounded-writer (stream)
  (bounded-stream-writer stream))

(define-implementation bounded-text (stream)
  (get-output-stream-string (bounded-stream-target stream)))

;;; Input from the caller.

(define-implementation make-caller-input (evaluation)
  (ext:make-slime-input-stream (lambda () (let ((line (next-line evaluation)))
                                            (if line (format nil "~A~%" line) "")))
                               (make-broadcast-stream)))
