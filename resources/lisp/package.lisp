;;;; The agent's package. The agent runs inside an image on behalf of the harbor. Only names that a
;;;; user may see in a report are exported.

(defpackage :lisp-harbor-agent
  (:use :cl)
  ;; Names under which the common files call functions that all Lisps have under different names.
  #-abcl
  (:import-from #+sbcl :sb-gray #+ecl :gray #+ccl :ccl
   #:fundamental-binary-input-stream #:fundamental-binary-output-stream
   #:fundamental-character-input-stream #:fundamental-character-output-stream
   #:stream-clear-input #:stream-finish-output #:stream-force-output #:stream-line-column #+sbcl #:stream-line-length
   #:stream-listen #:stream-read-byte #:stream-read-char #:stream-read-char-no-hang #:stream-read-sequence
   #:stream-unread-char #:stream-write-byte #:stream-write-char #:stream-write-sequence #:stream-write-string)
  (:import-from #+sbcl :sb-mop #+ecl :clos #+abcl :mop #+ccl :ccl
   #:class-direct-slots #:class-direct-subclasses #:class-direct-superclasses #:class-finalized-p
   #:class-precedence-list #:class-slots #:eql-specializer #:eql-specializer-object
   #:generic-function-methods #:generic-function-name #:method-generic-function #:method-specializers
   #:slot-definition-allocation #:slot-definition-initargs #:slot-definition-initform
   #:slot-definition-initfunction #:slot-definition-name #:slot-definition-readers #:slot-definition-type
   #:slot-definition-writers #:specializer-direct-methods #:standard-accessor-method)
  #-ccl
  (:import-from #+sbcl :sb-ext #+ecl :ext #+abcl :system #:*invoke-debugger-hook*)
  ;; Other Lisps implement these in portable/; see backend.lisp.
  #+sbcl
  (:import-from :sb-thread
   #:condition-notify #:condition-wait #:interrupt-thread #:interrupt-thread-error #:make-mutex #:make-thread
   #:make-waitqueue #:thread-alive-p #:thread-name #:with-mutex #:with-recursive-lock)
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
  (:documentation "Functions that evaluated code may call to control the harbor that runs it.")
  (:export
   ;; Values that have a handle, and their parts as `inspect` numbers them.
   #:object
   #:value
   #:part
   ;; Loading and testing, with every failure reported to the harbor as data.
   #:load-system
   #:load-system-anew
   #:load-system-from-sources
   #:load-file
   #:run-tests
   ;; Loadable systems, as text.
   #+sbcl #:describe-system
   #+sbcl #:describe-dependencies
   #+sbcl #:describe-system-file
   #+sbcl #:bill-of-materials
   #+sbcl #:list-systems
   #+sbcl #:search-quicklisp
   #+sbcl #:describe-telos
   ;; The documentation of the language.
   #:hyperspec-page
   ;; Definitions of an earlier image.
   #:replay))
