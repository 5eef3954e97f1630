;; Makes what Clojure images start from: nREPL, which comes as source, and our own code, compiled, in one archive. Takes the
;; folder of our own code and the archive to write; runs in a folder of its own, which is on the classpath.
(import '(java.io File FileOutputStream)
        '(java.util.jar JarEntry JarOutputStream))
(require '[clojure.java.io :as io]
         '[clojure.string :as string])

(def programs
  "Those of our files that no image asks for by the name of a namespace."
  #{"build.clj" "rehearsal.clj" "serve.clj"})

(def dates
  "The newer of source and class is loaded, so a class is newer than the source it is made of, and both are older than any
  other source: what a project itself has of nREPL stands before them on the classpath."
  {:source 315705600000, :class 315878400000})

(defn compile-nrepl []
  (compile 'nrepl.server)
  (doseq [^File file (file-seq (io/file "nrepl"))
          :let [path (string/replace (str file) "__init.class" ".clj")]
          :when (string/ends-with? (str file) "__init.class")]
    (io/copy (slurp (io/resource path)) (io/file path))))

(defn compile-own [sources]
  (let [files (remove #(programs (.getName ^File %)) (filter #(.isFile ^File %) (.listFiles (io/file sources))))]
    (doseq [^File file files
            :let [copy (io/file "lisp_harbor" (string/replace (.getName file) "-" "_"))]]
      (io/make-parents copy)
      (io/copy file copy))
    (doseq [^File file files]
      (compile (symbol (str "lisp-harbor." (string/replace (.getName file) #"\.clj$" "")))))))

(defn write-archive [target]
  (with-open [archive (doto (JarOutputStream. (FileOutputStream. (str target))) (.setLevel 0))]
    (doseq [^File file (mapcat (comp file-seq io/file) ["nrepl" "lisp_harbor"])
            :when (.isFile file)]
      (.putNextEntry archive (doto (JarEntry. (str file))
                               (.setTime (dates (if (string/ends-with? (str file) ".class") :class :source)))))
      (io/copy file archive))))

(let [[sources target] *command-line-args*]
  (binding [*compile-path* "."]
    (compile-nrepl)
    (compile-own sources))
  (write-archive target))
