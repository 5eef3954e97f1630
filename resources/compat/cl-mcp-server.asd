;;;; The system that configurations of cl-mcp-server load: it finds Lisp Harbor and lets it serve.

(asdf:defsystem "cl-mcp-server"
  :description "Serves MCP from Lisp Harbor under the name of cl-mcp-server."
  :license "MIT"
  :components ((:file "cl-mcp-server")))
