;;;; The output limit of an evaluation. The first half of what it allows is sent as it is printed. Of what comes after
;;;; that only the end is kept, up to the other half, and sent when somebody waits for it. The rest is counted.

(in-package :lisp-harbor-agent)

(defvar *current* nil
  "The id of the evaluation that runs, or NIL; output and interrupts name it.")

(defconstant +kept-piece+ 4096 "Characters up to which what is kept of one stream is made one piece, so that small ones are few.")

(defstruct allowance
  "What an evaluation has printed beside what it may; LIMIT is in characters, NIL for none. The lock of the output buffer
guards it. The limit holds to a buffer's size: pieces are sent, kept and dropped whole."
  (id 0 :type integer)                  ; the evaluation's
  (limit nil :type (or null integer))
  (sent 0 :type integer)
  (first '() :type list)                ; pieces that are kept, oldest first: a kind and a text each
  (last '() :type list)                 ; the last cons of FIRST
  (kept 0 :type integer)                ; their characters
  (gap 0 :type integer)                 ; characters dropped since something was sent
  (dropped 0 :type integer))            ; all of them

(defvar *allowance* (make-allowance)
  "That of the evaluation that runs or ran last: what threads print between two evaluations counts against the earlier.")

(defun half-of-limit (allowance)
  (floor (allowance-limit allowance) 2))

(defun send-output (kind text &rest more)
  (apply #'send "output" "id" (or *current* :null) "stream" kind "text" text more))

(defun drop-oldest-piece (allowance)
  "Lets go of the first piece. Its cell leads no further: one that has grown old would keep all that followed it."
  (let* ((cell (allowance-first allowance))
         (length (length (cdr (first cell)))))
    (setf (allowance-first allowance) (shiftf (cdr cell) '()))
    (decf (allowance-kept allowance) length)
    (incf (allowance-gap allowance) length)
    (incf (allowance-dropped allowance) length)))

(defun continue-last-piece (allowance kind text)
  "Adds TEXT to the piece that was kept last, where that is of the same stream and short. Answers whether it did."
  (let ((piece (and (allowance-first allowance) (first (allowance-last allowance)))))
    (when (and piece
               (string= kind (car piece))
               (<= (+ (length (cdr piece)) (length text)) +kept-piece+))
      (setf (cdr piece) (concatenate 'string (cdr piece) text)))))

(defun add-piece (allowance piece)
  (let ((cell (list piece)))
    (if (allowance-first allowance)
        (setf (cdr (allowance-last allowance)) cell)
        (setf (allowance-first allowance) cell))
    (setf (allowance-last allowance) cell)))

(defun keep-output (allowance kind text)
  "Keeps TEXT as the end of what was printed, and drops the pieces that lie further back than half of the limit."
  (unless (continue-last-piece allowance kind text)
    (add-piece allowance (cons kind text)))
  (incf (allowance-kept allowance) (length text))
  (loop while (>= (- (allowance-kept allowance) (length (cdr (first (allowance-first allowance)))))
                  (half-of-limit allowance))
        do (drop-oldest-piece allowance)))

(defun pass-output-on (kind text)
  "Sends TEXT, or keeps it when enough has been sent."
  (let ((allowance *allowance*))
    (cond ((or (null (allowance-limit allowance))
               (< (allowance-sent allowance) (half-of-limit allowance)))
           (incf (allowance-sent allowance) (length text))
           (send-output kind text))
          (t (unless (or (allowance-first allowance) (plusp (allowance-dropped allowance)))
               (send "limited" "id" (allowance-id allowance)))
             (keep-output allowance kind text)))))

(defun send-kept-output ()
  "Sends what is kept; the first piece says how much is missing before it."
  (let ((allowance *allowance*))
    (loop for (kind . text) in (shiftf (allowance-first allowance) '())
          for gap = (shiftf (allowance-gap allowance) 0)
          do (if (plusp gap)
                 (send-output kind text "dropped" gap)
                 (send-output kind text)))
    (setf (allowance-last allowance) '()
          (allowance-kept allowance) 0)))
