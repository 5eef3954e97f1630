;;;; The backend interface: all that the files beside this one ask of the Lisp that they run in. sbcl/ implements it for
;;;; SBCL; portable/ does for ECL, ABCL and CCL. A name that package.lisp imports from a Lisp is implemented by that Lisp.

(in-package :lisp-harbor-agent)

;;; Threads and locks, under SBCL's names.

(define-interface make-mutex (&key name)
  "A lock called NAME, a string.")

(define-macro-interface with-mutex ((mutex) &body body)
  "Runs BODY while this thread holds MUTEX.")

(define-macro-interface with-recursive-lock ((mutex) &body body)
  "Runs BODY while this thread holds MUTEX, which it may hold already.")

(define-interface make-waitqueue (&key name)
  "What threads wait in until somebody notifies them.")

(define-interface condition-wait (queue mutex)
  "Waits in QUEUE until it is notified. MUTEX is held by this thread, but not while it waits.")

(define-interface condition-notify (queue)
  "Wakes a thread that waits in QUEUE, or all of them; the caller holds their mutex.")

(define-interface make-thread (function &key name arguments)
  "Starts a thread that calls FUNCTION with ARGUMENTS, and answers it.")

(define-interface thread-alive-p (thread)
  "Whether THREAD has not ended.")

(define-interface interrupt-thread (thread function)
  "Has THREAD call FUNCTION at its next opportunity. Signals INTERRUPT-THREAD-ERROR where it has ended.")

(define-macro-interface without-interrupts (&body body)
  "Runs BODY; interrupts of this thread wait meanwhile.")

(define-macro-interface with-local-interrupts (&body body)
  "Inside of WITHOUT-INTERRUPTS: runs BODY, in which they may act.")

;;; The process and its wire.

(define-interface open-wire ()
  "Takes descriptor 3.")

