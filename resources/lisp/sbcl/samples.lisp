;;;; What the profiler saw: how often each function was at work, and the stacks as flame graphs read them.
;;;; Frames of the agent and of EVAL are cut away, and so are samples in which only the agent worked.

(in-package :lisp-harbor-agent)

(defconstant +most-functions+ 30 "Functions told for the samples of their own, and as many for all samples.")
(defconstant +folded-characters+ 200000 "Characters of all stacks together.")
(defconstant +function-name-characters+ 160)

(defstruct samples
  (taken 0 :type integer)               ; all of them, those of the agent included
  (count 0 :type integer)               ; those in which the user's code was at work
  (names (make-hash-table :test 'equal)) ; from names of functions to texts
  (functions (make-hash-table :test 'equal)) ; from texts to conses: samples of its own, all samples
  (stacks (make-hash-table :test 'equal))) ; from folded stacks to samples

;;; What SB-SPROF offers; the names of its parts differ between versions of SBCL.

(defun sprof-symbol (&rest names)
  "The first symbol of SB-SPROF that has one of NAMES."
  (or (some (lambda (name) (find-symbol name "SB-SPROF")) names)
      (error "the profiler of this SBCL has no ~{~A~^ and no ~}" names)))

(defun map-stacks (function)
  "Calls FUNCTION with the thread and the frames of each sample, as SB-SPROF describes them, outermost first."
  (sb-sprof:report :type nil)           ; fetches them from the runtime
  (let ((samples (symbol-value (sprof-symbol "*SAMPLES*")))
        (map-frames (sprof-symbol "MAP-TRACE-PC-LOCS" "MAP-TRACE-SAMPLES")))
    (when samples
      (sb-sprof:map-traces
       (lambda (thread &rest more)
         (let ((frames '()))
           (funcall map-frames (lambda (frame pc) (declare (ignore pc)) (push frame frames)) (first (last more)))
           (funcall function thread (nreverse frames))))
       samples))))

;;; Names.

(defparameter +entry-points+ '("XEP" "TL-XEP" "&MORE-PROCESSOR" "&OPTIONAL-PROCESSOR")
  "What the compiler puts before the names of the entries of a function.")

(defun function-name-in (frame)
  "The name of the function that FRAME means: a debug function, a text, or something without a name."
  (let ((name (if (typep frame 'sb-di:debug-fun) (sb-di:debug-fun-name frame) frame)))
    (if (and (consp name) (symbolp (first name)) (member (symbol-name (first name)) +entry-points+ :test #'string=))
        (second name)
        name)))

(defun mentions-p (predicate name)
  "Whether PREDICATE holds of a symbol in NAME, such as FOO, (FLET BAR :IN FOO) or (METHOD FOO (BAR))."
  (cond ((consp name) (or (mentions-p predicate (car name)) (mentions-p predicate (cdr name))))
        ((null name) nil)
        ((symbolp name) (funcall predicate name))))

(defun agents-name-p (name)
  (mentions-p #'own-symbol-p name))

(defun thread-start-p (name)
  "Whether NAME is that of a function that begins a thread."
  (or (foreign-name-p name)
      (mentions-p (lambda (symbol) (member (symbol-name symbol) '("RUN" "NEW-LISP-THREAD") :test #'string=)) name)))

(defun name-without-separators (text)
  "TEXT without the characters that have a meaning in folded stacks."
  (substitute #\, #\; (substitute-if #\Space (lambda (char) (find char +blanks+)) text)))

(defun frame-label (name samples)
  "NAME as people write it, always the same string."
  (let ((names (samples-names samples)))
    (or (gethash name names)
        (setf (gethash name names)
              (name-without-separators
               (typecase name
                 ((or symbol cons)
                  (print-bounded (user-name-of name) :limit +function-name-characters+ :printer #'print-call))
                 (string name)
                 (t "machine code")))))))

;;; Stacks.

(defun agents-thread-p (thread)
  (or (eq thread (sb-thread:main-thread))
      (let ((name (sb-thread:thread-name thread)))
        (and (stringp name) (begins-with-p "lisp-harbor " name 0)))))

(defun inside-user-code (names)
  "The part of NAMES inside the agent's call of the user's code; NIL where the agent was at work by itself."
  (let ((call (position 'call-user-code names :from-end t)))
    (cond (call (nthcdr (1+ call) names))
          ((some #'agents-name-p names) nil) ; the agent was at work by itself
          (t (cons "…" names)))))       ; so deep that the profiler did not see its beginning

(defun form-name-p (name)
  (or (evaluating-name-p name)
      (mentions-p #'evaluating-name-p name)
      (toplevel-lambda-p name)))

(defun evaluated-stack (names)
  "The user's part of the evaluation thread's stack; NIL when there is none."
  (let ((inside (inside-user-code names)))
    (and inside
         (or (remove-if #'agents-name-p (member-if-not #'form-name-p inside))
             (list "top-level form")))))

(defun thread-stack (thread names)
  (cons (format nil "thread ~A" (or (sb-thread:thread-name thread) "without a name"))
        (remove-if #'agents-name-p (member-if-not #'thread-start-p names))))

(defun user-stack (thread names)
  "The user's part of a stack, outermost function first; NIL when nothing of it is the user's."
  (let ((known (remove nil names)))     ; frames of the runtime have no names
    (cond ((eq thread *evaluation-thread*) (evaluated-stack known))
          ((agents-thread-p thread) nil)
          (t (thread-stack thread known)))))

;;; Counting.

(defun count-functions (labels functions)
  (flet ((counts (label)
           (or (gethash label functions) (setf (gethash label functions) (cons 0 0)))))
    (incf (car (counts (first (last labels)))))
    (dolist (label (remove-duplicates labels :test #'eq))
      (incf (cdr (counts label))))))

(defun count-sample (samples thread names)
  (let ((stack (user-stack thread names)))
    (when stack
      (let ((labels (mapcar (lambda (name) (frame-label name samples)) stack)))
        (incf (samples-count samples))
        (count-functions labels (samples-functions samples))
        (incf (gethash (format nil "~{~A~^;~}" labels) (samples-stacks samples) 0))))))

(defun take-samples ()
  "All that the profiler has seen."
  (let ((samples (make-samples)))
    (map-stacks (lambda (thread frames)
                  (incf (samples-taken samples))
                  (count-sample samples thread (mapcar #'function-name-in frames))))
    samples))

;;; Telling.

(defun entries (table)
  "The entries of TABLE as conses."
  (loop for key being the hash-keys of table using (hash-value value) collect (cons key value)))

(defun busiest-functions (functions)
  "Entries of FUNCTIONS, those with the most samples of their own first, then those whose callees have the most."
  (flet ((most-by (key entries)
           (up-to +most-functions+ (sort (copy-list entries) #'> :key key))))
    (let ((all (entries functions)))
      (stable-sort (union (most-by #'cadr all) (most-by #'cddr all))
                   (lambda (one other)
                     (or (> (cadr one) (cadr other))
                         (and (= (cadr one) (cadr other)) (> (cddr one) (cddr other)))))))))

(defun folded-stacks (stacks)
  "A line for each of STACKS and its samples, most samples first, as far as there is room. Second and third value: how
many stacks were left out, and their samples."
  (loop with sorted = (sort (entries stacks) #'> :key #'cdr)
        with room = +folded-characters+
        for rest on sorted
        for (stack . count) = (first rest)
        for line = (format nil "~A ~D" stack count)
        while (<= (length line) room)
        do (decf room (1+ (length line)))
        collect line into lines
        finally (return (values (format nil "~{~A~^~%~}" lines)
                                (length rest)
                                (reduce #'+ rest :key #'cdr)))))

(defun samples-members (samples)
  "Members of the event that tells of SAMPLES; see Profile in electron/contract/cost.ts."
  (multiple-value-bind (folded left-out left-out-samples) (folded-stacks (samples-stacks samples))
    (list "samples" (samples-count samples)
          "functions" (loop for (name self . total) in (busiest-functions (samples-functions samples))
                            collect (object "name" name "self" self "total" total))
          "folded" folded
          "omitted" (object "stacks" left-out "samples" left-out-samples))))
