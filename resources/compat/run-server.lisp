#!/usr/bin/env -S sbcl --script
;;;; ABOUTME: The launcher that configurations of cl-mcp-server run: MCP over stdio, served by Lisp Harbor.

(load (merge-pathnames "cl-mcp-server.lisp" *load-truename*))

(defun server-options ()
  "What stands on the command line after this script."
  (cddr (member "--script" sb-ext:*posix-argv* :test #'string=)))

(apply #'cl-mcp-server:start (server-options))