(define-interface write-to-wire (line)
  "Writes LINE, a string with its newline: under *WIRE-LOCK* and without interrupts, so that no frame is ever torn. Blocks
while the harbor does not read. Ends the process where the wire cannot be written.")

(define-interface line-from-wire ()
  "The next line without its newline, waited for; NIL at the end.")

(define-interface start-own-threads ()
  "Starts the agent's threads beside this one, the wire's."
  (ensure-output-thread)
  (ensure-evaluation-thread))

(define-interface await-request ()
  "Does what the wire's thread has to do beside, until the harbor has written something."
  nil)

(define-interface end-programs ()
  "Kills the programs that user code started and that would outlive the process."
  nil)

(define-interface end-process (code)
  "Ends the process at once, whatever its threads do.")

(define-interface exiting-p ()
  "Whether this thread is unwound because the process ends."
  *exiting*)

;;; Streams.

(define-interface make-event-stream (kind)
  "A character output stream whose text becomes output events; KIND is stdout or stderr.")

(define-interface flush-streams ()
  "Moves to the output buffer what event streams hold back."
  nil)

(define-interface make-bounded-stream (limit)
  "Collects at most LIMIT characters; what would write more throws :CUT to BOUND-REACHED.")

(define-interface bounded-writer (stream)
  "The output stream whose text STREAM, a bounded one, collects.")

(define-interface bounded-text (stream)
  "What was written to STREAM, a bounded one.")

(define-interface make-caller-input (evaluation)
  "A character input stream that asks the caller of EVALUATION for each line.")

(define-interface ensure-output-thread ()
  "Starts the flusher unless it runs: the thread that sends what is older than +FLUSH-DELAY+.")

;;; Printing.

(define-interface call-with-clock (function)
  "Calls FUNCTION, which prints. Answers what it answers, or :TIMEOUT when it takes longer than it may.")

(define-interface call-with-remarks (function)
  "Calls FUNCTION, which prints. A part that fails becomes a remark in the text where the Lisp can do that, and else ends
the printing."
  (funcall function))

(define-interface call-printing-anew (function)
  "Calls FUNCTION, which prints, as if this thread were not printing already: code that prints may fail, and be looked at."
  (funcall function))

(define-interface call-labelling-cycles (object function)
  "Calls FUNCTION, which prints OBJECT, or calls it once more, so that the last time labels (#1=) stand where an object
leads back to itself; where *PRINT-CIRCLE* is true already, also where one is met twice.")

(define-interface symbol-global-value (symbol)
  "The session's value of SYMBOL, a printer variable, whatever this thread has bound it to.")

(define-interface (setf symbol-global-value) (value symbol)
  "Sets the session's value of SYMBOL.")

;;; Evaluating.

(define-interface call-user-code (function)
  "Calls FUNCTION, which runs what the user sent. The frame of this call marks where the user's stack ends.")

(define-interface eval-in-frame (frame form)
  "The values of FORM, evaluated among the locals of FRAME, which FRAME-OF has answered."
  (eval form))

(define-interface evaluated-source (evaluation position)
  "What definitions are to remember that come from the form at POSITION of the evaluation numbered EVALUATION."
  nil)

(define-interface call-with-source (source function)
  "Calls FUNCTION, which evaluates one form; what is compiled meanwhile remembers SOURCE."
  (funcall function))

(define-interface call-with-cpu-watch (evaluation function)
  "Calls FUNCTION, which runs EVALUATION, under its limit of processor time, if it has one. Interrupts are off."
  (funcall function))

(define-interface call-with-stepper (function)
  "Calls FUNCTION, in which (STEP FORM) stops before each call."
  (funcall function))

(define-interface make-meter ()
  "What counts the cost of an evaluation; NIL where nothing is counted."
  nil)

(define-interface call-metered (meter function)
  "The values of FUNCTION, whose cost METER counts. Where it is left in another way, somebody else stops METER."
  (funcall function))

(define-interface stop-meter (meter)
  "Counts what was used since METER was started, if it was."
  nil)

(define-interface cost-data (meter)
  "What METER counted as a JSON object, times in microseconds; null when it counted nothing."
  :null)

(define-interface profile-mode (name)
  ":CPU or :ALLOC where NAME, a string of the wire or NIL, asks for a CPU profile or an allocation profile; else NIL."
  nil)

(define-interface profiling-obstacle (evaluation)
  "NIL, or a sentence that says why EVALUATION cannot be profiled as it asks."
  nil)

(define-interface call-profiled (evaluation function)
  "Calls FUNCTION, under the profiler where EVALUATION asks for it."
  (funcall function))

(define-interface install-heap-limit ()
  "Sees to it that an evaluation which fills the heap is ended. By default the Lisp itself signals STORAGE-CONDITION."
  nil)

(define-interface reclaim-heap ()
  "Gives back what an evaluation held that was ended for want of heap."
  nil)

;;; Warnings.

(define-interface compiler-position ()
  "Keys and values about the form that is being compiled: itself, the definitions around it, its place."
  '())

(define-interface count-for-compiler (warning)
  "Keeps the second and third value of COMPILE and COMPILE-FILE true although WARNING is muffled."
  nil)

(define-interface uninteresting-p (warning)
  "Whether the Lisp signals WARNING but means nobody to see it."
  nil)

;;; Unhandled conditions, and where they are held.

(define-interface install-debugger ()
  "Makes ENTER-DEBUGGER the debugger of all threads.")

(define-interface enter-debugger (condition &optional hook)
  "Where every unhandled condition of the image arrives, in whatever thread. Never returns.")

(define-interface user-frames ()
  "Frames of this thread, from the call that signalled outwards to the user's outermost one.")

(define-interface frame-texts (frames form)
  "The calls of FRAMES as texts, +REPORTED-FRAMES+ at most; FORM is what was evaluated.")

(define-interface frame-locals (frame)
  "The locals of FRAME as data; empty where there are none, or nobody knows them."
  '())

(define-interface asked-arguments (restart)
  "What RESTART asks for, as a list of words.")

(define-interface end-or-hold (condition)
  "What becomes of *EVALUATION* at an unhandled CONDITION: it ends, or is held. Does not return.")

(define-interface current-level ()
  "The number of the innermost debugger level; 0 at the top level."
  0)

(define-interface misplacement (evaluation)
  "NIL, or a sentence that says why EVALUATION cannot run where this thread is.")

(define-interface outer-restarts ()
  "The restarts of the innermost debugger level, which what is evaluated there offers as well."
  '())

(define-interface frame-of (evaluation)
  "The frame in which EVALUATION's code runs, or NIL."
  nil)

(define-interface frame-package (frame)
  "The package that the function of FRAME was written in, as its name tells; NIL where that is one of the Lisp's own."
  nil)

(define-interface abandonment (evaluation)
  "The outcome of EVALUATION if it was given up while it was held, with its condition; else NIL."
  nil)

;;; What the Lisp knows of definitions. Kinds are those of definitions.lisp.

(define-interface variable-kind (symbol)
  "What the variable SYMBOL is, or NIL. A keyword is no variable: it says nothing that its name does not.")

(define-interface type-kind (symbol)
  "The kind of SYMBOL where it names a type that is no class, or NIL."
  nil)

(define-interface setf-kind (symbol)
  "The kind of SYMBOL where it has a setf expander, or NIL."
  nil)

(define-interface method-combination-kind (symbol)
  "The kind of SYMBOL where it names a method combination, or NIL."
  nil)

(define-interface definition-location (name kind)
  "Where NAME was defined as KIND, as a JSON object; NIL where that is unknown.")

(define-interface method-location (method)
  "Where METHOD was defined, as a JSON object; NIL where that is unknown."
  nil)

(define-interface lambda-list-of (name kind)
  "The lambda list of NAME as KIND. Second value: whether it has one.")

(define-interface function-members (name)
  "Keys and values that describe the function NAME beside its lambda list."
  '())

(define-interface variable-type-text (symbol)
  "The type that the variable SYMBOL was declared to have, as text, or NIL."
  nil)

(define-interface symbol-macro-members (symbol)
  "Keys and values that describe the symbol macro SYMBOL."
  '())

(define-interface structure-accessor (class slot)
  "The name of the accessor of SLOT where CLASS is a structure's; or NIL."
  nil)

(define-interface type-members (symbol)
  "Keys and values that describe the type SYMBOL."
  '())

(define-interface package-locked-p (package)
  "Whether PACKAGE is protected from redefinitions."
  nil)

;;; What evaluated code calls.

(define-interface lisp-harbor:load-system (&rest names)
  "Loads ASDF systems with all they depend on, and compiles what has changed. Answers their names.")

(define-interface lisp-harbor:load-system-anew (name &key compile)
  "Loads an ASDF system, those of its definition file that it needs included, as if none of it had been loaded, so that
what has been redefined since is again what its files say. With COMPILE all of it is compiled as well. Answers its name."
  (declare (ignore compile))
  (lisp-harbor:load-system name))

(define-interface lisp-harbor:load-file (file)
  "Compiles and loads the file named FILE; of an .asd file, the system that has its name. Answers its full name.")

(define-interface lisp-harbor:run-tests (&key system file test framework)
  "Runs the tests of a system, or those of a file, or all that the image knows; with TEST, a name, that one test or
group. Answers for each framework what came of it.")

(define-interface true-folder-name (folder)
  "What FOLDER, a pathname, is called when all links are followed, with a slash behind; NIL where it cannot be reached.")

(define-interface folder-contents (folder exclude limit)
  "The .asd files in FOLDER and the folders in it but for those called as in EXCLUDE, two lists of pathnames in order, and how
many entries were looked at: more than LIMIT where there are more. Empty where FOLDER cannot be read.")

(define-interface quicklisp-text ()
  "What there is to say about Quicklisp where code asks for it in vain; empty for nothing."
  "")
