;;;; Results of the profiler: samples of each function, and folded stacks for flame graphs. Frames of
;;;; the agent and of EVAL are removed, and so are samples in which only the agent ran.

(in-package :lisp-harbor-agent)

(defconstant +most-functions+ 30
  "Maximum number of functions reported by self samples, and the same number by total samples.")
(defconstant +folded-characters+ 200000 "Maximum number of characters of all stacks together.")
(defconstant +function-name-characters+ 160)

(defstruct samples
  (taken 0 :type integer)               ; all samples, including those of the agent
  (count 0 :type integer)               ; samples in which user code ran
  (names (make-hash-table :test 'equal)) ; maps names of functions to texts
  (functions (make-hash-table :test 'equal)) ; maps texts to conses of self samples and total samples
  (stacks (make-hash-table :test 'equal))) ; maps folded stacks to samples

;;; SB-SPROF's functions. Their names differ between versions of SBCL.

(defun sprof-symbol (&rest names)
  "Returns the first existing symbol of SB-SPROF among NAMES."
  (or (some (lambda (name) (find-symbol name "SB-SPROF")) names)
      (error "the profiler of this SBCL has no ~{~A~^ and no ~}" names)))

(defun map-stacks (function)
  "Calls FUNCTION with the thread and the frames of each sample, as SB-SPROF describes them, outermost first."
  (sb-sprof:report :type nil)           ; Fetches them from the runtime.
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
  "Prefixes that the compiler puts before the names of entry points.")

(defun function-name-in (frame)
  "Returns the name of the function of FRAME: a debug function, a text, or an object without a name."
  (let ((name (if (typep frame 'sb-di:debug-fun) (sb-di:debug-fun-name frame) frame)))
    (if (and (consp name) (symbolp (first name)) (member (symbol-name (first name)) +entry-points+ :test #'string=))
        (second name)
        name)))

(defun mentions-p (predicate name)
  "Reports whether PREDICATE is true of a symbol in NAME, such as FOO, (FLET BAR :IN FOO) or (METHOD FOO
(BAR))."
  (cond ((consp name) (or (mentions-p predicate (car name)) (mentions-p predicate (cdr name))))
        ((null name) nil)
        ((symbolp name) (funcall predicate name))))

(defun agents-name-p (name)
  (mentions-p #'own-symbol-p name))

(defun thread-start-p (name)
  "Reports whether NAME names a function that starts a thread."
  (or (foreign-name-p name)
      (mentions-p (lambda (symbol) (member (symbol-name symbol) '("RUN" "NEW-LISP-THREAD") :test #'string=)) name)))

(defun name-without-separators (text)
  "Returns TEXT without the characters that are special in folded stacks."
  (substitute #\, #\; (substitute-if #\Space (lambda (char) (find char +blanks+)) text)))

(defun frame-label (name samples)
  "Returns NAME as text, always the same string."
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
  "Returns the part of NAMES inside the agent's call of user code, or NIL if only the agent ran."
  (let ((call (position 'call-user-code names :from-end t)))
    (cond (call (nthcdr (1+ call) names))
          ((some #'agents-name-p names) nil) ; only the agent ran
          (t (cons "…" names)))))       ; the stack was too deep for the profiler to record its outermost frames

(defun form-name-p (name)
  (or (evaluating-name-p name)
      (mentions-p #'evaluating-name-p name)
      (toplevel-lambda-p name)))

(defun evaluated-stack (names)
  "Returns the user's part of the evaluation thread's stack, or NIL if there is none."
  (let ((inside (inside-user-code names)))
    (and inside
         (or (remove-if #'agents-name-p (member-if-not #'form-name-p inside))
             (list "top-level form")))))

(defun thread-stack (thread names)
  (cons (format nil "thread ~A" (or (sb-thread:thread-name thread) "without a name"))
        (remove-if #'agents-name-p (member-if-not #'thread-start-p names))))

(defun user-stack (thread names)
  "Returns the user's part of a stack, outermost function first, or NIL if there is none."
  (let ((known (remove nil names)))     ; Frames of the runtime have no names.
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
  "Returns all samples of the profiler."
  (let ((samples (make-samples)))
    (map-stacks (lambda (thread frames)
                  (incf (samples-taken samples))
                  (count-sample samples thread (mapcar #'function-name-in frames))))
    samples))

;;; Results.

(defun entries (table)
  "Returns the entries of TABLE as conses."
  (loop for key being the hash-keys of table using (hash-value value) collect (cons key value)))

(defun busiest-functions (functions)
  "Returns entries of FUNCTIONS: those with the most self samples first, then those with the most total
samples."
  (flet ((most-by (key entries)
           (up-to +most-functions+ (sort (copy-list entries) #'> :key key))))
    (let ((all (entries functions)))
      (stable-sort (union (most-by #'cadr all) (most-by #'cddr all))
                   (lambda (one other)
                     (or (> (cadr one) (cadr other))
                         (and (= (cadr one) (cadr other)) (> (cddr one) (cddr other)))))))))

(defun folded-stacks (stacks)
  "Returns a line for each of STACKS with its samples, most samples first, up to the size limit. The second and
third values are the number of stacks left out and their samples."
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
  "Returns the members of the event for SAMPLES. See Profile in electron/contract/report.ts."
  (multiple-value-bind (folded left-out left-out-samples) (folded-stacks (samples-stacks samples))
    (list "samples" (samples-count samples)
          "functions" (loop for (name self . total) in (busiest-functions (samples-functions samples))
                            collect (object "name" name "self" self "total" total))
          "folded" folded
          "omitted" (object "stacks" left-out "samples" left-out-samples))))
