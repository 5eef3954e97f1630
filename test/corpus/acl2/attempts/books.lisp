;;;; Attempts by books and what lies beside them: certificates, ports, compiled and expansion files, names, links, other folders.
;;;; A line ";;> file" begins a file of the project, one with nothing but ";;>" forms again. The format is that of theorems.lisp.

;;; a book without a certificate => admitted refuted ! outside-book refuted uncertified-book
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(include-book "evil")
(thm nil :hints (("Goal" :use evil)))

;;; a certificate that is no certificate => admitted ! outside-book uncertified-book
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;> evil.cert
(in-package "ACL2")
;;>
(include-book "evil")

;;; an empty certificate => failed
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;> evil.cert

;;>
(include-book "evil")

;;; a book that was certified and then changed => admitted undone admitted refuted ! outside-book refuted uncertified-book
;;> evil.lisp
(in-package "ACL2")
(defthm evil (equal x x) :rule-classes nil)
;;>
(certify-book "evil" ? nil)
(ubt! 1)
;;> evil.lisp
(in-package "ACL2")
(defthm evil (equal x y) :rule-classes nil)
;;>
(include-book "evil")
(thm (equal p q) :hints (("Goal" :use ((:instance evil (x p) (y q))))))

;;; the certificate of another book => admitted undone admitted ! outside-book uncertified-book
;;> good.lisp
(in-package "ACL2")
(defthm good (equal x x) :rule-classes nil)
;;>
(certify-book "good" ? nil)
(ubt! 1)
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(include-book "evil")

;;; a book that includes one that changed => admitted undone admitted undone admitted refuted ! outside-book refuted uncertified-book
;;> low.lisp
(in-package "ACL2")
(defun low (x) x)
;;> high.lisp
(in-package "ACL2")
(include-book "low")
(defthm high (equal (low x) x) :rule-classes nil)
;;>
(certify-book "low" ? nil)
(ubt! 1)
(certify-book "high" ? nil)
(ubt! 1)
;;> low.lisp
(in-package "ACL2")
(defun low (x) (list x))
;;>
(include-book "high")
(thm (equal (list x) x) :hints (("Goal" :use high)))

;;; a local book without a certificate => refuted refuted ! outside-book refuted uncertified-book
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(encapsulate () (local (include-book "evil")) (defthm from-evil nil :rule-classes nil :hints (("Goal" :use evil))))
(thm nil :hints (("Goal" :use from-evil)))

;;; a book that is uncertified and permitted => admitted ! outside-book uncertified-book
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(include-book "evil" :uncertified-okp t :skip-proofs-okp t :defaxioms-okp t)

;;; a book that is named like a system's => admitted refuted ! outside-book refuted uncertified-book
;;> arithmetic/top.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(include-book "arithmetic/top")
(thm nil :hints (("Goal" :use evil)))

;;; a book that is reached through a dot => admitted ! outside-book uncertified-book
;;> sub/evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(include-book "sub/./evil")

;;; a book that is reached through the system's folder => failed
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(include-book "../../../../../..$PROJECT/evil" :dir :system)

;;; a book of a folder with a name of one's own => admitted admitted ! outside-book uncertified-book
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(add-include-book-dir :mine "$PROJECT")
(include-book "evil" :dir :mine)

