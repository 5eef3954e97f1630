;; Queries that find names in a Clojure image: definitions of a name, apropos, completions, and
;; definitions that were evaluated and are in no file.
(ns lisp-harbor.finding
  (:require [clojure.string :as string]
            [lisp-harbor.class-descriptions :as classes]
            [lisp-harbor.kinds :as kinds]
            [lisp-harbor.names :as names]
            [lisp-harbor.places :as places]
            [lisp-harbor.printing :refer [bounded]]))

(defn- finding [text var]
  (let [{:keys [doc] :as data} (meta var)]
    {:kind (kinds/kind var)
     :text text
     :arglist (kinds/arglist data)
     :documentation (kinds/first-line doc)
     :source (places/var-place var)}))

(defn- findings
  "Returns the first `limit` of `found` and their total number. Each is a function that returns a finding."
  [found limit]
  {:results (mapv #(%) (take limit found)) :total (count found)})

(defn- defined-as [[what thing]]
  (case what
    :var (finding (names/qualified-name thing) thing)
    :namespace {:kind "namespace"
                :text (ns-name thing)
                :source (places/place (places/namespace-file (ns-name thing)) 1)}
    :class (let [{:keys [kind name source]} (classes/description thing)]
             {:kind kind :text name :source source})
    :special {:kind "special form" :text thing}
    :static-method {:kind "static method" :text (str (.getName ^Class (:owner thing)) "/" (:name thing))}
    :static-field {:kind "static field" :text (str thing)}))

(defn definitions [{:keys [query package limit]}]
  (let [meanings (names/known-meanings (names/namespace-called package) query)]
    (findings (map #(fn [] (defined-as %)) meanings) limit)))

(defn- namespaces
  "Returns all namespaces of the user or of libraries, or the one called `only`."
  [only]
  (if only
    [(names/namespace-called only)]
    (sort-by ns-name (remove #(string/starts-with? (str (ns-name %)) "lisp-harbor.") (all-ns)))))

(defn- vars-of [there external]
  (sort-by (comp :name meta) (vals (if external (ns-publics there) (ns-interns there)))))

(defn- holds? [text part]
  (string/includes? (string/lower-case text) part))

(defn- named-namespaces [part only]
  (when-not only
    (for [there (namespaces nil)
          :when (holds? (str (ns-name there)) part)]
      #(defined-as [:namespace there]))))

(defn apropos
  "Finds vars whose name contains `query`, in any letter case, and namespaces. `in` restricts the search to one
  namespace."
  [{:keys [query limit in external only]}]
  (let [part (string/lower-case query)
        vars (for [there (namespaces in)
                   var (vars-of there external)
                   :when (and (holds? (str (:name (meta var))) part)
                              (kinds/wanted? only (kinds/kind var)))]
               var)
        library? (comp (memoize places/in-archive?) :file places/var-source)
        exact? #(= part (string/lower-case (str (:name (meta %)))))]
    (findings (concat (for [var (sort-by (juxt (complement exact?) library?) vars)]
                        #(finding (names/qualified-name var) var))
                      (when-not only (named-namespaces part in)))
              limit)))

(defn unsaved
  "Finds vars that were evaluated and are in no file. They are lost when the image ends."
  [{:keys [query limit only]}]
  (findings (for [there (namespaces nil)
                  var (vars-of there false)
                  :when (and (places/typed? (places/var-source var))
                             (holds? (str (:name (meta var))) (string/lower-case query))
                             (kinds/wanted? only (kinds/kind var)))]
              #(cond-> (finding (names/qualified-name var) var)
                 (and (kinds/data? (kinds/kind var)) (bound? var)) (assoc :value (bounded @var))))
            limit))
