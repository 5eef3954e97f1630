;; Loads a file, a namespace with its dependencies, or all edited files of the project. nbb loads
;; asynchronously, so these functions return promises. Failures are sent to the harbor as they occur.
(ns lisp-harbor.loading
  (:refer-clojure :exclude [load-file])
  (:require [clojure.string :as string]
            [lisp-harbor.image :as image]
            [lisp-harbor.lists :refer [in-a-row]]
            [lisp-harbor.sources :as sources]
            [lisp-harbor.written :refer [written?]]
            [nbb.core :as nbb]))

(def ^:private loaded-sources
  "Maps namespaces to their source when it was loaded here and to a load counter."
  (atom {}))

(def ^:private loads (atom 0))

(defn- note-loaded [named text]
  (swap! loaded-sources assoc named {:text text :turn (swap! loads inc)}))

(defn- failure
  "Returns the error in the form sent to the harbor. `file` was loaded."
  [error file]
  (let [{:keys [line column] place :file} (ex-data error)
        file (or (image/own-file place) file)
        thrown (image/thrown error)]
    {:type (image/type-name thrown)
     :message (image/message thrown)
     :file file
     :line line
     :column column
     :source (when line (some-> (nth (string/split-lines (sources/text-of file)) (dec line) nil) string/trim))}))

(defn- marking
  "Marks the definitions of the namespace `named` that `file` has made. Returns a function that removes those
  that still have the mark: each definition gets new metadata, so the file no longer contains these, unless
  they are conditional."
  [named file]
  (let [from-file #(filter (fn [[_ var]] (= file (:file (meta var)))) (some-> (find-ns named) ns-interns))]
    (doseq [[_ var] (from-file)]
      (alter-meta! var assoc ::old true))
    (fn []
      (let [forms (sources/forms-of (sources/text-of file))]
        (doseq [[simple var] (from-file)
                :when (::old (meta var))]
          (if (written? forms (find-ns named) simple)
            (alter-meta! var dissoc ::old)
            (ns-unmap named simple)))))))

(defn- load-source
  "Returns a promise of nil, or of the error, whose location has been reported. A namespace whose source failed
  half-way does not count as loaded: the next `require` tries again."
  [{named :name :keys [file text]}]
  (let [is-new (and named (nil? (find-ns named)))
        withdraw (if named (marking named file) (constantly nil))]
    (.then (nbb/load-file file)
           (fn [_]
             (withdraw)
             (when named (note-loaded named text))
             (when is-new (image/tell :loaded {:systems [(str named)]}))
             nil)
           (fn [error]
             (swap! loaded-sources dissoc named)
             (when (and is-new (find-ns named)) (remove-ns named))
             (image/tell :failure (failure error file))
             error))))

(defn- stale?
  "Reports whether it was edited since it was loaded, or a dependency was loaded later."
  [{named :name :keys [text needs]}]
  (let [sources @loaded-sources
        {loaded :text :keys [turn]} (get sources named)]
    (not (and (find-ns named)
              (= text loaded)
              (every? #(<= (:turn (get sources %) 0) turn) needs)))))

(defn- load-in-order
  "Loads those of the `ordered` sources that are edited or `asked` for, or whose dependencies were loaded
  since. Dependents of a failed one are skipped. Returns a promise of the names that were loaded and skipped,
  and of the errors of the others."
  [ordered asked]
  (reduce (fn [promised {named :name :keys [needs] :as source}]
            (.then promised
                   (fn [{:keys [left failed] :as so-far}]
                     (cond
                       (some #(or (contains? failed %) (some #{%} left)) needs) (update so-far :left conj named)
                       (not (or (contains? asked named) (stale? source))) so-far
                       :else (.then (load-source source)
                                    #(if % (assoc-in so-far [:failed named] %) (update so-far :loaded conj named)))))))
          (js/Promise.resolve {:loaded [] :left [] :failed {}})
          ordered))

(defn- settle [{:keys [loaded left failed]}]
  (cond
    (empty? failed) (mapv str loaded)
    (and (empty? left) (= 1 (count failed))) (throw (first (vals failed)))
    :else (throw (ex-info (str "Not loaded: " (string/join ", " (sort (keys failed)))
                               (when (seq left) (str ", and what needs them: " (string/join ", " left))))
                          {} (first (vals failed))))))

(def ^:private usual-folders
  "Without an nbb.edn, whose :paths name other folders, the project, src and test are on it.")

(defn- there-is-no [named]
  (let [there (map :name (sources/project-sources))]
    (js/Error. (str "There is no namespace " named " on nbb's classpath. "
                    (if (seq there)
                      (str "In the project there are: " (in-a-row 20 there) ". ")
                      "No folder of the project that is on it has any. ")
                    usual-folders))))

(defn- require-library
  "Loads a namespace that has no file. It may be a part of nbb."
  [named]
  (.catch (js/Promise.resolve (nbb/await (require [named])))
          (fn [_] (throw (there-is-no named)))))

(defn load-meant
  "Loads the edited ones of `names` and their dependencies, and those `asked` for in any case. Returns a
  promise."
  [names asked]
  (-> (js/Promise.all (to-array (map require-library (remove sources/source-of names))))
      (.then (fn [_] (load-in-order (sources/in-order names) (set asked))))
      (.then settle)))

(defn- all-of-project
  "Returns the names of the project's namespaces. Throws if there are none, because the caller expects some."
  []
  (or (seq (map :name (sources/project-sources)))
      (throw (js/Error. (str "No folder of the project that is on nbb's classpath has a namespace. " usual-folders)))))

(defn load-namespaces
  "Loads the namespaces called `names` after their edited dependencies. `project` alone means the whole
  project: the edited namespaces and their dependents."
  [& names]
  (let [asked (map symbol names)
        whole (and (= asked '[project]) (nil? (sources/source-of 'project)))]
    (nbb/await (if whole
                 (load-meant (all-of-project) [])
                 (load-meant asked asked)))))

(defn load-path
  "Loads a file by its absolute path, after the dependencies of its namespace. Returns a promise of the name of
  the namespace or nil."
  [file]
  (let [text (sources/text-of file)
        named (sources/ns-name-of text)]
    (when named (sources/add-root-of file named))
    (-> (if (and named (= file (:file (sources/source-of named))))
          (load-meant [named] [named])
          (.then (load-source {:name named :file file :text text})
                 #(when % (throw %))))
        (.then (fn [_] (some-> named str))))))

(defn load-file [file]
  (nbb/await (load-path file)))
