;;;; The output limit of an evaluation. The first half of the limit is sent as it is printed. After
;;;; that only the end of the output is kept, up to the other half, and sent when the code stops or
;;;; waits. The rest is counted and dropped.

(in-package :lisp-harbor-agent)

(defvar *current* nil
  "The id of the running evaluation, or NIL. Output events and interrupts name it.")

(defconstant +kept-piece+ 4096
  "Kept pieces of one stream are joined up to this number of characters, so that there are few small pieces.")

(defstruct allowance
  "The output of an evaluation and its limit. LIMIT is in characters, NIL for none. The lock of the output
buffer guards it. The limit is exact only to the size of a buffer, because pieces are sent, kept and dropped
whole."
  (id 0 :type integer)                  ; of the evaluation
  (limit nil :type (or null integer))
  (sent 0 :type integer)
  (first '() :type list)                ; kept pieces, oldest first: a kind and a text each
  (last '() :type list)                 ; the last cons of FIRST
  (kept 0 :type integer)                ; number of kept characters
  (gap 0 :type integer)                 ; characters dropped since the last piece was sent
  (dropped 0 :type integer))            ; all dropped characters

(defvar *allowance* (make-allowance)
  "The allowance of the evaluation that runs or ran last. Output of threads between two evaluations counts
against the earlier one.")

(defun half-of-limit (allowance)
  (floor (allowance-limit allowance) 2))

(defun send-output (kind text &rest more)
  (apply #'send "output" "id" (or *current* :null) "stream" kind "text" text more))

(defun drop-oldest-piece (allowance)
  "Removes the first piece. Clears the CDR of its cell, because an old cell would keep all later ones alive."
  (let* ((cell (allowance-first allowance))
         (length (length (cdr (first cell)))))
    (setf (allowance-first allowance) (shiftf (cdr cell) '()))
    (decf (allowance-kept allowance) length)
    (incf (allowance-gap allowance) length)
    (incf (allowance-dropped allowance) length)))

(defun continue-last-piece (allowance kind text)
  "Appends TEXT to the last kept piece if that belongs to the same stream and is short. Returns true if it did."
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
  "Keeps TEXT as the end of the output, and drops pieces that are further back than half of the limit."
  (unless (continue-last-piece allowance kind text)
    (add-piece allowance (cons kind text)))
  (incf (allowance-kept allowance) (length text))
  (loop while (>= (- (allowance-kept allowance) (length (cdr (first (allowance-first allowance)))))
                  (half-of-limit allowance))
        do (drop-oldest-piece allowance)))

(defun pass-output-on (kind text)
  "Sends TEXT, or keeps it if half of the limit has been sent."
  (let ((allowance *allowance*))
    (cond ((or (null (allowance-limit allowance))
               (< (allowance-sent allowance) (half-of-limit allowance)))
           (incf (allowance-sent allowance) (length text))
           (send-output kind text))
          (t (unless (or (allowance-first allowance) (plusp (allowance-dropped allowance)))
               (send "limited" "id" (allowance-id allowance)))
             (keep-output allowance kind text)))))

(defun send-kept-output ()
  "Sends the kept pieces. The first event gives the number of characters missing before it."
  (let ((allowance *allowance*))
    (loop for (kind . text) in (shiftf (allowance-first allowance) '())
          for gap = (shiftf (allowance-gap allowance) 0)
          do (if (plusp gap)
                 (send-output kind text "dropped" gap)
                 (send-output kind text)))
    (setf (allowance-last allowance) '()
          (allowance-kept allowance) 0)))
