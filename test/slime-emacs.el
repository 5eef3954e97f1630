;;; slime-emacs.el --- An Emacs with SLIME for tests  -*- lexical-binding: t -*-

;; Run in batch mode, with the SLIME in the folder that SLIME_FOLDER names, or the one that is installed.
;; Each line on stdin is a form; its value, or its error, is a line on stdout.
;; Emacs hears of Lisp only while it waits, so whoever expects something waits for it with `test-wait'.

(require 'cl-lib)
(require 'package)
(package-initialize)
(let ((folder (getenv "SLIME_FOLDER")))
  (when folder
    (setq load-path `(,folder ,(expand-file-name "contrib" folder) ,@load-path))
    ;; The Emacs half of an old one does not load in an Emacs of today; the installed one speaks to its Lisp half.
    (unless (ignore-errors (require 'slime))
      (setq load-path (cddr load-path)))))
(require 'slime)
;; What it would ask a person, a test cannot answer.
(setq slime-protocol-version 'ignore)
(slime-setup '(slime-fancy))
(setq slime-kill-without-query-p t)

(defun test-wait (predicate)
  "Waits until PREDICATE answers something, and answers it; an error when that takes 100 seconds.
Lisp compiles Swank for the first connection, which is half a minute on a busy machine."
  (let ((end (+ (float-time) 100)) value)
    (while (not (or (setq value (funcall predicate)) (> (float-time) end)))
      (accept-process-output nil 0.05))
    (or value (error "It did not come about"))))

(defun test-connect (port)
  "As M-x slime-connect; the name of the implementation once the REPL is there."
  (slime-connect "127.0.0.1" port)
  (test-wait (lambda () (and (slime-connected-p) (slime-connection-name) (slime-repl-buffer) (not (slime-busy-p)))))
  (slime-lisp-implementation-name))

(defun test-disconnected ()
  "Waits until Lisp has closed the connection."
  (test-wait (lambda () (not (slime-connected-p)))))

(defun test-eval (code)
  "Output and values of CODE, as C-x C-e shows them."
  (slime-eval (list 'swank:eval-and-grab-output code)))

(defun test-repl (code)
  "Evaluates CODE at the REPL's prompt; the text of the REPL after it."
  (with-current-buffer (slime-repl-buffer)
    (goto-char (point-max))
    (insert code)
    (let ((start (point)))
      (slime-repl-return)
      (test-wait (lambda () (not (slime-busy-p))))
      (test-wait (lambda () (and (> slime-repl-prompt-start-mark start) t)))
      (string-trim (buffer-substring-no-properties start slime-repl-prompt-start-mark)))))

(defun test-begin (code)
  "Begins to evaluate CODE, whose value nobody waits for."
  (slime-eval-async (list 'swank:eval-and-grab-output code))
  t)

(defun test-debugger ()
  "Waits for SLIME's debugger; its level, its condition and the names of its restarts."
  (test-wait #'sldb-get-default-buffer)
  (with-current-buffer (sldb-get-default-buffer)
    (test-wait (lambda () (and sldb-condition sldb-restarts)))
    (list sldb-level (test-plain (car sldb-condition))
          (mapcar (lambda (restart) (test-plain (car restart))) sldb-restarts))))

(defun test-plain (text)
  (substring-no-properties text))

(defun test-restart (name)
  "Takes the restart NAME and waits until the debugger is left."
  (with-current-buffer (sldb-get-default-buffer)
    (sldb-invoke-restart (cl-position name sldb-restarts :key #'car :test #'string=)))
  (test-wait (lambda () (null (sldb-buffers)))))

(defun test-serve ()
  "Answers forms until stdin ends."
  (let ((print-escape-newlines t))
    (while t
      (let ((answer (condition-case problem
                        (list :value (eval (read (read-from-minibuffer "")) t))
                      (end-of-file (kill-emacs 0))
                      (error (list :error (error-message-string problem))))))
        (princ (prin1-to-string answer))
        (princ "\n")))))

(test-serve)
