;; The namespaces in files: where nbb's classpath has them, what each needs of the others, and so in which order they can be
;; loaded. Of a source only its `ns` form is read, and nothing evaluated.
(ns lisp-harbor.sources
  (:require [clojure.string :as string]
            [edamame.core :as edamame]
            [nbb.classpath :as classpath]))

(def ^:private fs (js/require "fs"))
(def ^:private path (js/require "path"))

(def ^:private endings [".cljs" ".cljc" ".clj"])

(def ^:private most-entries
  "Files and folders that are looked at for the namespaces of the project."
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
  "Where no nbb.edn says what the classpath is, `src` and `test` belong to it as well."
  []
  (let [project (js/process.cwd)]
    (when-not (file? (.join path project "nbb.edn"))
      (run! add-folder (filter folder? (map #(.join path project %) ["src" "test"]))))))

(def ^:private reading
  "All notations one by one: what reads form by form does not know `:all`."
  {:deref true :fn true :quote true :regex true :syntax-quote true :var true
   :read-eval identity
   :read-cond :allow
   :features #{:org.babashka/nbb :cljs}
   :auto-resolve #(if (= :current %) 'user %)
   :readers (fn [_] identity)})

(defn forms-of
  "The forms of source text. Ends at the first one that cannot be read."
  [text]
  (let [reader (edamame/reader text)]
    (take-while #(not= :edamame.core/eof %)
                (repeatedly #(try (edamame/parse-next reader reading)
                                  (catch :default _ :edamame.core/eof))))))

(defn- ns-form
  "The first `ns` form of source text; nil where there is none, or what comes before it cannot be read."
  [text]
  (some #(when (and (seq? %) (= 'ns (first %))) %) (forms-of text)))

(defn ns-name-of [text]
  (some-> (second (ns-form text)) (with-meta nil)))

(defn- needs-of
  "Modules of JavaScript are strings, and none of ours."
  [ns-form]
  (set (for [clause ns-form
             :when (and (sequential? clause) (#{:require :require-macros :use} (first clause)))
             spec (rest clause)
             :let [needed (if (sequential? spec) (first spec) spec)]
             :when (symbol? needed)]
         needed)))

(defn- below
  "The name of `named` as the beginning of a file's: without an ending."
  [named]
  (string/replace (munge (str named)) "." "/"))

(defn- file-of
  "The first file on the classpath that has the namespace `named`; nil where none has."
  [named]
  (first (for [folder (folders)
               ending endings
               :let [file (.resolve path folder (str (below named) ending))]
               :when (file? file)]
           file)))

(defn source-of
  "Of the namespace `named`: `:name`, `:file`, `:text` and `:needs`, the names of what it requires; nil where no file on the
  classpath has it."
  [named]
  (add-usual-folders)
  (when-let [file (file-of named)]
    (let [text (text-of file)]
      {:name named :file file :text text :needs (needs-of (ns-form text))})))

(defn add-root-of
  "Adds the folder to the classpath in which `file` stands for the namespace `named`."
  [file named]
  (add-usual-folders)
  (when-let [root (some #(let [end (str "/" (below named) %)]
                           (when (string/ends-with? file end) (subs file 0 (- (count file) (count end)))))
                        endings)]
    (when-not (= file (file-of named))
      (add-folder root))))

(defn- files-below
  "Hidden folders, packages of JavaScript and links are not looked into. Ends after as many as are looked at."
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
  "As `source-of`, for each namespace that the classpath has inside of the project, in the order of their names."
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
  "The sources of `names` and of those that they need, each after what it needs. Throws when they need each other in a circle."
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
