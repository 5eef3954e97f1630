;;;; The agent's package: what runs inside an image on behalf of the harbor.
;;;; User code sees none of it; only the names a user may meet in a report are exported.

(defpackage :lisp-harbor-agent
  (:use :cl)
  ;; Files that every Lisp loads call by these names what all Lisps have, under whatever name.
  #-abcl
  (:import-from #+sbcl :sb-gray #+ecl :gray #+ccl :ccl
   #:fundamental-character-input-stream #:fundamental-character-output-stream
   #:stream-clear-input #:stream-finish-output #:stream-force-output #:stream-line-column #+sbcl #:stream-line-length
   #:stream-listen #:stream-read-char #:stream-read-char-no-hang #:stream-unread-char
   #:stream-write-char #:stream-write-string)
  (:import-from #+sbcl :sb-mop #+ecl :clos #+abcl :mop #+ccl :ccl
   #:class-direct-slots #:class-direct-subclasses #:class-direct-superclasses #:class-finalized-p
   #:class-precedence-list #:class-slots #:eql-specializer #:eql-specializer-object
   #:generic-function-methods #:generic-function-name #:method-generic-function #:method-specializers
   #:slot-definition-allocation #:slot-definition-initargs #:slot-definition-initform
   #:slot-definition-initfunction #:slot-definition-name #:slot-definition-readers #:slot-definition-type
   #:slot-definition-writers #:specializer-direct-methods #:standard-accessor-method)
  #-ccl
  (:import-from #+sbcl :sb-ext #+ecl :ext #+abcl :system #:*invoke-debugger-hook*)
  ;; Other Lisps implement these in portable/, see backend.lisp.
  #+sbcl
  (:import-from :sb-thread
   #:condition-notify #:condition-wait #:interrupt-thread #:interrupt-thread-error #:make-mutex #:make-thread
   #:make-waitqueue #:thread-alive-p #:with-mutex #:with-recursive-lock)
  #+ecl
  (:import-from :mp #:with-local-interrupts #:without-interrupts)
  #+sbcl
  (:import-from :sb-sys #:memory-fault-error #:with-local-interrupts #:without-interrupts)
  #+sbcl
  (:import-from :sb-ext #:compiler-note #:package-locked-p #:symbol-global-value)
  #+ecl
  (:import-from :ext #:package-locked-p)
  #-ccl
  (:import-from #+sbcl :sb-kernel #+(or ecl abcl) :system #:*handler-clusters*)
  (:export
   ;; Entry points of the build and of the saved core.
   #:run
   #:warm-up
   ;; Conditions that the agent signals to user code.
   #:unknown-package
   #:heap-limit-reached
   #:compilation-failed))

(defpackage :lisp-harbor
  (:documentation "What evaluated code may say to the harbor that runs it.")
  (:export
   ;; Values that have a handle, and their parts as `inspect` numbers them.
   #:object
   #:value
   #:part
   ;; Loading and testing, told to the harbor with every failure as data.
   #:load-system
   #:load-system-anew
   #:load-file
   #:run-tests
   ;; What there is to load, as text.
   #+sbcl #:describe-system
   #+sbcl #:describe-dependencies
   #+sbcl #:describe-system-file
   #+sbcl #:list-systems
   #+sbcl #:search-quicklisp
   #+sbcl #:describe-telos
   ;; The language's own documentation.
   #:hyperspec-page
   ;; What an earlier image had defined.
   #:replay))
