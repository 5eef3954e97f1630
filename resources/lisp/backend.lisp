;;;; The backend interface: the functions and macros that the common files need from the host Lisp.
;;;; sbcl/ implements it for SBCL, portable/ for ECL, ABCL and CCL. A name that package.lisp imports
;;;; from a Lisp counts as implemented by that Lisp.

(in-package :lisp-harbor-agent)

;;; Threads and locks. The names are SBCL's.

(define-interface make-mutex (&key name)
  "Returns a new lock named NAME, a string.")

(define-macro-interface with-mutex ((mutex) &body body)
  "Runs BODY while this thread owns MUTEX.")

(define-macro-interface with-recursive-lock ((mutex) &body body)
  "Runs BODY while this thread owns MUTEX. The thread may own it already.")

(define-interface make-waitqueue (&key name)
  "Returns a new condition variable.")

(define-interface condition-wait (queue mutex)
  "Waits until QUEUE is notified. The calling thread owns MUTEX; it is released during the wait.")

(define-interface condition-notify (queue)
  "Wakes one thread that waits on QUEUE, or all of them. The caller owns the mutex of QUEUE.")

(define-interface make-thread (function &key name arguments)
  "Starts a thread that calls FUNCTION with ARGUMENTS. Returns the thread.")

(define-interface thread-alive-p (thread)
  "Reports whether THREAD is alive.")

(define-interface thread-name (thread)
  "Returns the name that THREAD got when it was created.")

(define-interface end-thread (thread)
  "Makes THREAD unwind and end at its next safe point.")

(define-interface wait-for-thread (thread seconds)
  "Waits until THREAD has ended, at most SECONDS unless that is NIL."
  (loop with end = (and seconds (+ (get-internal-real-time) (* seconds internal-time-units-per-second)))
        while (and (thread-alive-p thread) (or (null end) (< (get-internal-real-time) end)))
        do (sleep 0.01)))

(define-interface interrupt-thread (thread function)
  "Makes THREAD call FUNCTION at its next safe point. Signals INTERRUPT-THREAD-ERROR if THREAD has ended.")

(define-macro-interface without-interrupts (&body body)
  "Runs BODY with interrupts of this thread deferred.")

(define-macro-interface with-local-interrupts (&body body)
  "Runs BODY with interrupts allowed, inside WITHOUT-INTERRUPTS.")

;;; The process and its wire.

(define-interface open-wire ()
  "Opens file descriptor 3 as the wire.")