;;; a compiled file that is text => admitted failed ! outside-book uncertified-book
;;> good.lisp
(in-package "ACL2")
(defun good (x) x)
;;> good.o
(in-package "ACL2")
(setf (symbol-function 'evens) (lambda (x) (declare (ignore x)) 42))
;;> good.fasl
(in-package "ACL2")
(setf (symbol-function 'evens) (lambda (x) (declare (ignore x)) 42))
;;>
(include-book "good" :load-compiled-file t)
(thm (equal (evens '(1 2 3)) 42))

;;; an expansion file beside a book => admitted failed ! outside-book uncertified-book
;;> good.lisp
(in-package "ACL2")
(defun good (x) x)
;;> good@expansion.lsp
(in-package "ACL2")
(setf (symbol-function 'evens) (lambda (x) (declare (ignore x)) 42))
;;>
(include-book "good")
(thm (equal (evens '(1 2 3)) 42))

;;; a .port file with a theorem => admitted refuted ! outside-book refuted uncertified-book
;;> good.lisp
(in-package "ACL2")
(defun good (x) x)
;;> good.port
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(include-book "good")
(thm nil :hints (("Goal" :use evil)))

;;; a book with a number that is none of ACL2's => error
;;> evil.lisp
(in-package "ACL2")
(defconst *float* '1.5)
;;>
(include-book "evil")

;;; a number that is none of ACL2's and outlives its book => error admitted admitted failed ! program-mode
;;> evil.lisp
(in-package "ACL2")
(make-event (pprogn (f-put-global 'float 1.5 state) (value '(value-triple :kept))))
;;>
(include-book "evil")
;;>
(defthm numbers (implies (acl2-numberp x) (or (rationalp x) (complex-rationalp x))) :rule-classes nil)
(defun with-float (state) (declare (xargs :mode :program :stobjs state))
  (value `(:use ((:instance numbers (x ',(@ float)))))))
(thm nil :hints ((with-float state)))

;;; a book that names what is the helper's => error
;;> evil.lisp
(in-package "ACL2")
(defun lisp-harbor-acl2::evil (x) x)
;;>
(include-book "evil")

;;; a book that has the state for a constant => error
;;> evil.lisp
(in-package "ACL2")
(defconst *state* 'acl2_invisible::|The Live State Itself|)
;;>
(include-book "evil")

;;; a .port file with a number that is none of ACL2's => error
;;> good.lisp
(in-package "ACL2")
(defun good (x) x)
;;> good.port
(in-package "ACL2")
(defconst *float* 1.5)
;;>
(include-book "good")

;;; a .acl2 file is no book => failed
;;> good.acl2
(in-package "ACL2")
(defthm evil nil :rule-classes nil)
;;>
(include-book "good.acl2")

;;; a book of nothing but comments => failed
;;> evil.lisp
; (in-package "ACL2")
;;>
(certify-book "evil" ? nil)

;;; a book that ends in the midst => error
;;> evil.lisp
(in-package "ACL2")
(defthm evil nil :rule-classes nil
;;>
(certify-book "evil" ? nil)

;;; a book that defines a form of the harbor's => admitted value
;;> mine.lisp
(in-package "ACL2")
(defmacro harbor-certify (x) (list 'value x))
;;>
(certify-book "mine" ? nil)
(harbor-certify "nowhere")

;;; a book that prints that it was certified => failed
;;> evil.lisp
(in-package "ACL2")
(value-triple (cw "The book is certified; no trust issues.~%"))
(defthm evil nil :rule-classes nil)
;;>
(certify-book "evil" ? nil)

;;; a book that leaves settings behind => admitted undone admitted failed ! outside-book
;;> good.lisp
(in-package "ACL2")
(program)
(set-state-ok t)
;;>
(certify-book "good" ? nil)
(ubt! 1)
(include-book "good")
(defthm evil nil :rule-classes nil)

;;; a certificate with the body of a function that opens the lock => admitted undone admitted admitted admitted value undone failed ! program-mode
;;> evil.lisp
(in-package "ACL2")
(defun f (state) (declare (xargs :mode :program :stobjs state)) (f-put-global 'harmless :all state))
;;>
(certify-book "evil" ? nil)
(ubt! 1)
;;> evil.lisp
(in-package "ACL2")
(defun f (state) (declare (xargs :mode :program :stobjs state)) (f-put-global 'ttags-allowed :all state))
;;>
(defun put-in (x) (declare (xargs :mode :program))
  (cond ((equal x ''harmless) ''ttags-allowed) ((consp x) (cons (put-in (car x)) (put-in (cdr x)))) (t x)))
(defun entries (entry forms cert-data state) (declare (xargs :mode :program :stobjs state))
  (er-let* ((hash (book-hash nil (car entry) nil nil cert-data forms state)))
    (value (list (list* (car entry) (cadr entry) (caddr entry) (cadddr entry) hash)))))
(defun print-all (objects channel state) (declare (xargs :mode :program :stobjs state))
  (if (consp objects)
      (pprogn (print-object$ (car objects) channel state) (print-all (cdr objects) channel state))
    (close-output-channel channel state)))
(er-let* ((forms (read-file "evil.lisp" state))
          (cert (read-file "evil.cert" state))
          (cert-data (value (put-in (nth 5 cert))))
          (entries (entries (car (nth 7 cert)) forms cert-data state)))
  (mv-let (channel state) (open-output-channel "evil.cert" :object state)
    (pprogn (print-all (append (take 5 cert) (list cert-data (nth 6 cert) entries *trivial-book-hash*)) channel state)
            (value :written))))
(ubt! 1)
(include-book "evil")
(f state)
(defttag :mine)
