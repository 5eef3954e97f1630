;;;; Attempts to come to raw Lisp, or to functions that only it may call, without the trust tag that is locked.
;;;; The format is that of theorems.lisp.

;;; a trust tag by the table => failed
(table acl2-defaults-table :ttag :mine)
(progn! (set-raw-mode t))

;;; a trust tag inside of an encapsulate => failed
(encapsulate () (defttag :mine))

;;; a trust tag that is local => failed
(encapsulate () (local (defttag :mine)) (defun f (x) x))

;;; a trust tag that is muffled => error
(defttag-muffled :mine)

;;; a trust tag by make-event => failed
(make-event '(defttag :mine))

;;; a trust tag with skipped proofs => failed
(skip-proofs (defttag :mine))

;;; a trust tag in the package of the system's => failed
(defttag acl2::open-output-channel!)

;;; a trust tag of nil is none => admitted error
(defttag nil)
(sys-call "true" nil)

;;; a trust tag of a book in the project => failed
;;> tagged.lisp
(in-package "ACL2")
(defttag :mine)
(progn! (set-raw-mode t) (setf (symbol-function 'evens) (lambda (x) x)))
;;>
(include-book "tagged" :ttags :all)

;;; a trust tag that a certification asks for => failed
;;> tagged.lisp
(in-package "ACL2")
(defttag :mine)
;;>
(certify-book "tagged" ? nil :ttags :all)

;;; a trust tag that a certification asks for by its other name => failed
;;> tagged.lisp
(in-package "ACL2")
(defttag :mine)
;;>
(certify-book "tagged" ? nil :ttagsx (:mine))

;;; the set of trust tags by its macro => error
(set-ttags-allowed :all)

;;; the lock is bound for a while => error
(state-global-let* ((ttags-allowed :all)) (defttag :mine))

;;; the lock is unbound => error
(makunbound-global 'ttags-allowed state)

;;; deferred notes of trust tags => value
(set-deferred-ttag-notes t state)

;;; raw mode by its function => error
(set-raw-mode-on state)

;;; raw mode by the state's global => error
(assign acl2-raw-mode-p t)

;;; raw mode by a keyword => error
:set-raw-mode t

;;; an evaluation in raw Lisp by name => error
(acl2-raw-eval '(setf (symbol-function 'evens) nil) state)

;;; an evaluation in raw Lisp by the function behind return-last => error
(ev-rec-return-last '(lambda (x y) (declare (ignore x y)) (setf (symbol-function 'evens) nil)) ''t ''t
                    nil (w state) nil 100 nil t nil nil nil)

