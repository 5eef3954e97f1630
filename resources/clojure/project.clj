;; The namespaces of the project: the sources in the folders on the classpath, their dependencies on
;; each other, and thus their load order. Only the `ns` form of a source is read, and nothing is
;; evaluated.
(ns lisp-harbor.project
  (:require [clojure.java.io :as io]
            [clojure.string :as string]
            [lisp-harbor.lists :refer [in-a-row]]
            [lisp-harbor.reports :refer [tell]])
  (:import (java.io File PushbackReader StringReader)
           (java.nio.file Path)
           (java.util.regex Pattern)))

(defn- entries []
  (for [entry (string/split (System/getProperty "java.class.path" "") (re-pattern File/pathSeparator))]
    (.getAbsoluteFile (io/file entry))))

(defn class-path
  "Returns the jars and folders on the classpath, by name. The answer to a query without arguments."
  [_]
  (for [^File entry (entries)
        :when (.exists entry)]
    {:name (.getName entry) :folder (str entry)}))

(defn- source-folders []
  (filter #(.isDirectory ^File %) (entries)))

(def ^:dynamic *most-entries*
  "Maximum number of files and folders examined in one folder."
  200000)

(defn- shown [^File folder]
  (sort (remove #(.isHidden ^File %) (.listFiles folder))))

(defn- leads-upwards?
  "Reports whether `folder` is `root` or an ancestor of it, with all links resolved."
  [^File folder ^File root]
  (.startsWith (.toPath (.getCanonicalFile root)) (.toPath (.getCanonicalFile folder))))

(defn- files-below
  "Returns the files in and below `root`. Each folder occurs once, even if links lead to it; hidden ones are
  skipped. Stops at the maximum and reports that."
  [^File root]
  (loop [folders [root], seen #{}, files []]
    (if-let [[^File folder & others] (seq folders)]
      (let [real (.getCanonicalPath folder)
            inner (when-not (or (seen real) (and (seq seen) (leads-upwards? folder root)))
                    (shown folder))]
        (if (> (+ (count files) (count inner)) *most-entries*)
          (do (tell :note {:text (str "Namespaces were looked for among the first files below " root " only: it has more than "
                                      *most-entries* ".")})
              files)
          (recur (into (vec others) (filter #(.isDirectory ^File %)) inner)
                 (conj seen real)
                 (into files inner))))
      files)))

(defn- sources-in
  "Returns the Clojure source files below `folder`, without unreadable ones and dangling links."
  [folder]
  (sort (filter (fn [^File file]
                  (and (re-find #"\.cljc?$" (.getName file)) (.isFile file) (.canRead file)))
                (files-below folder))))

(defn ns-form
  "Returns the first `ns` form of source text, or nil if there is none or the text before it cannot be read."
  [text]
  (with-open [in (PushbackReader. (StringReader. text))]
    (binding [*read-eval* false
              *default-data-reader-fn* tagged-literal]
      (try (->> (repeatedly #(read {:read-cond :allow :eof ::end} in))
                (take-while #(not= ::end %))
                (some #(when (and (seq? %) (= 'ns (first %))) %)))
           (catch RuntimeException _ nil)))))

(defn- libspec-names
  "Returns the namespaces in an argument of `:require` or `:use`: a symbol, `[name :as n]`, or a prefix list."
  [spec prefix]
  (let [full #(symbol (str prefix (when prefix ".") %))]
    (cond
      (symbol? spec) [(full spec)]
      (not (and (sequential? spec) (symbol? (first spec)))) []
      (or (nil? (next spec)) (keyword? (second spec))) [(full (first spec))]
      :else (mapcat #(libspec-names % (str (full (first spec)))) (rest spec)))))

(defn- needs-of [ns-form]
  (set (for [clause ns-form
             :when (and (sequential? clause) (#{:require :use} (first clause)))
             spec (rest clause)
             needed (libspec-names spec nil)]
         needed)))

(defn- described [^File file]
  (let [text (slurp file)]
    (when-let [[_ named :as form] (ns-form text)]
      {:name (with-meta named nil) :file file :text text :needs (needs-of form)})))

(defn namespaces
  "Returns a map from the names of the project's namespaces to `:file`, `:text` and `:needs`, the names of the
  required ones."
  []
  (into {} (comp (mapcat sources-in) (keep described) (map (juxt :name identity)))
        (source-folders)))

(def ^:private most-elsewhere
  "Maximum number of files and folders examined in the whole project."
  20000)

(defn elsewhere
  "Returns the paths in the project of sources that are in no folder on the classpath."
  []
  (let [root (.getCanonicalFile (io/file (System/getProperty "user.dir")))
        on-it (map #(.toPath (.getCanonicalFile ^File %)) (source-folders))]
    (for [^File file (binding [*most-entries* most-elsewhere] (sources-in root))
          :let [path (.toPath (.getCanonicalFile file))]
          :when (not= "project.clj" (.getName file))
          :when (not-any? #(.startsWith path ^Path %) on-it)]
      (str (.relativize (.toPath root) (.toPath file))))))

(defn could-be
  "Returns the `paths` that may contain the namespace called `named`."
  [named paths]
  (let [base (-> (str named) (string/replace \- \_) (string/replace \. \/))]
    (filter #(re-find (re-pattern (str "(^|/)" (Pattern/quote base) "\\.cljc?$")) %) paths)))

(defn told-elsewhere
  "Returns a sentence that names `paths`, which are not on the classpath, or nil if there are none."
  [paths]
  (when-let [[_ & others] (seq paths)]
    (str (in-a-row 12 paths) (if others " are" " is") " in the project, but in no folder on the classpath. ")))

(defn in-order
  "Returns the namespaces called `names` and their dependencies in the project, each after its own
  dependencies. Throws for circular dependencies."
  [namespaces names]
  (letfn [(add [ordered path named]
            (cond
              (some #{named} ordered) ordered
              (some #{named} path) (throw (IllegalArgumentException.
                                           (str "These namespaces need each other: "
                                                (string/join " → " (drop-while #(not= named %) (conj path named))))))
              :else (conj (reduce #(add %1 (conj path named) %2)
                                  ordered
                                  (sort (filter namespaces (:needs (namespaces named)))))
                          named)))]
    (reduce #(add %1 [] %2) [] names)))
