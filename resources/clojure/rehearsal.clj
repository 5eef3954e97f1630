;; Does what an image does until it has answered once, so that the JVM meets the classes which that takes: it keeps what it has
;; made of them when this ends. Takes the archive of compiled code, whose namespaces images ask for one by one.
(require '[clojure.string :as string]
         '[nrepl.server :as server]
         '[nrepl.transport :as transport])
(import '(java.io BufferedInputStream BufferedOutputStream PipedInputStream PipedOutputStream)
        '(java.util.jar JarEntry JarFile))

(defn own-namespaces [archive]
  (with-open [file (JarFile. ^String archive)]
    (doall (for [^JarEntry entry (enumeration-seq (.entries file))
                 :let [[_ path] (re-matches #"(lisp_harbor/.*)__init\.class" (.getName entry))]
                 :when path]
             (symbol (string/replace (string/replace path "/" ".") "_" "-"))))))

(defn pipe []
  (let [out (PipedOutputStream.)]
    [(BufferedInputStream. (PipedInputStream. out)) (BufferedOutputStream. out)]))

(defn answers-to
  "What the server says to a message, up to the last of it."
  [client message]
  (transport/send client message)
  (loop [answers []]
    (let [answer (transport/recv client 60000)
          told (conj answers answer)]
      (if (or (nil? answer) (some #{"done"} (:status answer))) told (recur told)))))

(let [[archive] *command-line-args*
      [questions asking] (pipe)
      [replies replying] (pipe)
      client (transport/bencode replies asking)]
  (future (server/handle (server/default-handler) (transport/bencode questions replying)))
  (answers-to client {:op "describe" :id "1"})
  (let [session (some :new-session (answers-to client {:op "clone" :id "2"}))
        code (pr-str `(do (require ~@(map (fn [name] `'~name) (own-namespaces archive))) :met))
        told (answers-to client {:op "eval" :id "3" :session session :code code})]
    (System/exit (if (some (comp #{":met"} :value) told) 0 1))))
