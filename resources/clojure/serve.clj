;; The main program of a Clojure image: serves nREPL on descriptor 0, a socket that the harbor holds the other end of.
;; Descriptors 1 and 2 stay what they are. When the harbor closes its end, the JVM ends, with whatever it runs.
(require '[nrepl.server :as server]
         '[nrepl.transport :as transport])
(import '(java.io BufferedInputStream BufferedOutputStream ByteArrayInputStream FileDescriptor FileInputStream
                  FileOutputStream InputStreamReader)
        '(clojure.lang LineNumberingPushbackReader))

(def wire
  "Java reads and writes any descriptor that it has a name for, sockets as well."
  (transport/bencode (BufferedInputStream. (FileInputStream. FileDescriptor/in))
                     (BufferedOutputStream. (FileOutputStream. FileDescriptor/in))))

(defn forget-input
  "Nobody but the wire reads descriptor 0: who asks Java or Clojure for input outside of an evaluation meets its end."
  []
  (let [nothing (ByteArrayInputStream. (byte-array 0))]
    (System/setIn nothing)
    (alter-var-root #'*in* (constantly (LineNumberingPushbackReader. (InputStreamReader. nothing))))))

(defn serve
  "Answers until the harbor closes its end, which nREPL takes for an error."
  []
  (try (server/handle (server/default-handler) wire)
       (catch java.net.SocketException _ nil))
  (System/exit 0))

;; What is evaluated is in no file; frames of it would else name this one.
(forget-input)
(binding [*source-path* "REPL"]
  (serve))
