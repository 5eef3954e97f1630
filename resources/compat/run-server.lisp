#!/usr/bin/env -S sbcl --script
;;;; ABOUTME: The launcher that configurations of cl-mcp-server run: MCP over stdio, served by Lisp Harbor.

(load (merge-pathnames "cl-mcp-server.lisp" *load-truename*))

(defun server-options ()
  "What stands on the command line after this script, whose name SBCL may have taken out together with --script."
  (let ((line (rest sb-ext:*posix-argv*)))
    (if (equal (first line) "--script") (cddr line) line)))

(apply #'cl-mcp-server:start (server-options))
