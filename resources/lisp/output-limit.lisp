;;;; ABOUTME: The output limit of an evaluation. The first half of it is sent as it is printed; of all that comes beyond,
;;;; ABOUTME: the end is kept here, as long as the other half, and sent when somebody waits for it. The rest is counted.

(in-package :lisp-harbor-agent)

(defvar *current* nil
  "The id of the evaluation that runs, or NIL; output and interrupts name it.")

(defconstant +piece-cost+ 16 "What a piece of output counts beside its characters, so that many small ones are few.")

(defstruct allowance
  "What an evaluation has printed beside what it may; LIMIT is in characters, NIL for none. The lock of the output buffer
guards it. The limit holds to a buffer's size: pieces are sent, kept and dropped whole."
  (id 0 :type integer)                  ; the evaluation's
  (limit nil :type (or null integer))
  (sent 0 :type integer)
  (first '() :type list)                ; pieces that are kept, oldest first: a kind and a text each
  (last '() :type list)                 ; the last cons of FIRST
  (kept 0 :type integer)                ; what they cost
  (gap 0 :type integer)                 ; characters dropped since something was sent
  (dropped 0 :type integer))            ; all of them

(defvar *allowance* (make-allowance)
  "That of the evaluation that runs or ran last: what threads print between two evaluations counts against the earlier.")

(defun half-of-limit (allowance)
  (floor (allowance-limit allowance) 2))

(defun send-output (kind text &rest more)
  (apply #'send "output" "id" (or *current* :null) "stream" kind "text" text more))

(defun piece-cost (piece)
  (+ +piece-cost+ (length (the string (cdr piece)))))

(defun drop-oldest-piece (allowance)
  (let ((piece (pop (allowance-first allowance))))
    (decf (allowance-kept allowance) (piece-cost piece))
    (incf (allowance-gap allowance) (length (cdr piece)))
    (incf (allowance-dropped allowance) (length (cdr piece)))))

(defun keep-piece (allowance piece)
  "Keeps PIECE as the end of what was printed, and drops what lies further back than half of the limit."
  (let ((cell (list piece)))
    (if (allowance-first allowance)
        (setf (cdr (allowance-last allowance)) cell)
        (setf (allowance-first allowance) cell))
    (setf (allowance-last allowance) cell)
    (incf (allowance-kept allowance) (piece-cost piece)))
  (loop while (>= (- (allowance-kept allowance) (piece-cost (first (allowance-first allowance))))
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
             (keep-piece allowance (cons kind text))))))

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
