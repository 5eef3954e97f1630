;;;; The wire to the harbor: one JSON object a line, both ways, over the socket on descriptor 3.

(in-package :lisp-harbor-agent)

(defconstant +exit-wire-broken+ 97 "Exit code when the wire cannot be written.")
(defconstant +exit-wire-closed+ 98 "Exit code when the harbor has closed the wire.")

(defvar *wire-lock* (make-mutex :name "lisp-harbor wire"))

(defun send (event &rest keys-and-values)
  "Sends one event; blocks while the harbor does not read."
  (write-to-wire (with-output-to-string (out)
                   (write-json (apply #'object "event" event keys-and-values) out)
                   (write-char #\Newline out))))

(defun receive ()
  "The next request, waited for; NIL when the harbor has closed the wire. Signals MALFORMED-JSON."
  (let ((line (line-from-wire)))
    (when line
      (let ((request (read-json line)))
        (if (json-object-p request) request (error 'malformed-json))))))