(define-interface write-to-wire (line)
  "Writes LINE, a string that includes its newline. Takes *WIRE-LOCK* and defers interrupts, so that frames do
not mix. Blocks while the harbor does not read. Ends the process if the write fails.")

(define-interface line-from-wire ()
  "Waits for the next line and returns it without its newline. Returns NIL at the end of the wire.")

(define-interface start-own-threads ()
  "Starts the agent's threads other than the wire's thread."
  (ensure-output-thread)
  (ensure-evaluation-thread))

(define-interface await-request ()
  "Does the additional work of the wire's thread until the harbor writes something."
  nil)

(define-interface end-programs ()
  "Kills child processes that user code started and that would outlive this process."
  nil)

(define-interface end-process (code)
  "Ends the process immediately, without unwinding its threads.")

(define-interface exiting-p ()
  "Reports whether this thread unwinds because the process exits."
  *exiting*)

;;; Streams.

(define-interface make-event-stream (kind)
  "Returns a character output stream that sends its text as output events. KIND is stdout or stderr.")

(define-interface flush-streams ()
  "Moves the text that event streams buffer to the output buffer."
  nil)

(define-interface make-bounded-stream (limit)
  "Returns a stream that collects at most LIMIT characters. A write beyond LIMIT throws :CUT to BOUND-REACHED.")

(define-interface bounded-writer (stream)
  "Returns the output stream that the bounded stream STREAM collects from.")

(define-interface bounded-text (stream)
  "Returns the text written to the bounded stream STREAM.")

(define-interface make-caller-input (evaluation)
  "Returns a character input stream that requests each line from the caller of EVALUATION.")

(define-interface ensure-output-thread ()
  "Starts the flusher thread unless it runs. It sends output older than +FLUSH-DELAY+.")

;;; Printing.

(define-interface call-with-clock (function)
  "Calls FUNCTION, which prints. Returns its value, or :TIMEOUT if it exceeds the time limit.")

(define-interface call-with-remarks (function)
  "Calls FUNCTION, which prints. If a part of an object fails, prints a remark in its place where the Lisp
supports that; otherwise the printing ends."
  (funcall function))

(define-interface call-printing-anew (function)
  "Calls FUNCTION, which prints, outside the error handling of any printing in progress, so that its conditions
can be debugged."
  (funcall function))

(define-interface call-labelling-cycles (object function)
  "Calls FUNCTION, which prints OBJECT, and calls it again if needed with labels (#1=) for references that form
a cycle. If *PRINT-CIRCLE* is true already, shared objects are labelled too.")

(define-interface symbol-global-value (symbol)
  "Returns the session's value of SYMBOL, a printer variable. Bindings of this thread are ignored.")

(define-interface (setf symbol-global-value) (value symbol)
  "Sets the session's value of SYMBOL.")

;;; Evaluation.

(define-interface call-user-code (function)
  "Calls FUNCTION, which runs user code. The frame of this call marks the end of the user's part of the stack.")

(define-interface eval-in-frame (frame form)
  "Evaluates FORM with the locals of FRAME, a result of FRAME-OF. Returns its values."
  (eval form))

(define-interface call-watched (function)
  "Calls FUNCTION with a function that returns the texts of the definitions made since. Its optional argument is the
text of the form."
  (funcall function (constantly '())))

(define-interface note-stale-callers (evaluation)
  "Adds notes about callers that are still compiled with a macro or inline function from before EVALUATION."
  nil)

(define-interface reader-state (text)
  "Returns the state of the reader that has just read TEXT, as a JSON object of what differs from the standard, or
NIL if this Lisp does not record it."
  nil)

(define-interface evaluated-source (evaluation position)
  "Returns the source information for definitions of the form at POSITION of evaluation number EVALUATION."
  nil)

(define-interface call-with-source (source function)
  "Calls FUNCTION, which evaluates one form. Code compiled meanwhile records SOURCE as its origin."
  (funcall function))

(define-interface call-with-cpu-watch (evaluation function)
  "Calls FUNCTION, which runs EVALUATION, under the evaluation's limit of processor time, if any. Interrupts
are deferred."
  (funcall function))

(define-interface call-with-stepper (function)
  "Calls FUNCTION with (STEP FORM) stopping before each call."
  (funcall function))

(define-interface make-meter ()
  "Returns a meter for the cost of an evaluation, or NIL if this Lisp counts nothing."
  nil)

(define-interface call-metered (meter function)
  "Calls FUNCTION while METER counts its cost and returns its values. After a non-local exit the caller must
stop METER."
  (funcall function))

(define-interface stop-meter (meter)
  "Records the usage since METER was started. Does nothing if METER was not started."
  nil)

(define-interface cost-data (meter)
  "Returns the counts of METER as a JSON object with times in microseconds, or null if it counted nothing."
  :null)

(define-interface profile-mode (name)
  "Returns :CPU or :ALLOC if NAME, a string of the wire or NIL, selects that profile; otherwise NIL."
  nil)

(define-interface profiling-obstacle (evaluation)
  "Returns NIL, or a sentence that says why EVALUATION cannot be profiled as requested."
  nil)

(define-interface call-profiled (evaluation function)
  "Calls FUNCTION, under the profiler if EVALUATION requests it."
  (funcall function))

(define-interface call-traced (evaluation function)
  "Calls FUNCTION. If EVALUATION requests it, the calls of the project's functions are recorded meanwhile."
  (funcall function))

(define-interface install-heap-limit ()
  "Ensures that an evaluation that exhausts the heap ends. By default the Lisp itself signals
STORAGE-CONDITION."
  nil)

(define-interface reclaim-heap ()
  "Frees the memory of an evaluation that ended because the heap was exhausted."
  nil)

;;; Servers of Emacs.

(define-interface wrap-function (name wrapper)
  "Makes calls of the function NAME call WRAPPER with the original function and the arguments."
  (let ((function (fdefinition name)))
    (setf (fdefinition name) (lambda (&rest arguments) (apply wrapper function arguments)))))

(define-interface call-with-loading-compiler (function)
  "Calls FUNCTION, which compiles and loads a server of Emacs."
  (funcall function))

(define-interface collect-garbage ()
  "Frees the memory that is not used any more."
  nil)

;;; Warnings.

(define-interface compiler-position ()
  "Returns keys and values that describe the form being compiled: the form, the enclosing definitions and its
position."
  '())

(define-interface count-for-compiler (warning)
  "Keeps the second and third values of COMPILE and COMPILE-FILE true although WARNING is muffled."
  nil)

(define-interface uninteresting-p (warning)
  "Reports whether WARNING is internal to the Lisp and not meant for users."
  nil)

;;; Unhandled conditions and debugger levels.

(define-interface install-debugger ()
  "Makes ENTER-DEBUGGER the debugger of all threads.")

(define-interface enter-debugger (condition &optional hook)
  "Handles every unhandled condition of the image, in any thread. Never returns.")

(define-interface user-frames ()
  "Returns the frames of this thread, from the signalling call to the user's outermost frame.")

(define-interface frame-texts (frames form)
  "Returns the calls of FRAMES as texts, at most +REPORTED-FRAMES+. FORM is the evaluated form.")

(define-interface frame-locals (frame)
  "Returns the locals of FRAME as data. Empty if there are none or if they are unknown."
  '())

(define-interface asked-arguments (restart)
  "Returns the arguments that RESTART prompts for, as a list of words.")

(define-interface end-or-hold (condition)
  "Ends *EVALUATION* after the unhandled CONDITION, or suspends it. Does not return.")

(define-interface current-level ()
  "Returns the number of the innermost debugger level, or 0 at the top level."
  0)

(define-interface misplacement (evaluation)
  "Returns NIL, or a sentence that says why EVALUATION cannot run in the current state of this thread.")

(define-interface outer-restarts ()
  "Returns the restarts of the innermost debugger level. Code evaluated at that level offers them too."
  '())

(define-interface frame-of (evaluation)
  "Returns the frame in which the code of EVALUATION runs, or NIL."
  nil)

(define-interface frame-package (frame)
  "Returns the package of the name of FRAME's function, or NIL if it is a package of the Lisp itself."
  nil)

(define-interface abandonment (evaluation)
  "Returns the outcome of EVALUATION, with its condition, if it was aborted while it was suspended; otherwise
NIL."
  nil)

;;; Information about definitions. definitions.lisp defines the kinds.

(define-interface variable-kind (symbol)
  "Returns the kind of the variable SYMBOL, or NIL. A keyword has no kind: its value adds nothing to its name.")

(define-interface type-kind (symbol)
  "Returns the kind of SYMBOL if it names a type that is not a class, otherwise NIL."
  nil)

(define-interface setf-kind (symbol)
  "Returns the kind of SYMBOL if it has a setf expander, otherwise NIL."
  nil)

(define-interface method-combination-kind (symbol)
  "Returns the kind of SYMBOL if it names a method combination, otherwise NIL."
  nil)

(define-interface definition-location (name kind)
  "Returns the source location of NAME as KIND as a JSON object, or NIL if it is unknown.")

(define-interface method-location (method)
  "Returns the source location of METHOD as a JSON object, or NIL if it is unknown."
  nil)

(define-interface lambda-list-of (name kind)
  "Returns the lambda list of NAME as KIND. The second value is true if there is one.")

(define-interface function-members (name)
  "Returns keys and values that describe the function NAME, in addition to its lambda list."
  '())

(define-interface variable-type-text (symbol)
  "Returns the declared type of the variable SYMBOL as text, or NIL."
  nil)

(define-interface symbol-macro-members (symbol)
  "Returns keys and values that describe the symbol macro SYMBOL."
  '())

(define-interface structure-accessor (class slot)
  "Returns the name of the accessor of SLOT if CLASS is a structure class, otherwise NIL."
  nil)

(define-interface type-members (symbol)
  "Returns keys and values that describe the type SYMBOL."
  '())

(define-interface package-locked-p (package)
  "Reports whether PACKAGE is locked against redefinition."
  nil)

;;; Functions that evaluated code calls.

(define-interface lisp-harbor:load-system (&rest names)
  "Loads ASDF systems with their dependencies and compiles what has changed. Returns their names.")

(define-interface lisp-harbor:load-system-from-sources (&rest names)
  "Does the same as LOAD-SYSTEM after it has deleted the compiled files of the project, where it knows them."
  (apply #'lisp-harbor:load-system names))

(define-interface lisp-harbor:load-system-anew (name &key compile)
  "Reloads an ASDF system, including the systems it needs from the same definition file, as if none of it had
been loaded. Redefinitions made since are replaced by the definitions in the files. With COMPILE, all files
are compiled too. Returns its name."
  (declare (ignore compile))
  (lisp-harbor:load-system name))

(define-interface lisp-harbor:load-file (file)
  "Compiles and loads the file FILE. For an .asd file, loads the system of the same name. Returns the full file
name.")

(define-interface lisp-harbor:run-tests (&key system file test framework seconds debug)
  "Runs the tests of a system, of a file, or all tests that the image knows. With TEST, a name, runs that one
test or group. SECONDS is the time limit of each test. With DEBUG, the debugger opens at errors of tests. Returns the
results of each framework.")

(define-interface true-folder-name (folder)
  "Returns the name of FOLDER, a pathname, with all links resolved and a trailing slash, or NIL if it cannot be
reached.")

(define-interface folder-contents (folder exclude limit)
  "Returns the .asd files in FOLDER and its subfolders except those named in EXCLUDE, as two sorted lists of
pathnames, and the number of entries examined. That number is greater than LIMIT if there are more. The
lists are empty if FOLDER cannot be read.")

(define-interface calls-in-progress ()
  "Returns the calls in progress in this thread as text, innermost first: those of the user, else the form
that is evaluated.")

(define-interface calls-of-evaluation (id)
  "Does the same for the thread of evaluation number ID, while that runs. Empty if it does not answer."
  (let ((calls :unknown))
    (when (call-in-evaluation id (lambda () (setf calls (ignore-errors (calls-in-progress)))))
      (loop repeat 100
            while (eq calls :unknown)
            do (sleep 0.01)))
    (if (eq calls :unknown) '() calls)))

(define-interface quicklisp-text ()
  "Returns a hint about Quicklisp for code that needs it while it is not loaded, and the kind of a note with it,
or NIL. The hint is empty if there is nothing to say."
  "")
