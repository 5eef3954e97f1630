;; The main program of a Clojure image: serves nREPL on descriptor 0, a socket whose other end is in
;; the harbor. Descriptors 1 and 2 are not changed. When the harbor closes its end, the JVM exits,
;; even if code runs.
(require '[nrepl.server :as server]
         '[nrepl.transport :as transport])
(import '(java.io BufferedInputStream BufferedOutputStream ByteArrayInputStream FileDescriptor FileInputStream
                  FileOutputStream InputStreamReader)
        '(clojure.lang LineNumberingPushbackReader))

(def wire
  "The transport of the wire. Java can read and write any descriptor that it has a constant for, including sockets."
  (transport/bencode (BufferedInputStream. (FileInputStream. FileDescriptor/in))
                     (BufferedOutputStream. (FileOutputStream. FileDescriptor/in))))

(defn forget-input
  "Makes System/in and *in* empty, so that only the wire reads descriptor 0. Reading outside of an evaluation
  returns end of file."
  []
  (let [nothing (ByteArrayInputStream. (byte-array 0))]
    (System/setIn nothing)
    (alter-var-root #'*in* (constantly (LineNumberingPushbackReader. (InputStreamReader. nothing))))))

(defn serve
  "Serves until the harbor closes its end, which nREPL reports as an error."
  []
  (try (server/handle (server/default-handler) wire)
       (catch java.net.SocketException _ nil))
  (System/exit 0))

;; Evaluated code is in no file. Without this its stack frames would name this file.
(forget-input)
(binding [*source-path* "REPL"]
  (serve))
