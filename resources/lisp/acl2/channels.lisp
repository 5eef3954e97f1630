;;;; The channels and streams of ACL2 while it serves requests. Requests arrive on descriptor 0, which
;;;; no ACL2 channel reads. Output of forms goes to descriptor 1, between records; prover output goes
;;;; to descriptor 2.

(in-package "LISP-HARBOR-ACL2")

(defvar *requests* nil "The stream of requests. Its characters are bytes.")
(defvar *printed* nil "The stream of records and of the output of forms. Its characters are bytes.")
(defvar *commentary* nil "The stream of prover output.")
(defvar *commentary-channel* nil "The ACL2 channel of *COMMENTARY*, for PROOFS-CO.")

(defun repeated (line &optional (times 100))
  (format nil "~{~a~%~}" (make-list times :initial-element line)))

(defvar *answers* (repeated ":go acl2::exit :n" 2000)
  "The input of interactive readers: :GO continues break-rewrite, EXIT leaves the proof-builder, :N answers a query. At end
of file the proof-builder would loop forever.")

(defvar *resumptions* (repeated ":r")
  "The input of the loop of a raw Lisp BREAK, which no hook prevents: it continues. At end of file GCL would exit.")

(defun open-channel-p (channel) (and channel (get channel acl2::*open-output-channel-key*)))

(defun make-commentary-channel ()
  "Uses a broadcast stream, because code may close the channel, which must not close the descriptor."
  (let ((channel (acl2::make-output-channel "harbor" (acl2::increment-*file-clock*))))
    (setf (get channel acl2::*open-output-channel-type-key*) :character
          (get channel acl2::*open-output-channel-key*) (make-broadcast-stream *commentary*))
    channel))

(defun commentary-channel ()
  "Recreated if code has closed it."
  (if (open-channel-p *commentary-channel*)
      *commentary-channel*
      (setq *commentary-channel* (make-commentary-channel))))

(defun open-input-stream (string) (make-string-input-stream string))

(defun without-byte-order-mark (text)
  "TEXT, whose characters are bytes, with blanks for a byte order mark at its start."
  (let ((mark (map 'string #'code-char '(#xEF #xBB #xBF))))
    (if (eql (mismatch mark text) 3)
        (concatenate 'string "   " (subseq text 3))
        text)))

(defun make-string-channel (string)
  "Returns an ACL2 channel that reads objects from STRING. FORGET-CHANNEL releases it."
  (let ((channel (acl2::make-input-channel "harbor" (acl2::increment-*file-clock*))))
    (setf (get channel acl2::*open-input-channel-type-key*) :object
          (get channel acl2::*open-input-channel-key*) (open-input-stream (without-byte-order-mark string)))
    channel))

(defun forget-channel (channel)
  (remprop channel acl2::*open-input-channel-key*)
  (remprop channel acl2::*open-input-channel-type-key*))

(defun channel-position (channel)
  "The number of characters read from CHANNEL; NIL if the host cannot tell."
  (or-else nil (file-position (get channel acl2::*open-input-channel-key*))))

(defun renew-answers ()
  "Provides fresh input for the next form."
  (setf *debug-io* (make-two-way-stream (open-input-stream *resumptions*) *commentary*)
        (get acl2::*standard-oi* acl2::*open-input-channel-key*) (open-input-stream *answers*)))

#+sbcl
(defun descriptor-stream (descriptor &rest direction)
  "Characters are bytes, as on GCL and in ACL2's logic."
  (apply #'sb-sys:make-fd-stream descriptor :external-format :latin-1 direction))

#+sbcl
(defun output-to (descriptor)
  (make-instance 'protected-output :target (descriptor-stream descriptor :output t :buffering :line)))

#+sbcl
(defun moved (descriptor)
  "A duplicate that child programs do not inherit (F_DUPFD_CLOEXEC, 1030 on Linux and 67 on macOS)."
  (sb-posix:fcntl descriptor #+linux 1030 #+darwin 67 3))

#+sbcl
(defun keep-from-children (requests printed)
  "Child programs get an empty input, and their output is commentary. GCL has no such call: there the sandbox starts none."
  (let ((nothing (sb-posix:open "/dev/null" sb-posix:o-rdonly)))
    (sb-posix:dup2 nothing requests)
    (sb-posix:close nothing))
  (sb-posix:dup2 2 printed))

(defun take-descriptors ()
  #+gcl (setq *requests* (two-way-stream-input-stream *terminal-io*)
              *printed* (two-way-stream-output-stream *terminal-io*)
              *commentary* *error-output*)
  #+sbcl (setq *requests* (descriptor-stream (moved 0) :input t :buffering :full)
               *printed* (output-to (moved 1))
               *commentary* (output-to 2))
  #+sbcl (keep-from-children 0 1))

(defun redirect-streams ()
  "From now on, only the helper reads requests. On GCL the other standard streams follow *TERMINAL-IO*."
  (take-descriptors)
  (let ((nothing (open-input-stream "")))
    (setf (get acl2::*standard-oi* acl2::*open-input-channel-key*) nothing
          (get acl2::*standard-ci* acl2::*open-input-channel-key*) nothing
          *terminal-io* (make-two-way-stream nothing *printed*))
    #+sbcl (setf *standard-input* nothing
                 *standard-output* *printed*
                 *error-output* *commentary*
                 *trace-output* *printed*
                 *query-io* *terminal-io*
                 (get acl2::*standard-co* acl2::*open-output-channel-key*) *printed*))
  (commentary-channel))
