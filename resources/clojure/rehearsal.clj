;; Runs what an image does up to its first answer, so that the JVM loads the classes needed for it
;; and archives them when this process ends (class data sharing). Argument: the archive of compiled
;; code, whose namespaces images require one by one.
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
  "Returns the server's responses to a message, up to the last one."
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
