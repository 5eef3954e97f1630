;;;; The package CL-MCP-SERVER, whose START makes this Lisp process an MCP server: Lisp Harbor takes its place.
;;;; Configurations of clients that start cl-mcp-server find here what they name.

(defpackage :cl-mcp-server
  (:use :common-lisp)
  (:export #:start))

(in-package :cl-mcp-server)

(defparameter *here* #.(or *compile-file-truename* *load-truename*)
  "This file, also in what was compiled from it.")

(defun environment-variable (name)
  "The value of an environment variable, NIL when it is unset or empty."
  (let ((value #+sbcl (sb-ext:posix-getenv name) #-sbcl (uiop:getenv name)))
    (and value (plusp (length value)) value)))

(defun clone-entry ()
  "The entry for MCP over stdio in the clone of Lisp Harbor that this file is part of, or NIL."
  (probe-file (merge-pathnames "../setup/stdio.mjs" *here*)))

(defun harbor-command ()
  "A list of strings: the program that speaks MCP over stdio, and what it is started with.
LISP_HARBOR names an installed one; else it is the clone around this file, or what the PATH has."
  (let ((program (environment-variable "LISP_HARBOR"))
        (entry (clone-entry)))
    (cond (program (list program "--mcp-stdio"))
          (entry (list (or (environment-variable "LISP_HARBOR_NODE") "node") (namestring entry)))
          (t (list "lisp-harbor" "--mcp-stdio")))))

#+sbcl
(defun become (command)
  "Runs COMMAND in place of this process, with its stdin, stdout and environment. Returns only to signal an error."
  (let* ((count (length command))
         (arguments (sb-alien:make-alien sb-alien:c-string (1+ count))))
    (loop for argument in command
          for index from 0
          do (setf (sb-alien:deref arguments index) argument))
    (setf (sb-alien:deref arguments count) nil)
    (sb-alien:alien-funcall
     (sb-alien:extern-alien "execvp" (function sb-alien:int sb-alien:c-string (* sb-alien:c-string)))
     (first command) arguments)
    (error "~A cannot be started. Name Lisp Harbor's program in the environment variable LISP_HARBOR."
           (first command))))

#-sbcl
(defun become (command)
  "Runs COMMAND with the stdin and stdout of this process, which then ends as it does."
  (uiop:quit
   (nth-value 2 (uiop:run-program command
                                  :input :interactive :output :interactive :error-output :interactive
                                  :ignore-error-status t))))

(defun start (&rest options)
  "Serves MCP on this process's stdin and stdout, in the profile cl-mcp-server, until stdin ends.
OPTIONS are strings, as `lisp-harbor stdio' takes them. Does not return."
  (become (append (harbor-command) (list "--profile" "cl-mcp-server") options)))
