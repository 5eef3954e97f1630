;;;; Invocation of a restart of a debugger level with arguments given as code. An error on the way is
;;;; reported as the answer, and the level stays.

(in-package :lisp-harbor-agent)

(defun restart-named (designator restarts)
  "Returns the restart that DESIGNATOR denotes: an index, or a name in any case, with or without package."
  (or (if (integerp designator)
          (nth designator restarts)
          (find-if (lambda (restart)
                     (or (string-equal designator (name-text (restart-name restart)))
                         (string-equal designator (string (restart-name restart)))))
                   restarts))
      (refuse-question "There is no restart ~A at this level. ~:[There are none~;There are: ~:*~{~A~^, ~}~]." designator
                       (loop for restart in (up-to 20 restarts)
                             for index from 0
                             collect (format nil "~D ~A" index (name-text (restart-name restart)))))))

(define-implementation asked-arguments (restart)
  "Returns the arguments that RESTART prompts for, in words. For parameters of a RESTART-CASE clause SBCL keeps
only whether there are any."
  (let ((parameters (sb-kernel:%fun-lambda-list (sb-kernel::restart-function restart))))
    (cond ((null parameters) '())
          ((member (first parameters) lambda-list-keywords) '("values"))
          ((rest parameters) (mapcar #'name-text (set-difference parameters lambda-list-keywords)))
          (t '("value")))))

(defun value-of-code (code &optional frame)
  "Returns the value of CODE, one form, evaluated with the locals of FRAME if there is one."
  (let ((form (read-from-string code)))
    (values (if frame (eval-in-frame frame form) (eval (with-all-frames form))))))

(defun call-unanswered (function)
  "Calls FUNCTION with all prompts at end of file."
  (let* ((*standard-input* (null-input))
         (*query-io* (make-two-way-stream *standard-input* (make-broadcast-stream))))
    (funcall function)))

(defun restart-arguments (restart codes)
  "Returns the arguments for RESTART: the values of CODES, or the result of its interactive function without a
terminal."
  (let ((interactive (sb-kernel::restart-interactive-function restart))
        (asked (asked-arguments restart)))
    (cond (codes (mapcar #'value-of-code codes))
          ((null asked) '())
          (t (handler-case (and interactive (call-unanswered interactive))
               (stream-error () nil)
               (:no-error (&rest arguments) (and interactive (return-from restart-arguments (first arguments)))))
             (refuse-question "The restart ~A asks for ~{~A~^, ~}: give arguments, each a form whose value is taken."
                     (name-text (restart-name restart)) asked)))))

(defun owner-of (restart)
  "Returns the number of the level whose evaluation established RESTART: the outermost one that offers it."
  (loop for level in (reverse *levels*)
        when (member restart (level-restarts level)) return (level-number level)))

(defun plan-departure (level)
  "Answers the request that exits from LEVEL with the evaluation that was suspended there, which now continues
or ends."
  (setf (question-answer *question*) (object "evaluation" (evaluation-id (level-evaluation level)))))

(defun plan-abort (number)
  "Aborts the evaluations suspended at level NUMBER and inside it."
  (abandon-levels number)
  (plan-departure (level-numbered number)))

(defun plan-restart (number name codes)
  "Aborts the evaluations suspended inside level NUMBER, and records for the one suspended at that level how it
continues."
  (let ((level (level-numbered number)))
    (abandon-levels (1+ number))
    (plan-departure level)
    (unless (typep (level-condition level) 'sb-ext:step-condition)
      (setf (level-departure level)
            (format nil "It was held at debugger level ~D by ~A (~A) and went on by ~A~@[ with ~{~A~^, ~}~]."
                    number
                    (name-text (type-of (level-condition level)))
                    (print-bounded (level-condition level) :limit 300 :printer #'princ)
                    name codes)))))

(defun take-restart (restart codes)
  "Exits from the level with RESTART. Returns only if the restart does."
  (let* ((number (owner-of restart))
         (arguments (restart-arguments restart codes)))
    (if (eq restart (evaluation-abort-restart (level-evaluation (level-numbered number))))
        (plan-abort number)
        (plan-restart number (name-text (restart-name restart)) codes))
    (apply #'invoke-restart restart arguments)))

(defun return-to-level (number)
  "Aborts all evaluations suspended inside level NUMBER; 0 is the top level. Does not return."
  (let ((evaluation (level-evaluation (level-numbered (1+ number)))))
    (plan-abort (1+ number))
    (invoke-restart (evaluation-abort-restart evaluation))))

(defun take-frame-restart (index frame name codes)
  "Exits from the level by unwinding to FRAME. NAME is RETURN-FROM-FRAME or RESTART-FRAME. Does not return."
  (let ((values (mapcar (lambda (code) (value-of-code code frame)) codes))
        (number (level-number (level-of-frame index)))
        (again (string-equal name "RESTART-FRAME")))
    (unless (if again (restartable-p frame) (returnable-p frame))
      (refuse-question "Frame ~D cannot be unwound to: its code was not compiled with (debug 3)." index))
    (plan-restart number (format nil "~A ~A" (string-upcase name) (held-frame-text frame index)) codes)
    (if again (restart-frame frame) (return-from-frame frame values))))
