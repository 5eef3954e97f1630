;;;; Attempts by code that runs: attachments, stobjs, memoization, wormholes, apply$, programs, channels, environment.
;;;; The format is that of theorems.lisp.

;;; an attachment proves nothing about what it is attached to => admitted admitted admitted failed
(encapsulate (((h *) => * :formals (x) :guard t)) (local (defun h (x) x)))
(defun g (x) (declare (xargs :guard t) (ignore x)) t)
(defattach h g)
(thm (h x))

;;; an attachment is not used in a proof of a constant => admitted admitted admitted failed
(encapsulate (((h *) => * :formals (x) :guard t)) (local (defun h (x) x)))
(defun g (x) (declare (xargs :guard t) (ignore x)) t)
(defattach h g)
(thm (equal (h 1) t))

;;; two attachments that are each other's => admitted admitted admitted failed
(encapsulate (((a1 *) => * :formals (x) :guard t) ((a2 *) => * :formals (x) :guard t))
  (local (defun a1 (x) x)) (local (defun a2 (x) x)))
(defun b1 (x) (declare (xargs :guard t)) (a2 x))
(defun b2 (x) (declare (xargs :guard t)) (not (a1 x)))
(defattach a1 b1)
(defattach a2 b2)

;;; a macro of ACL2's for attaching without checks => failed
(defattach-system print-clause-id-okp evens)

;;; a proxy may be attached without proof, and is no theorem => admitted admitted failed ! program-mode
(defproxy p (*) => *)
(defun q (x) (declare (xargs :guard t) (ignore x)) t)
(defattach (p q) :skip-checks t)

;;; a memoized function with a condition that lies => admitted admitted failed
(defun f (x) (declare (xargs :guard t)) (list x))
(memoize 'f :condition '(equal x 1))
(thm (equal (f 1) 1))

;;; memoize by the calls of another function => admitted admitted failed
(defun f (x) (declare (xargs :guard t)) x)
(defun g (x) (declare (xargs :guard t)) (list x))
(memoize 'f :invoke 'g)

