;;; lisply.el --- Makes this Emacs a Lisply backend  -*- lexical-binding: t -*-

;; Serves the endpoints of the Lisply Backend Requirements on 127.0.0.1:
;;
;;     emacs -Q --batch -l lisply.el -f lisply-run
;;
;; prints the address on stderr; LISPLY_PORT sets the port, by default a free one. In an interactive
;; Emacs, `M-x lisply-start' does the same in the background. Any client that reaches the port can
;; evaluate: there is no token, but requests from web pages are rejected by Host and Origin.
;;
;; SIGUSR2 interrupts an evaluation, including one that loops (see `lisply--quit').

;;; Code:

(require 'cl-lib)
(require 'subr-x)

(defconst lisply--largest-request (* 4 1024 1024)
  "Maximum size in bytes of a request.")

(defconst lisply--tools
  '((tools
     . [((name . "lisp_eval")
         (description . "Evaluates Lisp code directly within the Lisply environment")
         (inputSchema
          . ((type . "object")
             (properties
              . ((code . ((type . "string")
                          (description . "The Lisp code to evaluate")))
                 (package . ((type . "string")
                             (description . "The package to use for the evaluation (optional)")))))
             (required . ["code"]))))
        ((name . "ping_lisp")
         (description . "Checks if the Lisply backend is available")
         (inputSchema . ((type . "object") (properties . nil))))]))
  "The document for tools/list.")

(defvar lisply--server nil
  "The listening process, or nil.")

(defvar lisply--requests nil
  "Queued requests, oldest first, as (CONNECTION . REQUEST).")

(defvar lisply--serving nil
  "Non-nil while a request is being answered.  Code that waits lets others arrive.")

;;; Evaluation

(defun lisply--forms (code)
  "Return all forms of the string CODE."
  (with-temp-buffer
    (insert code)
    (goto-char (point-min))
    (let (forms)
      (while (progn (forward-comment (buffer-size)) (not (eobp)))
        (push (read (current-buffer)) forms))
      (nreverse forms))))

(defun lisply--nobody-answers (&rest _)
  "Signal that code cannot prompt: batch Emacs would wait on its stdin."
  (error "Nobody is there to answer"))

(defun lisply--stay (&rest _)
  "Signal that code cannot end the backend."
  (error "The backend is not ended by code"))

