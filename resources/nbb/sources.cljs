;; The namespaces in files: their locations on nbb's classpath, their dependencies on each other, and
;; thus their load order. Only the `ns` form of a source is read, and nothing is evaluated.
(ns lisp-harbor.sources
  (:require [clojure.string :as string]
            [edamame.core :as edamame]
            [nbb.classpath :as classpath]))

(def ^:private fs (js/require "fs"))
(def ^:private path (js/require "path"))

(def ^:private endings [".cljs" ".cljc" ".clj"])

(def ^:private most-entries
  "Maximum number of files and folders examined for the namespaces of the project."
  50000)

(defn text-of [file]
  (.readFileSync fs file "utf8"))

(defn- file? [file]
  (boolean (some-> (.statSync fs file #js {:throwIfNoEntry false}) .isFile)))

(defn- folder? [file]
  (boolean (some-> (.statSync fs file #js {:throwIfNoEntry false}) .isDirectory)))

(defn- folders []
  (remove string/blank? (string/split (classpath/get-classpath) (re-pattern (.-delimiter path)))))

(defn add-folder [folder]
  (when-not (some #{folder} (folders))
    (classpath/add-classpath folder)))

(defn- add-usual-folders
  "Adds `src` and `test` to the classpath if there is no nbb.edn."
  []
  (let [project (js/process.cwd)]
    (when-not (file? (.join path project "nbb.edn"))
      (run! add-folder (filter folder? (map #(.join path project %) ["src" "test"]))))))

(def ^:private reading
  "The reader options, listed one by one because the form-wise reader does not support `:all`."
  {:deref true :fn true :quote true :regex true :syntax-quote true :var true
   :read-eval identity
   :read-cond :allow
   :features #{:org.babashka/nbb :cljs}
   :auto-resolve #(if (= :current %) 'user %)
   :readers (fn [_] identity)})

(defn forms-of
  "Returns the forms of source text. Ends at the first one that cannot be read."
  [text]
  (let [reader (edamame/reader text)]
    (take-while #(not= :edamame.core/eof %)
                (repeatedly #(try (edamame/parse-next reader reading)
                                  (catch :default _ :edamame.core/eof))))))

(defn- ns-form
  "Returns the first `ns` form of source text, or nil if there is none or the text before it cannot be read."
  [text]
  (some #(when (and (seq? %) (= 'ns (first %))) %) (forms-of text)))

(defn ns-name-of [text]
  (some-> (second (ns-form text)) (with-meta nil)))

(defn- needs-of
  "Returns the required namespaces. JavaScript modules, which are strings, are left out."
  [ns-form]
  (set (for [clause ns-form
             :when (and (sequential? clause) (#{:require :require-macros :use} (first clause)))
             spec (rest clause)
             :let [needed (if (sequential? spec) (first spec) spec)]
             :when (symbol? needed)]
         needed)))

(defn- below
  "Returns the file name for `named` without extension."
  [named]
  (string/replace (munge (str named)) "." "/"))

(defn- file-of
  "Returns the first file on the classpath that has the namespace `named`, or nil."
  [named]
  (first (for [folder (folders)
               ending endings
               :let [file (.resolve path folder (str (below named) ending))]
               :when (file? file)]
           file)))

(defn source-of
  "Returns `:name`, `:file`, `:text` and `:needs`, the names of the required namespaces, of the namespace
  `named`. nil if no file on the classpath has it."
  [named]
  (add-usual-folders)
  (when-let [file (file-of named)]
    (let [text (text-of file)]
      {:name named :file file :text text :needs (needs-of (ns-form text))})))

(defn add-root-of
  "Adds the folder to the classpath relative to which `file` has the name of the namespace `named`."
  [file named]
  (add-usual-folders)
  (when-let [root (some #(let [end (str "/" (below named) %)]
                           (when (string/ends-with? file end) (subs file 0 (- (count file) (count end)))))
                        endings)]
    (when-not (= file (file-of named))
      (add-folder root))))

(defn- files-below
  "Returns the files below `root`. Hidden folders, node_modules and links are skipped. Stops at the maximum."
  [root]
  (loop [left [root], files [], looked 0]
    (if-let [folder (first left)]
      (let [entries (remove #(re-find #"^(\.|node_modules$)" (.-name %)) (.readdirSync fs folder #js {:withFileTypes true}))
            inside (fn [entries] (map #(.join path folder (.-name %)) entries))]
        (if (> looked most-entries)
          files
          (recur (into (vec (rest left)) (inside (filter #(.isDirectory %) entries)))
                 (into files (inside (filter #(and (.isFile %) (some (fn [e] (string/ends-with? (.-name %) e)) endings))
                                             entries)))
                 (+ looked (count entries)))))
      files)))

(defn project-sources
  "Returns the result of `source-of` for each namespace of the classpath inside the project, sorted by name."
  []
  (add-usual-folders)
  (let [project (js/process.cwd)
        inside? #(or (= % project) (string/starts-with? % (str project "/")))]
    (->> (filter (every-pred inside? folder?) (map #(.resolve path %) (folders)))
         (mapcat files-below)
         distinct
         (keep #(let [named (ns-name-of (text-of %))]
                  (when (and named (= % (file-of named))) named)))
         distinct
         sort
         (mapv source-of))))

(defn in-order
  "Returns the sources of `names` and of their dependencies, each after its own dependencies. Throws for
  circular dependencies."
  [names]
  (letfn [(add [{:keys [done] :as so-far} trail named]
            (cond
              (contains? done named) so-far
              (some #{named} trail) (throw (js/Error. (str "These namespaces need each other: "
                                                           (string/join " → " (drop-while #(not= named %) (conj trail named))))))
              :else (if-let [{:keys [needs] :as source} (source-of named)]
                      (-> (reduce #(add %1 (conj trail named) %2) so-far (sort needs))
                          (update :done conj named)
                          (update :ordered conj source))
                      (update so-far :done conj named))))]
    (:ordered (reduce #(add %1 [] %2) {:done #{} :ordered []} names))))