;;; an evaluation in raw Lisp of a term that nobody has translated => error
(xtrans-eval '(return-last '(lambda (x y) (declare (ignore x y)) (setf (symbol-function 'evens) nil)) 't 't)
             nil nil t 'top state t)

;;; the lock is opened by a term that nobody has translated => error
(xtrans-eval '(put-global 'ttags-allowed ':all state) nil nil t 'top state t)

;;; the lock is opened by such a term inside of another => error
(xtrans-eval '(if 't ((lambda (state) (put-global 'ttags-allowed ':all state)) state) state) nil nil t 'top state t)

;;; the lock is opened by a variable that the term computes => error
(xtrans-eval '(put-global (if 't 'ttags-allowed 'x) ':all state) nil nil t 'top state t)

;;; the world is set by such a term => error
(xtrans-eval '(set-w 'extension (cons '(evil theorem quote nil) (w state)) state) nil nil t 'top state t)

;;; the lock is opened by such a term in the code of a wormhole => error
(xtrans-eval '(wormhole-eval 'w '(lambda (whs) (put-global 'ttags-allowed ':all state)) 't) nil nil t 'top state t)
(defttag :mine)

;;; the mode of raw Lisp is set by such a term => error
(xtrans-eval '(set-raw-mode-on state) nil nil t 'top state t)

;;; such a term may touch what is untouchable by then => error
(xtrans-eval '((lambda (first state) (put-global 'ttags-allowed ':all state))
               (mv-list '3 (remove-untouchable-fn '(ttags-allowed) 'nil state '(remove-untouchable (ttags-allowed) nil)))
               state)
             nil nil t 'top state t)

;;; the lists of what may be touched for a while are set by such a term => error
(xtrans-eval '(set-temp-touchable-vars 't state) nil nil t 'top state t)

;;; a program is run by such a term => error
(xtrans-eval '(sys-call '"true" 'nil) nil nil t 'top state t)

;;; tracing opens no door => value value error
(trace$ put-global)
(assign mine 1)
(xtrans-eval '(put-global 'ttags-allowed ':all state) nil nil t 'top state t)

;;; proofs are skipped by such a term in a hint => admitted failed ! program-mode
(defun hint (state) (declare (xargs :mode :program :stobjs state))
  (xtrans-eval '(put-global 'skip-proofs-by-system 't state) nil nil t 'top state t))
(thm nil :hints ((hint state)))

;;; a table is put into a world with a theorem that nobody has proved => error
(table-fn1 'foo 1 2 :put nil 'top (list* '(evil theorem quote nil) (w state)) (ens state) state '(table foo 1 2))

;;; such a world is installed from a variable => value error
(er-progn (assign my-worlds (list (list* '(evil theorem quote nil) (w state)))) (value 1))
(pprogn (pop-current-acl2-world 'my-worlds state) (value 1))

;;; such a world is installed by what proves termination => error
(prove-termination-non-recursive '(car) '(x) nil nil nil nil t 'top (ens state)
                                 (list* '(evil theorem quote nil) (w state)) state)

;;; such a world is what definitions are checked in => error
(chk-acceptable-defuns1 '(f) '((f (x) nil nil x)) '((nil)) :program :program '(nil) nil 'top
                        (list* '(evil theorem quote nil) (w state)) state)

;;; such a world is a program's argument => failed
(defun p (state) (declare (xargs :mode :program :stobjs state))
  (table-fn1 'foo 1 2 :put nil 'top (list* '(evil theorem quote nil) (w state)) (ens state) state '(table foo 1 2)))

;;; a translated form is evaluated that is none => error
(trans-eval1 '(put-global 'ttags-allowed ':all state) '(state) 'top (w state) state t t)

;;; a synp hypothesis by hand => error
(ev-synp '(quote (put-global 'ttags-allowed ':all state)) nil '(a context) state)

;;; the function LP in the loop => error
(lp)

;;; leaving the loop for raw Lisp => value error
:q
(setf (symbol-function 'evens) nil)

;;; leaving the loop by an exit of LD's => value
(ld '((exit-ld state) (setf (symbol-function 'evens) nil)))

;;; a break to raw Lisp => value error
(break$)
(setf (symbol-function 'evens) nil)

;;; a debugger that is enabled to raw Lisp => value error
(set-debugger-enable t)
(er hard 'top "in")
(setf (symbol-function 'evens) nil)

;;; a program of the system with another interface => error
(sys-call+ "true" nil state)

;;; a program of the system without state => error
(sys-call* "true" nil state)

;;; a file that is opened without the check => error
(open-output-channel! "evil" :character state)

;;; untouchables are pushed away => redundant error
(push-untouchable set-w t)
(remove-untouchable set-w t)

;;; untouchables by temp-touchable => error
(set-temp-touchable-fns '(set-w install-event) state)

;;; untouchables by a table => admitted
(table untouchable-vars-table 'ttags-allowed nil)

;;; an untouchable variable by its other name => error
(put-global 'ttags-allowed :all state)

;;; an untouchable variable through state's alist => error
(update-global-table nil state)

;;; state as an object => error
(coerce-state-to-object state)

;;; a macro of raw Lisp by its name => failed
(progn (defparameter *evil* 3))

;;; an include in raw Lisp => error
(include-raw "evil.lsp")

;;; a depends-on of raw files => failed
(make-event (er-progn (load "evil.lsp") (value '(value-triple 1))))

;;; a foreign function => error
(with-raw-mode (car 3))

;;; hons memory by its raw names => error
(hl-hspace-init)

;;; profiling in raw Lisp => error
(profile-acl2)

;;; saving the image with an initial form => error
(save-exec "$PROJECT/evil" "x" :init-forms '((set-raw-mode t)))

;;; raw arguments of defstobj => failed
(defstobj st (x :type (satisfies evil)))

;;; an inline function with raw code => failed
(defun-inline f (x) (declare (xargs :guard t)) (common-lisp::eval x))

;;; partial encapsulate without a trust tag => admitted
(partial-encapsulate (((h *) => *)) nil (local (defun h (x) x)))

;;; unknown constraints without a trust tag => admitted
(encapsulate (((h *) => *)) (local (defun h (x) x)) (set-unknown-constraints-supporters h))

;;; redundancy with raw code => error
(assign redundant-with-raw-code-okp t)

;;; attaching to what the system calls => failed
(defattach (ancestors-check evens) :system-ok t)
