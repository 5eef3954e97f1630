;;; sly-emacs.el --- An Emacs with SLY for tests  -*- lexical-binding: t -*-

;; Run in batch mode, with the SLY in the folder that SLY_FOLDER names. As slime-emacs.el, with the same functions.

(require 'cl-lib)
(let ((folder (getenv "SLY_FOLDER")))
  (setq load-path `(,folder ,(expand-file-name "contrib" folder) ,@load-path)))
(require 'sly)
;; A test cannot answer questions.
(setq sly-ignore-protocol-mismatches t
      sly-kill-without-query-p t)
(sly-setup '(sly-fancy))

(defun test-wait (predicate)
  "Waits until PREDICATE returns a true value, and returns it; an error after 100 seconds."
  (let ((end (+ (float-time) 100)) value)
    (while (not (or (setq value (funcall predicate)) (> (float-time) end)))
      (accept-process-output nil 0.05))
    (or value (error "It did not come about"))))

(defun test-mrepl ()
  "Returns the buffer of the REPL when it has a prompt."
  (let ((buffer (and (sly-connected-p) (sly-mrepl--find-buffer))))
    (and buffer
         (with-current-buffer buffer
           (and (sly-mrepl--process)
                sly-mrepl--remote-channel
                (string-suffix-p "> " (buffer-substring-no-properties (point-min) (point-max)))
                buffer)))))

(defun test-connect (port)
  "As M-x sly-connect; returns the name of the implementation once the REPL is there."
  (sly-connect "127.0.0.1" port)
  (test-wait #'test-mrepl)
  (sly-lisp-implementation-name))

(defun test-disconnected ()
  (test-wait (lambda () (not (sly-connected-p)))))

(defun test-eval (code)
  "Returns output and values of CODE."
  (sly-eval (list 'slynk:eval-and-grab-output code)))

(defun test-repl (code)
  "Evaluates CODE at the REPL's prompt; returns the text of the REPL after it."
  (with-current-buffer (test-wait #'test-mrepl)
    (goto-char (point-max))
    (insert code)
    (let ((start (point)))
      (sly-mrepl-return)
      (test-wait (lambda () (with-current-buffer (sly-mrepl--find-buffer)
                              (and (> (point-max) (+ start 3)) (test-mrepl)))))
      (buffer-substring-no-properties start (point-max)))))

(defun test-begin (code)
  (sly-eval-async (list 'slynk:eval-and-grab-output code))
  t)

(defun test-debugger ()
  "Waits for SLY's debugger; returns its level, its condition and the names of its restarts."
  (test-wait #'sly-db-buffers)
  (with-current-buffer (car (sly-db-buffers))
    (test-wait (lambda () (and sly-db-condition sly-db-restarts)))
    (list sly-db-level (substring-no-properties (car sly-db-condition))
          (mapcar (lambda (restart) (substring-no-properties (car restart))) sly-db-restarts))))

(defun test-quit ()
  "Leaves the debugger."
  (with-current-buffer (car (sly-db-buffers)) (sly-db-quit))
  (test-wait (lambda () (null (sly-db-buffers)))))

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
