;; Builds the archive that Clojure images start from: nREPL, which is distributed as source, and the
;; harbor's own code, both compiled. Arguments: the folder of the harbor's code and the archive to
;; write. Runs in a folder of its own, which is on the classpath.
(import '(java.io File FileOutputStream)
        '(java.util.jar JarEntry JarOutputStream))
(require '[clojure.java.io :as io]
         '[clojure.string :as string])

(def programs
  "The harbor's files that no image requires as a namespace."
  #{"build.clj" "rehearsal.clj" "serve.clj"})

(def dates
  "Sets the dates of classes and sources. Clojure loads the newer of source and class, so a class must be newer
  than its source, and both must be older than any other source: a project's own nREPL comes first on the
  classpath."
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
