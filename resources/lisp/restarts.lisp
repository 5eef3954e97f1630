;;;; ABOUTME: Taking a restart of a held level, with arguments that are given as code.
;;;; ABOUTME: What goes wrong on the way is an answer, and the level stays held.

(in-package :lisp-harbor-agent)

(define-condition refused-question (error)
  ((reason :initarg :reason :reader reason-of))
  (:report (lambda (condition stream) (write-string (reason-of condition) stream)))
  (:documentation "A question about the debugger that makes no sense where the session is."))

(defun refuse (control &rest arguments)
  (error 'refused-question :reason (apply #'format nil control arguments)))

(defun restart-named (designator restarts)
  "The restart that DESIGNATOR, an index or a name in any case, with or without package, means."
  (or (if (integerp designator)
          (nth designator restarts)
          (find-if (lambda (restart)
                     (or (string-equal designator (name-text (restart-name restart)))
                         (string-equal designator (string (restart-name restart)))))
                   restarts))
      (refuse "There is no restart ~A at this level; the action show lists them." designator)))

(defun value-of-code (code)
  "The value of CODE, one form."
  (eval `(locally (declare (optimize (debug 3))) ,(read-from-string code))))

(defun restart-arguments (restart codes)
  "The arguments for RESTART: the values of CODES, or what its own interactive function gets without a terminal."
  (let ((interactive (sb-kernel::restart-interactive-function restart))
        (asked (asked-arguments restart)))
    (cond (codes (mapcar #'value-of-code codes))
          ((null asked) '())
          (t (handler-case (and interactive (funcall interactive))
               ;; There is nobody at a terminal whom it could ask.
               (stream-error () nil)
               (:no-error (&rest arguments) (and interactive (return-from restart-arguments (first arguments)))))
             (refuse "The restart ~A asks for ~{~A~^, ~}: give arguments, each a form whose value is taken."
                     (name-text (restart-name restart)) asked)))))

(defun owner-of (restart)
  "The number of the level whose evaluation established RESTART: the outermost one that offers it."
  (loop for level in (reverse *levels*)
        when (member restart (level-restarts level)) return (level-number level)))

(defun plan-restart (number name codes)
  "Gives up what is held inside level NUMBER, and notes for the evaluation held there what makes it go on."
  (let ((level (find number *levels* :key #'level-number)))
    (abandon-levels (1+ number))
    (unless (typep (level-condition level) 'sb-ext:step-condition)
      (setf (level-departure level)
            (format nil "It was held at debugger level ~D by ~A (~A) and went on by ~A~@[ with ~{~A~^, ~}~]."
                    number
                    (name-text (type-of (level-condition level)))
                    (print-bounded (level-condition level) :limit 300 :printer #'princ)
                    name codes)))))

(defun take-restart (restart codes)
  "Leaves the level by RESTART. Returns only if the restart does."
  (let* ((number (owner-of restart))
         (level (find number *levels* :key #'level-number))
         (arguments (restart-arguments restart codes)))
    (if (eq restart (evaluation-abort-restart (level-evaluation level)))
        (abandon-levels number)
        (plan-restart number (name-text (restart-name restart)) codes))
    (apply #'invoke-restart restart arguments)))

(defun frame-level (index)
  "The number of the level to which frame INDEX of all held frames belongs."
  (loop for level in *levels*
        for count = (length (level-frames level))
        when (< index count) return (level-number level)
        do (decf index count)))

(defun take-frame-restart (index frame name codes)
  "Leaves the level by unwinding to FRAME: NAME is RETURN-FROM-FRAME or RESTART-FRAME. Does not return."
  (let ((values (mapcar #'value-of-code codes))
        (number (frame-level index))
        (again (string-equal name "RESTART-FRAME")))
    (unless (if again (restartable-p frame) (returnable-p frame))
      (refuse "Frame ~D cannot be unwound to: its code was not compiled with (debug 3)." index))
    (plan-restart number (format nil "~A ~A" (string-upcase name) (frame-text frame)) codes)
    (if again (restart-frame frame) (return-from-frame frame values))))
