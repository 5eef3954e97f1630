;;;; Attempts to start a program by a file name, or to have the host Lisp read a name in its own way: on GCL a name that
;;;; starts with | is a command. The format is that of theorems.lisp. A program that was started would write `ran` into the
;;;; project, and the last form of each case fails if it is there.

;;; an output channel is a program => error value
(mv-let (channel state) (open-output-channel "|touch $PROJECT/ran; true <&-" :character state) (value channel))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; an output channel of objects is a program => error value
(mv-let (channel state) (open-output-channel "|touch $PROJECT/ran; true <&-" :object state) (value channel))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; an output channel of bytes is a program => error value
(mv-let (channel state) (open-output-channel "|touch $PROJECT/ran; true <&-" :byte state) (value channel))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; an output channel in this folder is a program => error value
(mv-let (channel state) (open-output-channel "./|touch $PROJECT/ran; true <&-" :character state) (value channel))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; an output channel after detours is a program => error value
(mv-let (channel state) (open-output-channel "././/./|touch $PROJECT/ran; true <&-" :character state) (value channel))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; an input channel is a program => error value
(mv-let (channel state) (open-input-channel "|touch $PROJECT/ran; true <&-" :character state) (value channel))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; an input channel of bytes is a program => error value
(mv-let (channel state) (open-input-channel "./|touch $PROJECT/ran; true <&-" :byte state) (value channel))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; an output channel in another folder is a program => error value
(mv-let (channel state) (open-output-channel "none/../|touch $PROJECT/ran; true <&-" :character state) (value channel))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (if length (er soft 'ran "It ran.") (value nil)))

;;; the length of a file is a program => error value
(mv-let (length state) (file-length$ "|touch $PROJECT/ran; true <&-" state) (value length))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; the date of a file is a program => error value
(mv-let (date state) (file-write-date$ "|touch $PROJECT/ran; true <&-" state) (value date))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; a deleted file is a program => error value
(mv-let (done state) (delete-file$ "|touch $PROJECT/ran; true <&-" state) (value done))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; a file read as a string is a program => error value
(value (read-file-into-string "|touch $PROJECT/ran; true <&-"))
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; a trace file is a program => error value
(open-trace-file "|touch $PROJECT/ran; true <&-")
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; a loaded file is a program => error value
(ld "|touch $PROJECT/ran; true <&-")
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; a book is a program => error value
(include-book "|touch $PROJECT/ran; true <&-")
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; the output of a form goes to a program => error value
(ld '((thm (equal x x))) :standard-co "|touch $PROJECT/ran; true <&-")
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; the output of proofs goes to a program => error value
(ld '((thm (equal x x))) :proofs-co "|touch $PROJECT/ran; true <&-")
;;>
(mv-let (length state) (file-length$ "$PROJECT/ran" state) (value length))

;;; a name is read by the host as a pattern => error value
(mv-let (channel state) (open-output-channel (concatenate 'string "$PROJECT/a" (coerce (list (code-char 0)) 'string) ".x") :character state) (value channel))
;;>
(mv-let (length state) (file-length$ "$PROJECT/a" state) (value length))