(defun lisply--quit (&rest _)
  "Replace the debugger while code is evaluated.
SIGUSR2 (`debug-on-event') sets `quit-flag' from its C handler, so it
reaches code that loops, and it requests the debugger at the quit and at
the next call, which may be outside of the evaluation.  Only the quit is
wanted."
  (setq debug-on-quit nil))

(defun lisply--evaluate-forms (forms)
  "Evaluate FORMS, which can neither prompt nor end Emacs; return the last value."
  (cl-letf (((symbol-function 'read-string) #'lisply--nobody-answers)
            ((symbol-function 'read-from-minibuffer) #'lisply--nobody-answers)
            ((symbol-function 'kill-emacs) #'lisply--stay)
            ((symbol-function 'message) #'lisply--message))
    (let ((inhibit-quit nil)
          value)
      (dolist (form forms value)
        (setq value (eval form t))))))

(defun lisply--message (format &rest arguments)
  "Print the text that `message' would show for FORMAT and ARGUMENTS as output."
  (when format
    (let ((text (apply #'format-message format arguments)))
      (princ text)
      (terpri)
      text)))

(defun lisply--evaluate (code)
  "Evaluate the string CODE and return Lisply's record of it."
  (let ((output (generate-new-buffer " *lisply-output*" t))
        (debugger #'lisply--quit))
    (unwind-protect
        (condition-case condition
            (let* ((standard-output output)
                   (value (lisply--evaluate-forms (lisply--forms code)))
                   (result (let ((print-circle t)) (prin1-to-string value))))
              `((success . t)
                (result . ,result)
                (stdout . ,(with-current-buffer output (buffer-string)))))
          ((quit error)
           (lisply--failure
            (format "%s: %s" (car condition) (error-message-string condition)))))
      (kill-buffer output))))

(defun lisply--failure (message)
  "Return Lisply's record of the error MESSAGE."
  `((success . :false) (error . ,message)))

(defun lisply--evaluate-body (body)
  "Answer a lisp-eval request whose BODY is JSON in UTF-8."
  (let* ((request (ignore-errors
                    (json-parse-string (decode-coding-string body 'utf-8)
                                       :object-type 'alist :null-object nil)))
         (code (and (listp request) (alist-get 'code request))))
    (cond
     ((not (stringp code)) (lisply--failure "Send a JSON object with the string code."))
     ((alist-get 'package request)
      (lisply--failure "Emacs Lisp has no packages: leave package out."))
     (t (lisply--evaluate code)))))

;;; HTTP

(defun lisply--answer (method path body)
  "Return the answer to METHOD and PATH with BODY: (STATUS TYPE . TEXT)."
  (pcase (list method path)
    ('("GET" "/lisply/ping-lisp") '("200 OK" "text/plain" . "pong"))
    ('("GET" "/lisply/tools/list") (lisply--json lisply--tools))
    ('("POST" "/lisply/lisp-eval") (lisply--json (lisply--evaluate-body body)))
    (`(,_ ,(or "/lisply/ping-lisp" "/lisply/tools/list" "/lisply/lisp-eval"))
     '("405 Method Not Allowed" "text/plain" . "Method not allowed"))
    (_ '("404 Not Found" "text/plain" . "Not found"))))

(defun lisply--json (value)
  "Return VALUE as the answer to a request.  Raw bytes in strings are not valid in JSON."
  `("200 OK" "application/json"
    . ,(condition-case nil
           (json-serialize value)
         (error (json-serialize (lisply--failure "The result holds bytes that are no text."))))))

(defun lisply--send (connection answer)
  "Send ANSWER in one piece, because the kernel would delay the rest of several writes."
  (pcase-let* ((`(,status ,type . ,text) answer)
               (bytes (if (multibyte-string-p text) (encode-coding-string text 'utf-8) text)))
    (when (process-live-p connection)
      (process-send-string
       connection
       (concat (format "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                       status type (string-bytes bytes))
               bytes)))))

(defun lisply--header (name headers)
  "Return the value of the header NAME in the text HEADERS, or nil."
  (let ((case-fold-search t))
    (and (string-match (format "^%s:[ \t]*\\(.*?\\)[ \t]*\r?$" (regexp-quote name)) headers)
         (match-string 1 headers))))

(defun lisply--foreign-p (headers)
  "Return non-nil if HEADERS come from a web page: another Host, or any Origin."
  (let ((port (process-contact lisply--server :service)))
    (or (lisply--header "Origin" headers)
        (not (member (lisply--header "Host" headers)
                     (list (format "127.0.0.1:%d" port) (format "localhost:%d" port)))))))

(defun lisply--take-request (connection)
  "Remove a complete request from the data of CONNECTION; return nil if there is none.
It is (METHOD PATH BODY), or :foreign."
  (let ((text (process-get connection :text)))
    (when-let* ((end (string-search "\r\n\r\n" text))
                (headers (substring text 0 end))
                (length (string-to-number (or (lisply--header "Content-Length" headers) "0")))
                (after (+ end 4 length))
                ((<= after (length text))))
      (process-put connection :text (substring text after))
      (cond
       ((lisply--foreign-p headers) :foreign)
       ((string-match "\\`\\([A-Z]+\\) \\([^ ?]+\\)" headers)
        (list (match-string 1 headers) (match-string 2 headers)
              (substring text (+ end 4) after)))
       (t :foreign)))))

(defun lisply--receive (connection bytes)
  "Filter of CONNECTION: queue the requests that are complete with BYTES."
  (process-put connection :text (concat (process-get connection :text) bytes))
  (if (> (length (process-get connection :text)) lisply--largest-request)
      (delete-process connection)
    (let (request)
      (while (setq request (lisply--take-request connection))
        (setq lisply--requests (append lisply--requests (list (cons connection request))))))
    (run-at-time 0 nil #'lisply--serve)))

(defun lisply--serve ()
  "Answer the queued requests, one after another."
  (unless lisply--serving
    (let ((lisply--serving t))
      (while lisply--requests
        (pcase-let ((`(,connection . ,request) (pop lisply--requests)))
          (lisply--send connection
                        (if (eq request :foreign)
                            '("403 Forbidden" "text/plain" . "Invalid Host or Origin")
                          (apply #'lisply--answer request))))))))

;;; Entry points

;;;###autoload
(defun lisply-start (&optional port)
  "Listen on PORT of 127.0.0.1, by default a free one; return the address."
  (interactive)
  (setq lisply--server
        (make-network-process :name "lisply" :server t :host "127.0.0.1"
                              :service (or port t) :family 'ipv4 :coding 'binary
                              :filter #'lisply--receive :noquery t))
  (let ((address (format "http://127.0.0.1:%d/lisply"
                         (process-contact lisply--server :service))))
    (message "%s" address)
    address))

(defun lisply-run ()
  "Serve until Emacs exits, for batch mode; LISPLY_PORT sets the port."
  (let ((port (getenv "LISPLY_PORT")))
    (lisply-start (and port (string-to-number port))))
  (while t
    (accept-process-output nil 3600)))

(provide 'lisply)
;;; lisply.el ends here