;;; memoize a constrained function => admitted failed
(defstub s (x) t)
(memoize 's)

;;; a fast alist that was changed by another => admitted value failed
(defconst *fal* (make-fast-alist '((a . 1))))
(value-triple (hons-get 'a (hons-acons 'a 2 *fal*)))
(thm (equal (cdr (hons-get 'a *fal*)) 2))

;;; a wormhole proves something => value failed
(wormhole 'w '(lambda (whs) (set-wormhole-entry-code whs :enter)) nil '(defthm evil nil :rule-classes nil))
(thm nil :hints (("Goal" :use evil)))

;;; a wormhole skips proofs => value failed
(wormhole 'w '(lambda (whs) (set-wormhole-entry-code whs :enter)) nil
          '(er-progn (set-ld-skip-proofsp t state) (value :q)))
(thm nil)

;;; the status of a wormhole is no theorem => value failed
(wormhole-eval 'w '(lambda () '(:skip . evil)) nil)
(thm nil)

;;; the break of a rewrite changes the proof => value value failed
(brr t)
(monitor '(:rewrite car-cons) ''(:eval :ok))
(thm (equal (car (cons x y)) y))

;;; apply$ of a function without a warrant => admitted failed
(defun f (x) (declare (xargs :guard t)) (list x))
(thm (equal (apply$ 'f (list x)) (list x)))

;;; apply$ of a function of ACL2's that is not for it => failed
(thm (equal (apply$ 'thm-fn (list x)) nil))

;;; a loop that ends as it should not => failed
(thm (equal (loop$ for x in '(1 2) collect x) '(2 1)))

;;; a do loop that does not terminate => failed
(thm (equal (loop$ with x = 1 do (setq x 1)) nil))

;;; a function without guards runs on what it is not for => failed
(thm (equal (car 3) 3))

;;; a division by zero => failed
(thm (equal (/ 1 0) 1))

;;; an element beyond an array => admitted failed
(defconst *a* (compress1 'a '((:header :dimensions (2) :maximum-length 5 :default 0 :name a))))
(thm (equal (aref1 'a *a* 7) 1))

;;; two arrays of one name => admitted admitted failed
(defconst *a* (compress1 'a '((:header :dimensions (2) :maximum-length 5 :default 0 :name a) (0 . 1))))
(defconst *b* (compress1 'a '((:header :dimensions (2) :maximum-length 5 :default 0 :name a) (0 . 2))))
(thm (equal (aref1 'a *a* 0) 2))

;;; a stobj that is two at once => admitted failed
(defstobj st (x :type integer :initially 0))
(defun bad (st) (declare (xargs :stobjs st)) (let ((a (update-x 1 st))) (mv a st)))

;;; a stobj that is let go => admitted failed
(defstobj st (x :type integer :initially 0))
(defun bad (st) (declare (xargs :stobjs st)) (let* ((st (update-x 1 st))) (x st)))

;;; a local stobj escapes => admitted failed
(defstobj st (x :type integer :initially 0))
(defun bad () (with-local-stobj st (mv-let (v st) (mv st st) v)))

;;; an array of stobjs has one twice => admitted admitted failed
(defstobj sub (v :initially 0))
(defstobj sup (subs :type (array sub (2))))
(defun bad (sup) (declare (xargs :stobjs sup))
  (stobj-let ((sub (subsi 0 sup)) (sub2 (subsi 0 sup))) (sub) (update-v 1 sub) sup))

;;; an abstract stobj without its theorems => admitted error
(defstobj st$c (x$c :initially 0))
(defabsstobj st (creator :logic (lambda () 0) :exec create-st$c) :exports nil)

;;; a congruent stobj of another shape => admitted failed
(defstobj st1 (x1 :initially 0))
(defstobj st2 (x2 :type integer :initially 0) :congruent-to st1)

;;; a global variable of state is no constant => value failed
(assign flag t)
(thm (@ flag))

;;; time is no theorem => failed
(make-event (mv-let (time state) (read-run-time state)
              (value `(defthm evil (equal ,time 0) :rule-classes nil))))

;;; the oracle of state is no theorem => failed
(make-event (mv-let (erp val state) (read-acl2-oracle state)
              (declare (ignore erp val))
              (value '(defthm evil nil :rule-classes nil))))

;;; chance is no theorem => failed
(make-event (mv-let (n state) (random$ 2 state)
              (value `(defthm evil (equal ,n 7) :rule-classes nil))))

;;; a function is compiled to be another one => admitted value failed
(defun f (x) (declare (xargs :guard t)) x)
(comp 'f)
(thm (equal (f 1) 2))

;;; the guard is skipped by the => failed
(defun f (x) (declare (xargs :guard t)) (the integer x))

;;; a type declaration that does not hold => admitted failed
(defun f (x) (declare (type (integer 0 1) x)) (+ x 1))
(thm (equal (f 7) 1))

;;; a program is called by the logic => admitted failed ! program-mode
(defun p (x) (declare (xargs :mode :program)) x)
(defun f (x) (p x))

;;; a program calls itself a theorem => admitted failed ! program-mode
(defun p (x) (declare (xargs :mode :program) (ignore x)) t)
(defthm evil (p x) :rule-classes nil)

;;; verify-termination of a program that does not end => failed
(defun p (x) (declare (xargs :mode :program)) (not (p x)))
(verify-termination p)

;;; an evaluation that says there was no error => value
(trans-eval '(mv nil '(nil . :proved) state) 'top state t)

;;; an event function is called with the world of another => error
(defthm-fn 'evil nil state nil nil nil nil nil nil)

;;; a definition is installed as the body of another => admitted failed
(defun f (x) x)
(set-body f car-cons)

;;; a local definition outlives its encapsulate => failed
(encapsulate () (local (defun f (x) (list x))) (defun g (x) (f x)))

;;; a function is redefined inside of an encapsulate's second pass => failed
(encapsulate () (local (defun f (x) x)) (defthm f-is (equal (f x) x) :rule-classes nil) (defun f (x) (list x)))

;;; a constrained function with contradicting constraints => failed
(encapsulate (((h *) => *)) (local (defun h (x) x)) (defthm a (equal (h x) x)) (defthm b (not (equal (h x) x))))

;;; functional instantiation through a lambda that captures => admitted failed
(encapsulate (((h *) => *)) (local (defun h (x) (declare (ignore x)) t)) (defthm h-true (h x) :rule-classes nil))
(defthm evil (equal x y) :rule-classes nil
  :hints (("Goal" :by (:functional-instance h-true (h (lambda (x) (equal x y)))))))

;;; a skolem function for a false existence => admitted failed
(defun-sk all-equal () (forall (x y) (equal x y)))
(thm (all-equal))

;;; an expansion of a call that is not there => failed
(thm nil :hints (("Goal" :expand ((car x)))))

;;; a case split that leaves a case out => failed
(thm (equal x y) :hints (("Goal" :cases ((equal x y)))))

;;; an instance of what is not there => failed
(thm nil :hints (("Goal" :use (:instance car-cons (z nil)))))

;;; the termination theorem of what does not recur => failed
(thm nil :hints (("Goal" :use (:termination-theorem car))))

;;; the guard theorem says more than it proved => failed
(thm nil :hints (("Goal" :use (:guard-theorem len))))
